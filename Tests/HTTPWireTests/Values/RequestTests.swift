import HTTPWire
import Testing

struct RequestTests {
    private func text(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test(arguments: KnownHeader.allCases)
    func `Every known field is found under its name in any case`(_ header: KnownHeader) throws {
        let value =
            switch header {
            case .contentLength: "0"
            case .transferEncoding: "chunked"
            case .expect: "100-continue"
            default: "value"
            }
        for name in ["\(header.name)", "\(header.name)".uppercased()] {
            let request = try Request(.get, "/", headers: [(name: name, value: value)])
            #expect(text(request.header(header)) == value)
            #expect(text(request.header(named: name)) == value)
            for other in KnownHeader.allCases where other != header && other != .host {
                #expect(request.header(other) == nil)
            }
        }
    }

    @Test func `Names that differ from a known one in a letter are not taken for it`() throws {
        for header in KnownHeader.allCases {
            var name = Array("\(header.name)".utf8)
            for place in name.indices {
                name[place] ^= 1
                let request = try? Request(
                    .get, "/", headers: [(name: String(decoding: name, as: UTF8.self), value: "v"), ("Host", "h")])
                if let request, header != .host { #expect(request.header(header) == nil) }
                name[place] ^= 1
            }
        }
    }

    @Test func `List fields in several lines are one list`() throws {
        let request = try Request(
            .get, "/",
            headers: [("If-None-Match", "\"a\""), ("X-Other", "1"), ("if-none-match", "\"b\""), ("X-other", "2")])
        #expect(text(request.header(.ifNoneMatch)) == "\"a\", \"b\"")
        #expect(text(request.header(named: "X-OTHER")) == "1, 2")
        #expect(request.isRepeated(.ifNoneMatch) && !request.isRepeated(.ifMatch))
        #expect(request.header(named: "X-Othe") == nil)
        #expect(request.header(.ifMatch) == nil)
    }

    @Test func `An empty value is there`() throws {
        let request = try Request(.get, "/", headers: [("Origin", "")])
        #expect(text(request.header(.origin)) == "")
    }

    @Test func `Path, query and content are what was sent`() throws {
        let request = try Request(.post, "/a%2Fb?c=d", body: [1, 2])
        #expect(text(request.path) == "/a%2Fb")
        #expect(text(request.query) == "c=d")
        #expect(Array(request.body) == [1, 2])
        #expect(!request.isHTTP10)
        #expect(try Request(.get, "/").query == nil)
        #expect(throws: WireFault.target) { try Request(.get, "/ä") }
    }

    @Test func `A detached request says the same from its own bytes`() {
        let first = "GET /first HTTP/1.1\r\nHost: a\r\n\r\n"
        let second = "POST /second?q HTTP/1.1\r\nHost: a\r\nX: y\r\nContent-Length: 3\r\n\r\nabcGET"
        var buffer = ReceiveBuffer(Array((first + second).utf8))
        var parser = RequestParser()
        _ = parser.next(&buffer)
        _ = parser.next(&buffer)
        #expect(throws: Never.self) { try parser.admit(bodyLimit: 3, &buffer) }
        guard case .request(let request) = parser.next(&buffer) else { return #expect(Bool(false)) }
        let detached = request.detached
        for one in [request, detached] {
            #expect(text(one.path) == "/second")
            #expect(text(one.query) == "q")
            #expect(text(one.header(named: "x")) == "y")
            #expect(text(one.header(.contentLength)) == "3")
            #expect(text(one.body) == "abc")
        }
        #expect(detached.path.startIndex < request.path.startIndex)
    }

    @Test(
        arguments: [
            (PeerAddress.ipv4(0xc000_0201, port: 80), "192.0.2.1"), (.unknown, ""),
            (.ipv6(0, 1, port: 80), "::1"), (.ipv6(0, 0, port: 80), "::"),
            (.ipv6(0x2001_0db8_0000_0000, 1, port: 80), "2001:db8::1"),
            (.ipv6(0x2001_0db8_0000_0001, 0x0001_0001_0001_0001, port: 80), "2001:db8:0:1:1:1:1:1"),
            (.ipv6(0x2001_0000_0000_0001, 0x0000_0000_0000_0001, port: 80), "2001:0:0:1::1"),
            (.ipv6(0x0001_0002_0003_0004, 0x0005_0006_0007_0000, port: 80), "1:2:3:4:5:6:7:0"),
            (.ipv6(0, 0xffff_7f00_0001, port: 80), "::ffff:127.0.0.1"),
        ])
    func `Addresses are written as RFC 5952 does`(_ address: PeerAddress, _ text: String) {
        #expect(address.text == text)
    }
}
