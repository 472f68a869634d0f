import HTTPWire
import Testing
import Webhooks

/// The addresses that webhooks may be sent to.
@Suite struct AddressRulesTests {
    private func address(_ text: String) throws -> PeerAddress {
        try #require(PeerAddress(text: Array(text.utf8)[...]))
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
        "172.32.0.0", "192.0.1.0", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111",
        "2003::1",
        "2a00:1450::8",
    ])
    func publicAddressesAreAllowed(_ text: String) throws { #expect(AddressRules().allow(try address(text))) }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.170", "192.0.2.1", "192.88.99.1",
        "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250",
        "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8",
        "::ffff:0:8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:10::1", "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::", "2002:808:808::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1",
        "5f00::1",
    ])
    func otherAddressesAreRefused(_ text: String) throws { #expect(!AddressRules().allow(try address(text))) }

    @Test func theOperatorsNetworksAreAllowedAndNothingElse() throws {
        let rules = AddressRules(allowing: [try AddressBlock("10.1.0.0/16"), try AddressBlock("fd00::/8")])
        #expect(try rules.allow(address("10.1.2.3")) && rules.allow(address("fd00::1")))
        #expect(rules.allow(try address("::ffff:10.1.2.3")), "a mapped address counts as IPv4 in a network")
        #expect(try !rules.allow(address("10.2.0.1")) && !rules.allow(address("fc00::1")))
        #expect(try !rules.allow(.unknown) && rules.allow(address("8.8.8.8")))
    }
}
