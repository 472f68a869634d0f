public import HTTPWire

/// The addresses to which requests may go (docs/reference/webhooks.md#addresses): the addresses of the public Internet,
/// and the networks that the operator names.
public struct AddressRules: Sendable, Hashable {
    /// The IPv4 ranges that do not belong to the public Internet (IANA's registry of special-purpose addresses).
    private static let refusedIPv4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { try? AddressBlock($0) }

    /// All unicast addresses that were ever allocated. Loopback, unique local, link-local, IPv4-mapped, multicast and
    /// NAT64 addresses are outside this range.
    private static let publicIPv6 = ["2000::/3"].compactMap { try? AddressBlock($0) }

    /// The refused ranges: Teredo and other protocols, documentation, 6to4.
    private static let refusedIPv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap {
        try? AddressBlock($0)
    }

    private let allowed: [AddressBlock]

    /// - Parameter allowed: Networks that are not public, but that requests may go to.
    public init(allowing allowed: [AddressBlock] = []) { self.allowed = allowed }

    public func allow(_ address: PeerAddress) -> Bool {
        if allowed.contains(where: { $0.contains(address) }) { return true }
        switch address {
        case .unknown: return false
        case .ipv4: return !Self.refusedIPv4.contains { $0.contains(address) }
        case .ipv6:
            // A mapped address counts as IPv4 in a block, and as IPv6 here.
            guard address.canonical == address else { return false }
            return Self.publicIPv6.contains { $0.contains(address) }
                && !Self.refusedIPv6.contains { $0.contains(address) }
        }
    }
}
