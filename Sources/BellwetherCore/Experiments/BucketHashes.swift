internal import BellwetherJSON

/// The enrollment hashes of one client, each worked out once: recipes share namespaces, and SHA-256 is most of what an
/// evolution costs.
public struct BucketHashes: Sendable {
    /// By the client's id, of which it has two at most, then by namespace.
    private var known: [(id: String, hashes: [ByteKey: UInt64])] = []

    public init() {}

    /// How many hashes were worked out.
    public var count: Int { known.reduce(0) { $0 + $1.hashes.count } }

    public mutating func enrollment(id: String, namespace: String) -> UInt64 {
        let key = ByteKey(text: namespace)
        let own = known.firstIndex { $0.id.hasSameBytes(as: id) } ?? known.count
        if own == known.count { known.append((id, [:])) }
        if let hash = known[own].hashes[key] { return hash }
        let hash = Bucketing.enrollmentHash(id: id, namespace: namespace)
        known[own].hashes[key] = hash
        return hash
    }
}
