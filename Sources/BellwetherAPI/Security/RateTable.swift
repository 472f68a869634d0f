internal import Synchronization

/// Token buckets of very many clients in a fixed amount of memory, shared by all workers.
///
/// A bucket is one number: the time at which it will be full again. This is the theoretical arrival time of the generic
/// cell rate algorithm (ITU-T I.371). Each client has four slots, which it shares with few others. A new client
/// replaces the bucket that is full first; if that bucket is already full, no information is lost. Each four slots have
/// a lock, which is held for some nanoseconds.
final class RateTable: Sendable {
    /// Four buckets with adjacent memory: 64 bytes.
    private struct Row {
        var keys: InlineArray<4, UInt64> = InlineArray(repeating: 0)
        /// The times, in the clock's nanoseconds.
        var times: InlineArray<4, Int64> = InlineArray(repeating: 0)

        func slot(of key: UInt64) -> Int? { keys.indices.first { keys[$0] == key } }

        /// The slot of a key. A key without a slot gets one.
        mutating func takeSlot(of key: UInt64) -> Int {
            if let slot = slot(of: key) { return slot }
            var emptiest = 0
            for slot in times.indices where times[slot] < times[emptiest] { emptiest = slot }
            (keys[emptiest], times[emptiest]) = (key, 0)
            return emptiest
        }
    }

    private final class LockedRow: Sendable {
        let row = Mutex(Row())
    }

    /// The maximum time by which a request may have read the clock earlier than others, in nanoseconds.
    private static let disorder: Int64 = 10_000_000_000

    private let rows: [LockedRow]

    /// `capacity` is the number of buckets, a power of two.
    init(capacity: Int) { rows = (0..<max(capacity / 4, 1)).map { _ in LockedRow() } }

    /// Takes one request from the bucket. Returns 0 on success; else the nanoseconds until a request is available.
    ///
    /// A bucket may have a time that is later than its rate allows. Then the clock was set back, or the settings
    /// changed, and the bucket counts as full. Workers read the clock before this call, in any order.
    func take(_ key: UInt64, at now: Int64, _ rate: RateSettings.Rate) -> Int64 {
        let tolerance = rate.interval * Int64(max(rate.burst, 1) - 1)
        return access(key) { row in
            let slot = row.takeSlot(of: Self.stored(key))
            let known = row.times[slot]
            let isPossible = known > now && known - now <= tolerance + rate.interval + Self.disorder
            let time = isPossible ? known : now
            guard time - now <= tolerance else { return time - now - tolerance }
            row.times[slot] = time + rate.interval
            return 0
        }
    }

    /// Returns a request to its bucket. Does nothing if another client now has the bucket's slot.
    func giveBack(_ key: UInt64, _ rate: RateSettings.Rate) {
        access(key) { row in
            guard let slot = row.slot(of: Self.stored(key)) else { return }
            row.times[slot] -= rate.interval
        }
    }

    private func access<Value: Sendable>(_ key: UInt64, _ body: (inout sending Row) -> Value) -> Value {
        rows[Int(truncatingIfNeeded: Self.stored(key) >> 2) & (rows.count - 1)].row.withLock { body(&$0) }
    }

    /// The stored form of a key: 0 is the key of an empty slot.
    private static func stored(_ key: UInt64) -> UInt64 { max(key, 1) }
}

/// The tables of the process. Each is made when its limit is first set: a daemon without limits has no tables.
final class RateLimits: Sendable {
    /// The number of buckets. A table has about 2 MB. The table of sign-ins exists in every daemon, so it is smaller.
    private static func capacity(_ subject: RateSubject) -> Int { subject == .signIns ? 4096 : 65_536 }

    private let tables = Mutex<[RateSubject: RateTable]>([:])

    func table(of subject: RateSubject) -> RateTable {
        tables.withLock { tables in
            if let table = tables[subject] { return table }
            let table = RateTable(capacity: Self.capacity(subject))
            tables[subject] = table
            return table
        }
    }
}
