import HTTPWire
import Testing

/// RFC 9112 5 and RFC 9110 5, and inputs that libevent's evhttp accepts.
struct FieldTests {
    static let cases: [WireCase] = [
        .field("no further field", "X: y", "GET /"),
        .field("empty value", "X:", "GET /"),
        .field("blanks around the value", "X: \t y \t", "GET /"),
        .field("tab inside the value", "X: a\tb", "GET /"),
        .field("bytes beyond ASCII in the value", "X: é", "GET /"),
        .field("colon in the value", "X: a:b", "GET /"),
        .field("space before the colon", "Content-Length : 3", "400 field_name"),
        .field("tab before the colon", "X\t: y", "400 field_name"),
        .field("empty name", ": y", "400 field_name"),
        .field("space in the name", "X Y: z", "400 field_name"),
        .field("control byte in the name", "X\u{01}: z", "400 field_name"),
        .field("DEL in the name", "X\u{7f}: z", "400 field_name"),
        .field("byte beyond ASCII in the name", "Xé: z", "400 field_name"),
        .field("bracket in the name", "X[0]: z", "400 field_name"),
        .field("no colon", "X", "400 field_line"),
        .field("NUL in the value", "X: a\0b", "400 field_value"),
        .field("BEL in the value", "X: a\u{07}b", "400 field_value"),
        .field("ESC in the value", "X: \u{1b}[2J", "400 field_value"),
        .field("DEL in the value", "X: a\u{7f}", "400 field_value"),
        .field("CR in the value", "X: a\rb", "400 field_value"),
        .field("CR at the end of the value", "X: a\r", "400 field_value"),
        .field("folded with a space", "X: a\r\n b", "400 folding"),
        .field("folded with a tab", "X: a\r\n\tb", "400 folding"),
        WireCase("folded first line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400 folding"),
        WireCase("no Host", "GET / HTTP/1.1\r\n\r\n", "400 host"),
        WireCase("no Host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET /"),
        WireCase("no Host with an absolute target", "GET http://a/ HTTP/1.1\r\n\r\n", "400 host"),
        WireCase("empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET /"),
        WireCase("Host in capitals with a port", "GET / HTTP/1.1\r\nHOST: A.EXAMPLE:80\r\n\r\n", "GET /"),
        WireCase("IPv6 Host", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET /"),
        .field("two Hosts", "Host: b", "400 duplicate_field"),
        .field("two equal Hosts", "host: a", "400 duplicate_field"),
        WireCase("two Hosts in one", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", "400 host"),
        WireCase("Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 host"),
        WireCase("Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", "400 host"),
        WireCase("Host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400 host"),
        .field("two Authorizations", "Authorization: Bearer a\r\nAuthorization: Bearer b", "400 duplicate_field"),
        .field("two Content-Types", "Content-Type: a/b\r\ncontent-type: c/d", "400 duplicate_field"),
        .field("two Idempotency-Keys", "Idempotency-Key: a\r\nIdempotency-Key: a", "400 duplicate_field"),
        .field("a list in two lines", "If-None-Match: \"a\"\r\nIf-None-Match: \"b\"", "GET /"),
        .field("an unknown field twice", "X: a\r\nX: b", "GET /"),
        .field("two traceparents", "traceparent: a\r\nTraceparent: a", "GET /"),
        .field("expectation without content", "Expect: 100-continue", "GET /"),
        .field("expectation in capitals", "Expect: 100-CONTINUE", "GET /"),
        .field("another expectation", "Expect: 200-ok", "417 expectation"),
        .field("two expectations", "Expect: 100-continue\r\nExpect: 100-continue", "400 duplicate_field"),
        WireCase("an expectation in HTTP/1.0", "GET / HTTP/1.0\r\nExpect: tea\r\n\r\n", "GET /"),
    ]

    @Test(arguments: cases, Transcript.Feeding.allCases)
    func field(_ wire: WireCase, _ feeding: Transcript.Feeding) {
        #expect(Transcript(wire.bytes, feeding).lines == wire.expected)
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: CLOSE\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo , Close,bar\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo\r\nConnection: close\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection:,,\r\n\r\n", true),
            ("GET / HTTP/1.0\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true),
            ("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", false),
        ])
    func persistence(_ text: String, _ keepsAlive: Bool) throws {
        var buffer = ReceiveBuffer(Array(text.utf8))
        var parser = RequestParser()
        guard case .request(let request) = parser.next(&buffer) else { throw WireFault.requestLine }
        #expect(ResponseContext(request).keepsAlive == keepsAlive)
    }
}
