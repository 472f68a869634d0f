import HTTPWire
import Testing

/// RFC 9112 6 and 7, and inputs that libevent's evhttp accepts. The limit on content is 1000 bytes.
struct ContentTests {
    private static func post(_ name: String, _ fields: String, _ content: String, _ expected: String...) -> WireCase {
        WireCase(name, bytes: Array("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(content)".utf8), expected)
    }

    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    static let lengths: [WireCase] = [
        post("Content-Length", "Content-Length: 3", "abc", "POST / [abc]"),
        post("zero", "Content-Length: 0", "", "POST /"),
        post("zero, then another", "Content-Length: 0", next, "POST /", "GET /next"),
        post("leading zeros", "Content-Length: 003", "abc", "POST / [abc]"),
        post("then another", "Content-Length: 3", "abc" + next, "POST / [abc]", "GET /next"),
        post("content that looks like a request", "Content-Length: 35", next + "1234", "POST / [\(next)1234]"),
        post("too little", "Content-Length: 4", "abc", "…"),
        post("GET content too", "Content-Length: 3\r\nConnection: close", "abc", "POST / [abc]"),
        post("two equal lengths", "Content-Length: 3\r\nContent-Length: 3", "abc", "400 duplicate_field"),
        post("two different lengths", "Content-Length: 3\r\nContent-Length: 4", "abcd", "400 duplicate_field"),
        post("a list of equal lengths", "Content-Length: 3, 3", "abc", "400 content_length"),
        post("plus sign", "Content-Length: +3", "abc", "400 content_length"),
        post("minus sign", "Content-Length: -1", "", "400 content_length"),
        post("trailing letters", "Content-Length: 3abc", "abc", "400 content_length"),
        post("hexadecimal", "Content-Length: 0x3", "abc", "400 content_length"),
        post("fraction", "Content-Length: 3.0", "abc", "400 content_length"),
        post("empty", "Content-Length:", "abc", "400 content_length"),
        post("space inside", "Content-Length: 1 2", "abc", "400 content_length"),
        post("2^64 + 3", "Content-Length: 18446744073709551619", "abc", "413 content_too_large"),
        post("2^63", "Content-Length: 9223372036854775808", "abc", "413 content_too_large"),
        post(
            "at the limit", "Content-Length: 1000", String(repeating: "x", count: 1000),
            "POST / [\(String(repeating: "x", count: 1000))]"),
        post("zeros in front", "Content-Length: 0000000000000000000000003", "abc", "POST / [abc]"),
        post("over the limit", "Content-Length: 1001", "", "413 content_too_large"),
        post("far over the limit", "Content-Length: 999999999999999999", "", "413 content_too_large"),
        WireCase("GET with content", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", "GET / [ab]"),
        WireCase("DELETE with content", "DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", "DELETE / [ab]"),
        WireCase("HTTP/1.0 with content", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab", "POST / [ab]"),
    ]

    static let codings: [WireCase] = [
        post("chunked in capitals", "Transfer-Encoding: CHUNKED", "0\r\n\r\n", "POST /"),
        post("length and coding", "Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n", "400 framing"),
        post("coding and length", "Transfer-Encoding: chunked\r\nContent-Length: 3", "0\r\n\r\n", "400 framing"),
        post("coding and zero length", "Transfer-Encoding: chunked\r\nContent-Length: 0", "0\r\n\r\n", "400 framing"),
        post("gzip, chunked", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n", "400 transfer_encoding"),
        post("chunked, chunked", "Transfer-Encoding: chunked, chunked", "0\r\n\r\n", "400 transfer_encoding"),
        post("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "", "400 duplicate_field"),
        post("xchunked", "Transfer-Encoding: xchunked", "0\r\n\r\n", "400 transfer_encoding"),
        post("identity", "Transfer-Encoding: identity", "", "400 transfer_encoding"),
        post("empty coding", "Transfer-Encoding:", "", "400 transfer_encoding"),
        post("chunked with parameter", "Transfer-Encoding: chunked;q=1", "", "400 transfer_encoding"),
        post("vertical tab before chunked", "Transfer-Encoding: \u{0b}chunked", "", "400 field_value"),
        WireCase(
            "chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "400 transfer_encoding"),
    ]

    static let chunks: [WireCase] = [
        .chunked("one chunk", "3\r\nabc\r\n0\r\n\r\n", "POST / [abc]"),
        .chunked("two chunks", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "POST / [abcde]"),
        .chunked("no content", "0\r\n\r\n", "POST /"),
        .chunked("several zeros", "000\r\n\r\n", "POST /"),
        .chunked("hexadecimal size", "0A\r\n0123456789\r\n0\r\n\r\n", "POST / [0123456789]"),
        .chunked("CR LF in the content", "2\r\n\r\n\r\n0\r\n\r\n", "POST / [\r\n]"),
        .chunked("then another", "1\r\na\r\n0\r\n\r\n" + next, "POST / [a]", "GET /next"),
        .chunked("extension", "3;a=b\r\nabc\r\n0;c\r\n\r\n", "POST / [abc]"),
        .chunked("extension with quotes", "1;a=\"b c\"\r\nx\r\n0\r\n\r\n", "POST / [x]"),
        .chunked("trailers", "1\r\na\r\n0\r\nX: y\r\nContent-Length: 99\r\n\r\n" + next, "POST / [a]", "GET /next"),
        .chunked("unfinished size", "3", "…"),
        .chunked("unfinished content", "3\r\nab", "…"),
        .chunked("unfinished trailers", "0\r\nX: y\r\n", "…"),
        .chunked("0x", "0x3\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("plus sign", "+3\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("minus sign", "-3\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("space before", " 3\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("space after", "3 \r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("space before the extension", "3 ;a\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("underscore", "1_0\r\n", "400 chunk"),
        .chunked("no size", "\r\nabc\r\n", "400 chunk"),
        .chunked("extension without a size", ";a\r\n", "400 chunk"),
        .chunked("letters", "xyz\r\n", "400 chunk"),
        .chunked("2^64 + 3", "10000000000000003\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("16 digits", "ffffffffffffffff\r\nabc\r\n0\r\n\r\n", "400 chunk"),
        .chunked("15 digits", "fffffffffffffff\r\nabc", "413 content_too_large"),
        .chunked("bare LF after the size", "3\nabc\r\n0\r\n\r\n", "400 line_end"),
        .chunked("bare LF after the content", "3\r\nabc\n0\r\n\r\n", "400 chunk"),
        .chunked("content longer than its size", "3\r\nabcd\r\n0\r\n\r\n", "400 chunk"),
        .chunked("CR and no LF after the content", "3\r\nabc\rX", "400 chunk"),
        .chunked("control byte in the extension", "3;\u{01}\r\nabc\r\n", "400 chunk"),
        .chunked("CR in the extension", "3;\ra\r\nabc\r\n", "400 chunk"),
        .chunked("extension too long", "3;" + String(repeating: "a", count: 300) + "\r\n", "400 chunk"),
        .chunked(
            "too many extensions", String(repeating: "1;\(String(repeating: "e", count: 200))\r\na\r\n", count: 30),
            "400 chunk"),
        .chunked("over the limit in one", "3e9\r\n", "413 content_too_large"),
        .chunked(
            "over the limit in two", "3e8\r\n\(String(repeating: "x", count: 1000))\r\n1\r\n", "413 content_too_large"),
        .chunked("folded trailer", "0\r\nX: a\r\n b\r\n\r\n", "400 folding"),
        .chunked("trailer without a name", "0\r\n: a\r\n\r\n", "400 field_name"),
        .chunked("trailer with NUL", "0\r\nX: \0\r\n\r\n", "400 field_value"),
        .chunked("too many trailers", "0\r\n" + String(repeating: "X: y\r\n", count: 120), "431 too_many_fields"),
        .chunked(
            "trailers too large",
            "0\r\n" + String(repeating: "X: \(String(repeating: "y", count: 2000))\r\n", count: 9),
            "431 head_too_large"),
    ]

    @Test(arguments: lengths + codings + chunks, Transcript.Feeding.allCases)
    func content(_ wire: WireCase, _ feeding: Transcript.Feeding) {
        #expect(Transcript(wire.bytes, feeding).lines == wire.expected)
    }

    @Test(arguments: Transcript.Feeding.allCases)
    func `An error in the middle ends a pipeline after the requests before it`(_ feeding: Transcript.Feeding) {
        let text =
            Self.next + "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
            + "GET /b HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n" + Self.next
        #expect(Transcript(Array(text.utf8), feeding).lines == ["GET /next", "POST /a [hi]", "400 field_name"])
    }

    @Test func `A client that waits is told to go on, one that has sent its content is not`() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        #expect(Transcript(Array(head.utf8), .whole).proceeds == 1)
        #expect(Transcript(Array((head + "ab").utf8), .whole).proceeds == 0)
        #expect(Transcript(Array((head + "ab").utf8), .bytes).proceeds == 1)
        #expect(Transcript(Array((head + "ab").utf8), .bytes).lines == ["POST / [ab]"])
        #expect(Transcript(Array(head.utf8), .whole, bodyLimit: 1).proceeds == 0)
        #expect(Transcript(Array(head.utf8), .whole, bodyLimit: 1).lines == ["413 content_too_large"])
        let chunked = head.replacing("Content-Length: 2", with: "Transfer-Encoding: chunked")
        #expect(Transcript(Array(chunked.utf8), .whole).proceeds == 1)
        #expect(Transcript(Array(chunked.replacing("1.1", with: "1.0").utf8), .whole).proceeds == 0)
    }
}
