import Synchronization

/// Prefixes of ids that differ from one load to the next.
enum LoadTag {
    private static let count = Atomic<Int>(0)

    static func next(_ kind: String) -> String {
        "\(kind)-\(count.add(1, ordering: .relaxed).newValue)-"
    }
}
