import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Cirrus's errors, with its own texts. The conformance test compares them with the framework that makes them.
@Suite struct CirrusFaultTests {
    private static let whole: JSONValue = ["client_id": "c", "context": [:]]

    private func answer(_ text: String, _ target: String = "/v1/features/") throws -> RecordedResponse {
        let worker = try WorkerUnderTest()
        let request = try Request(
            .post, target, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
        let answer = RecordedResponse()
        worker.worker.respond(to: request, Exchange(answer))
        return answer
    }

    /// Each fault as `type location: message`.
    private func faults(_ answer: RecordedResponse) -> [String] {
        (answer.json["detail"].array ?? []).map { fault in
            let place = (fault["loc"].array ?? []).map { $0.string ?? $0.text }.joined(separator: "/")
            return "\(fault["type"].string ?? "?") \(place): \(fault["msg"].string ?? "?")"
        }
    }

    @Test(arguments: ["/v1/features/", "/v1/features", "/v2/features/", "/v2/features"])
    func `What is missing is told at once`(_ target: String) throws {
        let answer = try answer("{}", target)
        #expect(answer.status == 422)
        #expect(answer.headers.contains("Content-Type: application/json\r\n"))
        #expect(faults(answer) == ["missing body/client_id: Field required", "missing body/context: Field required"])
        #expect(answer.json["detail"][0]["input"] == [:])
        #expect(try faults(self.answer("", target)) == ["missing body: Field required"])
    }

    @Test(arguments: [
        ("null", "model_attributes_type body: Input should be a valid dictionary or object to extract fields from"),
        (#"{"client_id": 5, "context": {}}"#, "string_type body/client_id: Input should be a valid string"),
        (#"{"client_id": null, "context": {}}"#, "string_type body/client_id: Input should be a valid string"),
        (#"{"client_id": "c", "context": []}"#, "dict_type body/context: Input should be a valid dictionary"),
        (#"{"client_id": "c", "context": null}"#, "dict_type body/context: Input should be a valid dictionary"),
        (
            #"[{"client_id": "c"}]"#,
            "model_attributes_type body: Input should be a valid dictionary or object to extract fields from"
        ),
        ("{", "json_invalid body/1: JSON decode error"), ("{}{}", "json_invalid body/2: JSON decode error"),
        (#"{"client_id": "c", "client_id": "d", "context": {}}"#, "json_invalid body/19: JSON decode error"),
    ])
    func `What is of the wrong type is told`(_ body: String, _ fault: String) throws {
        let answer = try answer(body)
        #expect(answer.status == 422)
        #expect(faults(answer) == [fault])
    }

    @Test func `An empty id is a sentence, and so is too deep a body`() throws {
        let empty = try answer(#"{"client_id": "", "context": {}}"#)
        #expect(empty.status == 400)
        #expect(empty.json == ["detail": "Client ID value is missing or empty"])
        let nested = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let deep = try answer(#"{"client_id": "c", "context": {"a": \#(nested)}}"#)
        #expect(deep.status == 400)
        #expect(deep.json == ["detail": "There was an error parsing the body"])
    }

    @Test func `An id has a bound, counted in characters as pydantic counts them`() throws {
        for (length, status) in [(1024, 200), (1025, 422)] {
            let id = String(repeating: "é", count: length)
            let answer = try answer(#"{"client_id": "\#(id)", "context": {}}"#)
            #expect(answer.status == status)
            guard status == 422 else { continue }
            #expect(
                faults(answer) == ["string_too_long body/client_id: String should have at most 1024 characters"])
            #expect(answer.json["detail"][0]["ctx"] == ["max_length": 1024])
        }
    }

    @Test(arguments: ["true", "1", "On", "T", "y", "YES", "false&nimbus_preview=true"])
    func `There is no preview`(_ value: String) throws {
        let answer = try answer(Self.whole.text, "/v2/features/?nimbus_preview=\(value)")
        #expect(answer.status == 400)
        #expect(answer.json == ["detail": "This Cirrus doesn’t support preview mode"])
    }

    @Test(arguments: ["false", "0", "OFF", "f", "n", "No", "true&nimbus_preview=0"])
    func `No preview is fine`(_ value: String) throws {
        #expect(try answer(Self.whole.text, "/v2/features/?other=1&nimbus_preview=\(value)").status == 200)
    }

    @Test(arguments: ["", "=", "=2", "=maybe", "=%20true", "=true&nimbus_preview=x"])
    func `A preview is yes or no`(_ value: String) throws {
        let answer = try answer(#"{"client_id": ""}"#, "/v1/features/?nimbus_preview\(value)")
        #expect(answer.status == 422)
        #expect(
            faults(answer) == [
                "bool_parsing query/nimbus_preview: Input should be a valid boolean, unable to interpret input",
                "missing body/context: Field required",
            ])
    }

    @Test func `The order is Cirrus': shape, id, preview`() throws {
        let both = try answer(#"{"client_id": "", "context": {}}"#, "/v1/features/?nimbus_preview=true")
        #expect(both.json["detail"] == "Client ID value is missing or empty")
        #expect(try answer(#"{"client_id": ""}"#, "/v1/features/?nimbus_preview=true").status == 422)
    }

    @Test func `What no route takes is a problem`() throws {
        let worker = try WorkerUnderTest()
        let plain = try worker.send(
            .post, "/v1/features/", headers: [("Content-Type", "text/plain")], body: Self.whole)
        #expect(plain.status == 415)
        #expect(plain.json["detail"].string?.isEmpty == false)
        #expect(try worker.send(.get, "/v1/features/").status == 405)
        #expect(try worker.send(.post, "/v1/features/x", body: Self.whole).status == 404)
        #expect(try worker.send(.post, "/v1/features/?a=%ff", body: Self.whole).status == 400)
    }
}
