internal import BellwetherJSON

/// The enrollment hashes of one client, each worked out once: recipes share namespaces, and SHA-256 is most of what an
/// evolution costs.
public struct BucketHashes: Sendable {
    private struct Key: Hashable {
        let id: ByteKey
        let namespace: ByteKey
    }

    private var known: [Key: UInt64] = [:]

    public init() {}

    /// How many hashes were worked out.
    public var count: Int { known.count }

    public mutating func enrollment(id: String, namespace: String) -> UInt64 {
        let key = Key(id: ByteKey(text: id), namespace: ByteKey(text: namespace))
        if let hash = known[key] { return hash }
        let hash = Bucketing.enrollmentHash(id: id, namespace: namespace)
        known[key] = hash
        return hash
    }
}
