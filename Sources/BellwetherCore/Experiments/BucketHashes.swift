internal import BellwetherJSON

/// The enrollment hashes of one client, each computed once an evolution: recipes share namespaces.
final class BucketHashes {
    /// By the client's id, of which it has two at most, then by namespace.
    private var known: [(id: String, hashes: [ByteKey: UInt64])] = []

    func enrollment(id: String, namespace: String) -> UInt64 {
        let key = ByteKey(text: namespace)
        let own = known.firstIndex { $0.id.hasSameBytes(as: id) } ?? known.count
        if own == known.count { known.append((id, [:])) }
        if let hash = known[own].hashes[key] { return hash }
        let hash = Bucketing.enrollmentHash(id: id, namespace: namespace)
        known[own].hashes[key] = hash
        return hash
    }
}
