import BellwetherJSON
import HTTPWire
import Testing

struct ProblemTests {
    @Test func `A problem document has every fault`() {
        let problem = Problem(
            422, "Two faults.",
            errors: [
                Finding(pointer: JSONPointer(tokens: ["a/b", "0"]), code: "type", message: "is no \"string\""),
                Finding(pointer: .root, code: "required", message: "m"),
            ])
        #expect(
            problem.json.text
                == #"{"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"Two faults.","#
                + #""errors":[{"pointer":"/a~1b/0","code":"type","message":"is no \"string\""},"#
                + #"{"pointer":"","code":"required","message":"m"}]}"#)
    }

    @Test func `Without detail and faults it is the status`() {
        #expect(
            Problem(404).json.text
                == #"{"type":"about:blank","title":"Not Found","status":404,"#
                + #""errors":[{"pointer":"","code":"not_found","message":"Not Found"}]}"#)
        #expect(
            Problem(404, "Gone fishing.", type: "urn:x", title: "T").json.text
                == #"{"type":"urn:x","title":"T","status":404,"detail":"Gone fishing.","#
                + #""errors":[{"pointer":"","code":"not_found","message":"Gone fishing."}]}"#)
    }

    @Test func `As an answer it has its media type and its own fields`() {
        let response = Response.problem(Problem(503, "d").adding("Retry-After", "1"))
        #expect(response.status == 503)
        #expect(
            String(decoding: response.headers, as: UTF8.self)
                == "Retry-After: 1\r\nContent-Type: application/problem+json\r\n")
        #expect(response.body.count == Problem(503, "d").json.encoded.count)
    }

    @Test func `A JSON answer is its value`() {
        let response = Response.json(200, ["a": 1])
        guard case .bytes(let bytes) = response.body else { return #expect(Bool(false)) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1}"#)
        #expect(String(decoding: response.headers, as: UTF8.self) == "Content-Type: application/json\r\n")
    }
}
