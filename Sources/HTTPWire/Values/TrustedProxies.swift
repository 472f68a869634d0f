/// The proxies that may report a client's address (setting `http.trusted_proxies`), and the field in which they report
/// it. A client can send this field too. Therefore addresses are read from the right, up to the first one that is not a
/// proxy's, and the rest is ignored. If the connection is not a proxy's, the field is ignored.
public struct TrustedProxies: Sendable, Hashable {
    /// Only one of the fields is used. A proxy that writes one of them forwards a client's value of the other
    /// unchanged.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        case xForwardedFor = "X-Forwarded-For"
        /// RFC 7239.
        case forwarded = "Forwarded"
    }

    /// The maximum number of addresses that are read.
    private static let hops = 32

    private let blocks: [AddressBlock]
    /// Whether the peers of a socket of the file system are proxies; they have no address.
    private let trustsLocal: Bool
    private let field: Field

    /// Creates the list. Without proxies the field is never read, and the client is the peer of the connection.
    public init(_ blocks: [AddressBlock] = [], trustsLocal: Bool = false, field: Field = .xForwardedFor) {
        self.blocks = blocks
        self.trustsLocal = trustsLocal
        self.field = field
    }

    /// The client of the request: the rightmost address that is no trusted proxy's. If it cannot be read, or if there
    /// is none, it is the outermost proxy that is known.
    public func client(of request: Request) -> PeerAddress {
        guard isTrusted(request.peer) else { return request.peer }
        return client(behind: request.peer, addresses(request))
    }

    public func isTrusted(_ address: PeerAddress) -> Bool {
        address == .unknown ? trustsLocal : blocks.contains { $0.contains(address) }
    }

    private func client(behind peer: PeerAddress, _ addresses: [PeerAddress?]) -> PeerAddress {
        var nearest = peer.canonical
        for address in addresses.reversed() {
            guard let address = address?.canonical else { return nearest }
            guard isTrusted(address) else { return address }
            nearest = address
        }
        return nearest
    }

    /// The last addresses of the field, from left to right; nil for an address that cannot be read.
    private func addresses(_ request: Request) -> [PeerAddress?] {
        switch field {
        case .xForwardedFor:
            guard let list = request.header(.xForwardedFor) else { return [] }
            let items = list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            return items.suffix(Self.hops).map { Self.address($0.trimmed) }
        case .forwarded:
            guard let list = request.header(named: field.rawValue) else { return [] }
            return ForwardedField.nodes(list).suffix(Self.hops).map { $0.flatMap { Self.address($0[...]) } }
        }
    }

    /// Reads a node as proxies write it: an address, with an optional port after it. An IPv6 address with a port is in
    /// brackets.
    private static func address(_ node: ArraySlice<UInt8>) -> PeerAddress? {
        let colon = UInt8(ascii: ":")
        if node.first == UInt8(ascii: "[") {
            guard let end = node.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let behind = node[(end + 1)...]
            guard behind.isEmpty || (behind.first == colon && isPort(behind.dropFirst())) else { return nil }
            guard case .ipv6(let high, let low, _)? = PeerAddress(text: node[(node.startIndex + 1)..<end]) else {
                return nil
            }
            return .ipv6(high, low, port: 0)
        }
        if let separator = node.firstIndex(of: colon), separator == node.lastIndex(of: colon) {
            guard isPort(node[(separator + 1)...]) else { return nil }
            return PeerAddress(text: node[..<separator])
        }
        return PeerAddress(text: node)
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        (1...5).contains(text.count) && text.allSatisfy(\.isDigit)
    }
}
