internal import BellwetherCore
internal import BellwetherService

/// What recent polls were answered, so that a client that asks again before anything could have changed costs no
/// evaluation (architecture.md 2, "A poll's cost"). Belongs to one thread and one snapshot.
///
/// A decision is the same as long as the client's state has the same version, its context is the same, and no counter
/// that it read has rotated. Each client has four places, which it shares with few others: when they are taken, the oldest
/// decision goes.
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
    /// A power of two.
    private static let ways = 4

    /// `bound` is a power of two.
    init(bound: Int) { self.bound = bound }

    func removeAll() {
        entries = []
        count = 0
    }

    /// A clock that was set back makes no decision hold before it was made.
    func delivery(_ key: Key, at now: Timestamp) -> Delivery? {
        guard key.context != 0, !entries.isEmpty else { return nil }
        for place in places(of: key) {
            guard let entry = entries[place], entry.key == key else { continue }
            return entry.made <= now && now < entry.end ? entry.delivery : nil
        }
        return nil
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
        let places = places(of: entry.key)
        let own = places.first { entries[$0]?.key.isOfSameAsker(as: entry.key) ?? false }
        let place = own ?? places.first { entries[$0] == nil } ?? oldest(of: places)
        if entries[place] == nil { count += 1 }
        entries[place] = entry
    }

    private func oldest(of places: Range<Int>) -> Int {
        places.min { left, right in
            guard let left = entries[left], let right = entries[right] else { return false }
            return left.made < right.made
        } ?? places.lowerBound
    }

    private func places(of key: Key) -> Range<Int> {
        let hash = key.client ^ Int(truncatingIfNeeded: key.context)
        let first = hash & (entries.count - 1) & ~(Self.ways - 1)
        return first..<(first + Self.ways)
    }
}

extension RememberedDeliveries.Key {
    /// The same client in the same context: an older decision of its is of no use any more.
    fileprivate func isOfSameAsker(as other: Self) -> Bool { client == other.client && context == other.context }
}
