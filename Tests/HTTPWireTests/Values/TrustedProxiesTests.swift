import HTTPWire
import Testing

/// The client's address of a request, if anyone can write the fields that contain it.
struct TrustedProxiesTests {
    private static let blocks = ["10.0.0.0/8", "2001:db8:f::/48"]
    private static let proxy = "10.0.0.1"

    /// The client of a request from `peer` with these lines of one field.
    private func client(
        _ lines: [String], from peer: String = proxy, field: TrustedProxies.Field = .xForwardedFor,
        blocks: [String] = blocks, sent: String? = nil
    ) throws -> String {
        var request = try Request(.get, "/", headers: lines.map { (name: sent ?? field.rawValue, value: $0) })
        request.peer = try #require(PeerAddress(text: Array(peer.utf8)[...]))
        return TrustedProxies(try blocks.map { (text) throws in try AddressBlock(text) }, field: field)
            .client(of: request).text
    }

    @Test(
        arguments: [
            ([], proxy), (["203.0.113.9"], "203.0.113.9"), (["6.6.6.6, 203.0.113.9"], "203.0.113.9"),
            (["6.6.6.6", "203.0.113.9"], "203.0.113.9"), (["203.0.113.9, 10.0.0.7"], "203.0.113.9"),
            (["203.0.113.9", "10.0.0.7, 10.0.0.8"], "203.0.113.9"), (["10.0.0.9"], "10.0.0.9"),
            (["10.0.0.9, 10.0.0.8"], "10.0.0.9"), (["2001:db8::9"], "2001:db8::9"),
            (["2001:db8::9, 2001:db8:f::1"], "2001:db8::9"), (["[2001:db8::9]"], "2001:db8::9"),
            (["[2001:db8::9]:4711"], "2001:db8::9"), (["203.0.113.9:4711"], "203.0.113.9"),
            (["::ffff:203.0.113.9"], "203.0.113.9"), (["203.0.113.9, ::ffff:10.0.0.7"], "203.0.113.9"),
            ([" \t203.0.113.9\t "], "203.0.113.9"), (["6.6.6.6,203.0.113.9,10.0.0.2"], "203.0.113.9"),
        ] as [([String], String)])
    func `The rightmost address that is no proxy's is the client`(_ lines: [String], _ expected: String) throws {
        #expect(try client(lines) == expected)
    }

    /// The result is the nearest proxy that has a valid address.
    @Test(
        arguments: [
            ([""], proxy), ([","], proxy), (["unknown"], proxy), (["6.6.6.6, unknown"], proxy),
            (["6.6.6.6, unknown, 10.0.0.7"], "10.0.0.7"), (["6.6.6.6,,10.0.0.7"], "10.0.0.7"),
            (["203.0.113.9 6.6.6.6"], proxy), (["203.0.113.9;6.6.6.6"], proxy), (["203.0.113.999"], proxy),
            (["203.0.113.9:"], proxy), (["203.0.113.9:port"], proxy), (["203.0.113.9:123456"], proxy),
            (["[203.0.113.9]"], proxy), (["[2001:db8::9"], proxy), (["[2001:db8::9]x"], proxy), (["[]"], proxy),
            (["2001:db8::9%eth0"], proxy), (["localhost"], proxy), (["\"203.0.113.9\""], proxy),
            (["203.0.113.9\u{e9}"], proxy), (["0x0a000001"], proxy), (["6.6.6.6, 010.0.0.7"], proxy),
        ] as [([String], String)])
    func `What cannot be read ends the walk`(_ lines: [String], _ expected: String) throws {
        #expect(try client(lines) == expected)
    }

    @Test func `Nobody else is believed`() throws {
        #expect(try client(["203.0.113.9"], from: "11.0.0.1") == "11.0.0.1")
        #expect(try client(["10.0.0.7"], from: "203.0.113.9") == "203.0.113.9")
        #expect(try client(["203.0.113.9"], blocks: []) == Self.proxy)
        #expect(try client(["203.0.113.9"], from: "2001:db8:f::2") == "203.0.113.9")
        #expect(try client(["203.0.113.9"], from: "2001:db8:e::2") == "2001:db8:e::2")
    }

    /// A proxy that writes one of the fields forwards the other as the client sent it.
    @Test func `The other field is not looked at`() throws {
        #expect(try client(["for=6.6.6.6"], sent: "Forwarded") == Self.proxy)
        #expect(try client(["6.6.6.6"], field: .forwarded, sent: "X-Forwarded-For") == Self.proxy)
        #expect(try client(["6.6.6.6"], sent: "X-Forwarded-For-") == Self.proxy)
        #expect(try client(["6.6.6.6"], sent: "X-Real-IP") == Self.proxy)
    }

    @Test(
        arguments: [
            (["for=203.0.113.9"], "203.0.113.9"), (["For=203.0.113.9;proto=https;by=10.0.0.1"], "203.0.113.9"),
            (["proto=https; for=203.0.113.9"], "203.0.113.9"), (["for=6.6.6.6, for=203.0.113.9"], "203.0.113.9"),
            (["for=6.6.6.6", "for=203.0.113.9"], "203.0.113.9"), (["for=\"[2001:db8::9]:4711\""], "2001:db8::9"),
            (["for=\"[2001:db8::9]\", for=10.0.0.7"], "2001:db8::9"), (["for=\"203.0.113.9:80\""], "203.0.113.9"),
            (["for=203.0.113.9:80"], "203.0.113.9"), (["for=\"20\\3.0.113.9\""], "203.0.113.9"),
            (["for=6.6.6.6;ext=\"a,b;for=7.7.7.7\", for=203.0.113.9"], "203.0.113.9"),
        ] as [([String], String)])
    func `Forwarded is read as RFC 7239 has it`(_ lines: [String], _ expected: String) throws {
        #expect(try client(lines, field: .forwarded) == expected)
    }

    /// The text of a client must not hide or replace the text that the proxy appends.
    @Test(
        arguments: [
            [""], ["for"], ["for="], ["=203.0.113.9"], ["for=unknown"], ["for=_secret"], ["for=203.0.113.9,"],
            [",for=203.0.113.9"], ["for=203.0.113.9;"], ["for=203.0.113.9;;proto=http"],
            ["for=6.6.6.6;for=203.0.113.9"],
            ["for=6.6.6.6;FOR=6.6.6.6"], ["for=\"6.6.6.6"], ["for=6.6.6.6;a=\"", "for=203.0.113.9"],
            ["for=6.6.6.6;a=\"", "for=\"[2001:db8::9]:1\""], ["for=6.6.6.6;a=\"\\", "for=\"[2001:db8::9]:1\""],
            ["for=6.6.6.6\\", "for=203.0.113.9"], ["for=\"6.6.6.6\"x"], ["for = 6.6.6.6"], ["for=6.6.6.6 7.7.7.7"],
            ["for=2001:db8::9", "proto=http"], ["for=6.6.6.6, proto=http"], ["for=\"6.6.6.6\\"],
        ] as [[String]])
    func `A Forwarded that is not whole is not believed`(_ lines: [String]) throws {
        #expect(try client(lines, field: .forwarded) == Self.proxy)
    }

    @Test func `A long list costs no more than a short one`() throws {
        let trusted = repeatElement("10.0.0.7", count: 1000).joined(separator: ",")
        #expect(try client(["203.0.113.9," + trusted]) == "10.0.0.7")
        let near = repeatElement("10.0.0.7", count: 31).joined(separator: ",")
        #expect(try client([trusted + ",203.0.113.9," + near]) == "203.0.113.9")
    }
}
