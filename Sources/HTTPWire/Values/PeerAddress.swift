/// The network address of a client, stored as numbers. Its text is created on demand.
public enum PeerAddress: Sendable, Hashable {
    case unknown
    /// An IPv4 address in host byte order.
    case ipv4(UInt32, port: UInt16)
    /// An IPv6 address in host byte order, high half first.
    case ipv6(UInt64, UInt64, port: UInt16)

    /// The address without the port: `192.0.2.1`, or RFC 5952's form of an IPv6 address; empty for `unknown`.
    public var text: String {
        switch self {
        case .unknown: ""
        case .ipv4(let address, _):
            "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
        case .ipv6(0, let low, _) where low >> 32 == 0xffff:
            "::ffff:" + PeerAddress.ipv4(UInt32(truncatingIfNeeded: low), port: 0).text
        case .ipv6(let high, let low, _): Self.text(groups: Self.groups(high) + Self.groups(low))
        }
    }

    private static func groups(_ half: UInt64) -> [UInt16] {
        [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) }
    }

    /// The text of an IPv6 address. The longest run of at least two zero groups becomes `::`. If several are equally
    /// long, it is the first one.
    private static func text(groups: [UInt16]) -> String {
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        let hex = { (run: ArraySlice<UInt16>) in run.map { String($0, radix: 16) }.joined(separator: ":") }
        guard longest.count > 1 else { return hex(groups[...]) }
        return hex(groups[..<longest.lowerBound]) + "::" + hex(groups[longest.upperBound...])
    }
}
