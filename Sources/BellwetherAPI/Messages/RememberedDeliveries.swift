internal import BellwetherCore
internal import BellwetherService

/// What recent polls were answered, so that a client that asks again before anything could have changed costs no
/// evaluation (architecture.md 2, "A poll's cost"). Belongs to one thread and one snapshot.
///
/// A decision is the same as long as the client's state has the same version, its context is the same, and no counter
/// that it read has rotated. The table is direct-mapped: a later client takes the place of an earlier one.
final class RememberedDeliveries {
    /// Whose decision it is: 64 bits of a hash that the process seeds stand for the client's id.
    struct Key: Hashable {
        let client: Int
        /// `PollContext.serial`; 0 is never remembered.
        let context: UInt64
        let version: UInt64
    }

    private struct Entry {
        let key: Key
        let made: Timestamp
        /// Exclusive.
        let end: Timestamp
        let delivery: Delivery
    }

    private let bound: Int
    private var entries: [Entry?] = []
    private var count = 0

    private static let initialCapacity = 1024

    /// `bound` is a power of two.
    init(bound: Int) { self.bound = bound }

    func removeAll() {
        entries = []
        count = 0
    }

    /// A clock that was set back makes no decision hold before it was made.
    func delivery(_ key: Key, at now: Timestamp) -> Delivery? {
        guard key.context != 0, !entries.isEmpty, let entry = entries[place(of: key)], entry.key == key,
            entry.made <= now, now < entry.end
        else { return nil }
        return entry.delivery
    }

    func remember(_ delivery: Delivery, for key: Key, made: Timestamp, until end: Timestamp) {
        guard key.context != 0, made < end else { return }
        if count * 2 >= entries.count, entries.count < bound { grow() }
        put(Entry(key: key, made: made, end: end, delivery: delivery))
    }

    /// The table grows with its clients, so that a daemon of few is small.
    private func grow() {
        let old = entries
        entries = Array(repeating: nil, count: max(Self.initialCapacity, old.count * 2))
        count = 0
        for case let entry? in old { put(entry) }
    }

    private func put(_ entry: Entry) {
        let place = place(of: entry.key)
        if entries[place] == nil { count += 1 }
        entries[place] = entry
    }

    private func place(of key: Key) -> Int {
        (key.client ^ Int(truncatingIfNeeded: key.context)) & (entries.count - 1)
    }
}
