import BellwetherJSON
import HTTPWire
import Testing

struct ResponseEncoderTests {
    /// The response to a request with these header lines, as text with visible line ends.
    private func encode(
        _ response: Response, _ method: HTTPMethod = .get, _ headers: [(name: String, value: String)] = [],
        adjust: (inout ResponseContext) -> Void = { _ in }
    ) throws -> String {
        var encoder = ResponseEncoder(idPrefix: 0xab)
        encoder.setTime(784_111_777)
        var context = ResponseContext(try Request(method, "/", headers: headers))
        adjust(&context)
        var output: [UInt8] = []
        encoder.encode(response, context, to: &output)
        return String(decoding: output, as: UTF8.self).replacing("\r\n", with: "|")
    }

    private let common = "Date: Sun, 06 Nov 1994 08:49:37 GMT|X-Request-Id: 00000000-0000-7000-8000-000000000000|"

    @Test func `An answer has date, request id, its own fields and its length`() throws {
        var response = Response(200, body: .bytes(Array("hello".utf8)))
        response.add("Content-Type", "text/plain")
        #expect(
            try encode(response) == "HTTP/1.1 200 OK|\(common)Content-Type: text/plain|Content-Length: 5||hello")
    }

    @Test func `Pieces are sent one after the other`() throws {
        let response = Response(201, body: .pieces([Array("ab".utf8), [], Array("c".utf8)]))
        #expect(try encode(response) == "HTTP/1.1 201 Created|\(common)Content-Length: 3||abc")
    }

    @Test func `HEAD gets the same head and no content`() throws {
        let response = Response(200, body: .bytes([1, 2, 3]))
        #expect(try encode(response, .head) == "HTTP/1.1 200 OK|\(common)Content-Length: 3||")
    }

    @Test(arguments: [(204, "204 No Content"), (304, "304 Not Modified")])
    func `Answers without content have no length`(_ status: Int, _ line: String) throws {
        let response = Response(status, body: .bytes([1]))
        #expect(try encode(response) == "HTTP/1.1 \(line)|\(common)|")
    }

    @Test func `An empty answer has length 0`() throws {
        #expect(try encode(Response(404)) == "HTTP/1.1 404 Not Found|\(common)Content-Length: 0||")
    }

    @Test func `A connection that ends says so`() throws {
        let text = try encode(Response(200), .get, [("Connection", "close")])
        #expect(text == "HTTP/1.1 200 OK|\(common)Connection: close|Content-Length: 0||")
        #expect(try encode(Response(200)) { $0.keepsAlive = false } == text)
    }

    @Test func `Keeping an HTTP/1.0 connection is said, too`() throws {
        var buffer = ReceiveBuffer(Array("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".utf8))
        var parser = RequestParser()
        guard case .request(let request) = parser.next(&buffer) else { throw WireFault.requestLine }
        var output: [UInt8] = []
        ResponseEncoder(idPrefix: 0).encode(Response(200), ResponseContext(request), to: &output)
        #expect(String(decoding: output, as: UTF8.self).contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test(
        arguments: [
            ("abc-1.2_Z", true), (String(repeating: "a", count: 128), true),
            (String(repeating: "a", count: 129), false),
            ("a b", false), ("a/b", false), ("\"a\"", false), ("é", false), ("", false),
        ])
    func `A sane request id of the client is sent back`(_ identifier: String, _ isSane: Bool) throws {
        let text = try encode(Response(200), .get, [("X-Request-Id", identifier)])
        #expect(text.contains("|X-Request-Id: \(identifier)|") == isSane)
        #expect(text.contains("|X-Request-Id: 00000000-0000-7000-8000-000000000000|") == !isSane)
        let request = try Request(.get, "/", headers: [("X-Request-Id", identifier)])
        #expect((request.identifier == identifier) == isSane)
    }

    @Test func `Ids made here are UUIDv7 of the second, the prefix and a count`() {
        var encoder = ResponseEncoder(idPrefix: 0x0123_4567_89AB_CDEF)
        // The encoder also works before its time is set.
        #expect(encoder.makeID().text.hasPrefix("00000000-0000-7"))
        encoder.setTime(1_645_557_742)
        #expect(encoder.makeID().text == "017f22e2-79b0-759e-89ab-cdef00000002")
        #expect(encoder.makeID().text == "017f22e2-79b0-759e-89ab-cdef00000003")
        let last = RequestID(milliseconds: .max, prefix: .max, serial: .max)
        #expect(last.text == "ffffffff-ffff-7fff-bfff-ffffffffffff")
    }

    @Test(arguments: [0, 99, 100, 101, 199, 600, -1])
    func `A status that is no final one becomes 500`(_ status: Int) throws {
        #expect(try encode(Response(status, body: .bytes([1]))).hasPrefix("HTTP/1.1 500 Internal Server Error|"))
    }

    @Test func `A value cannot start another field`() throws {
        var response = Response(200)
        response.add("Location", "/a\r\nSet-Cookie: b\0")
        #expect(try encode(response).contains("|Location: /aSet-Cookie: b|"))
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func `Dates are written as RFC 9110 does`(_ seconds: Int64, _ text: String) {
        #expect(HTTPDate.text(seconds: seconds) == text)
    }
}
