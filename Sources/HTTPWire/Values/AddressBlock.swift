/// A block of addresses that begin with the same bits: `192.0.2.0/24`, `2001:db8::/32` (RFC 4632 3.1), or one address.
///
/// IPv4 and IPv6 are separate: `::/0` contains no IPv4 address. An IPv4-mapped IPv6 address counts as IPv4.
public struct AddressBlock: Sendable, Hashable {
    private let isIPv4: Bool
    /// The address, from its highest bit.
    private let bits: UInt128
    private let length: Int

    /// The reason why a text is no block.
    public struct Fault: Error, Sendable, Hashable {
        public let reason: String
    }

    public init(_ text: String) throws(Fault) {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let given = PeerAddress(text: first) else {
            throw Fault(reason: "it is neither an address nor ADDRESS/BITS, such as 192.0.2.0/24")
        }
        let address = given.canonical
        guard let (isIPv4, bits) = Self.bits(of: address) else { throw Fault(reason: "it is no address") }
        let width = isIPv4 ? 32 : 128
        // The prefix of an IPv4-mapped IPv6 address is counted from the first bit of the IPv6 address.
        let offset = address == given ? 0 : 96
        var length = width
        if parts.count == 2 {
            guard let number = Self.number(parts[1]), (offset...(offset + width)).contains(number) else {
                throw Fault(reason: "the number of bits after the slash is from \(offset) to \(offset + width)")
            }
            length = number - offset
        }
        guard length == 128 || bits << length == 0 else {
            throw Fault(reason: "its address has bits beyond the first \(length + offset)")
        }
        (self.isIPv4, self.bits, self.length) = (isIPv4, bits, length)
    }

    public func contains(_ address: PeerAddress) -> Bool {
        guard let (isIPv4, bits) = Self.bits(of: address.canonical), isIPv4 == self.isIPv4 else { return false }
        return length == 0 || (bits ^ self.bits) >> (128 - length) == 0
    }

    private static func bits(of address: PeerAddress) -> (isIPv4: Bool, bits: UInt128)? {
        switch address {
        case .unknown: nil
        case .ipv4(let address, _): (true, UInt128(address) << 96)
        case .ipv6(let high, let low, _): (false, UInt128(high) << 64 | UInt128(low))
        }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...3).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
