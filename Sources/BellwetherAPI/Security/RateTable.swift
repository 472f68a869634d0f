internal import Synchronization

/// Token buckets of very many clients in memory of a fixed size, shared by all workers.
///
/// A bucket is one number: the time at which it will be full again (the generic cell rate algorithm, ITU-T I.371: the
/// theoretical arrival time). Each client has four slots, which it shares with few others: a new one replaces
/// the bucket that is full first, of which nothing is lost if it is full already. Each four slots have a lock, which
/// is held for some nanoseconds.
final class RateTable: Sendable {
    /// Buckets that lie together: 64 bytes.
    private struct Row {
        var keys: InlineArray<4, UInt64> = InlineArray(repeating: 0)
        /// Nanoseconds of the clock.
        var times: InlineArray<4, Int64> = InlineArray(repeating: 0)

        func slot(of key: UInt64) -> Int? { keys.indices.first { keys[$0] == key } }

        /// The slot of a key, which is given to it if it has none.
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

    /// How much earlier than others a request may have read the clock, in nanoseconds.
    private static let disorder: Int64 = 10_000_000_000

    private let rows: [LockedRow]

    /// `capacity`: buckets, a power of two.
    init(capacity: Int) { rows = (0..<max(capacity / 4, 1)).map { _ in LockedRow() } }

    /// Takes one request out of the bucket. 0: it was in it; else the nanoseconds until it would be.
    ///
    /// A bucket that would be full much later than any can be was filled by a clock that has been set back since, or
    /// under other settings: it is full now. Workers read the clock before they come here, in any order.
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

    /// Puts one request back that was taken. A bucket whose slot another client has by now has lost nothing by it.
    func giveBack(_ key: UInt64, _ rate: RateSettings.Rate) {
        access(key) { row in
            guard let slot = row.slot(of: Self.stored(key)) else { return }
            row.times[slot] -= rate.interval
        }
    }

    private func access<Value: Sendable>(_ key: UInt64, _ body: (inout sending Row) -> Value) -> Value {
        rows[Int(truncatingIfNeeded: Self.stored(key) >> 2) & (rows.count - 1)].row.withLock { body(&$0) }
    }

    /// 0 is the key of an empty slot.
    private static func stored(_ key: UInt64) -> UInt64 { max(key, 1) }
}

/// The tables of the process, each made when a limit is first set: a daemon without limits has none.
final class RateLimits: Sendable {
    /// Some 2 MB each; who fails to sign in is limited everywhere, and by a smaller one.
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
