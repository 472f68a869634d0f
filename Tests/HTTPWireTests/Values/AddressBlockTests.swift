import HTTPWire
import Testing

struct AddressBlockTests {
    private func address(_ text: String) -> PeerAddress? { PeerAddress(text: Array(text.utf8)[...]) }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("::1", "::1"), ("1::", "1::"), ("2001:DB8::0:1", "2001:db8::1"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ])
    func `An address reads as it is written`(_ text: String, _ canonical: String) {
        #expect(address(text)?.text == canonical)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "01.2.3.4", "0x1.2.3.4", "1.2.3.4 ", "1.2..4",
        "1.2.3.-4", "4294967296", "1.2.3.4:80", ":", ":::", "::1::", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "12345::", "g::", "::1%eth0",
        "[::1]", "1.2.3.4::", "::1.2.3", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "localhost", "unknown", "_hidden",
        "1.2.3.4\0", "١.2.3.4", "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000",
    ])
    func `What is no address is not taken for one`(_ text: String) { #expect(address(text) == nil) }

    @Test(arguments: [
        ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false), ("::/0", "2001:db8::1", true),
        ("::/0", "192.0.2.1", false), ("::/0", "::ffff:192.0.2.1", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("::ffff:10.0.0.0/104", "10.255.0.1", true), ("::ffff:10.0.0.0/104", "11.0.0.1", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("fe80::/10", "febf::1", true), ("fe80::/10", "fec0::1", false), ("::1", "::1", true), ("::1", "::2", false),
        ("128.0.0.0/1", "127.255.255.255", false), ("128.0.0.0/1", "128.0.0.0", true),
    ])
    func `A block holds the addresses that begin as it does`(_ block: String, _ text: String, _ isIn: Bool) throws {
        let address = try #require(self.address(text))
        #expect(try AddressBlock(block).contains(address) == isIn)
        #expect(try !AddressBlock(block).contains(.unknown))
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/8 ", "10.0.0.1/8",
        "10.0.0.0/+8", "10/8", "::/129", "2001:db8::1/32", "::ffff:10.0.0.0/64", "proxy.example.org", "0.0.0.1/0",
        "10.0.0.0/1000000000000000000000",
    ])
    func `What is no block says why`(_ text: String) {
        #expect(throws: AddressBlock.Fault.self) { try AddressBlock(text) }
    }

    /// Compares the block with arithmetic on the bits.
    @Test func `Any length cuts where it says`() throws {
        for length in 0...32 {
            let mask = length == 0 ? UInt32(0) : ~UInt32(0) << UInt32(32 - length)
            let base = UInt32(0xC0A8_5A3C) & mask
            let block = try AddressBlock("\(PeerAddress.ipv4(base, port: 0).text)/\(length)")
            #expect(block.contains(.ipv4(base | ~mask, port: 9)))
            if length > 0 { #expect(!block.contains(.ipv4(base ^ 1 << UInt32(32 - length), port: 9))) }
        }
    }
}
