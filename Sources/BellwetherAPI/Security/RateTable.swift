internal import Synchronization

/// Token buckets of very many askers in memory of a fixed size, shared by all workers without a lock.
///
/// A bucket is one number: the time at which it will be full again (the generic cell rate algorithm, ITU-T I.371: the
/// theoretical arrival time). Each asker has four places, which it shares with few others: a new one takes the place of
/// the bucket that is full first, of which nothing is lost if it is full already. Two workers that give one place away
/// at the same moment may let a request too many through: a limit on load, not an account.
final class RateTable: Sendable {
    private static let ways = 4

    /// Buckets that lie together: 64 bytes, and found by one look.
    private final class Row: Sendable {
        let keys = InlineArray<4, Atomic<UInt64>> { _ in Atomic(0) }
        /// Nanoseconds of the clock.
        let times = InlineArray<4, Atomic<Int64>> { _ in Atomic(0) }

        /// The place of a key, which is given to it if it has none.
        func place(of key: UInt64) -> Int {
            var emptiest = 0
            var earliest = Int64.max
            for place in 0..<RateTable.ways {
                if keys[place].load(ordering: .relaxed) == key { return place }
                let time = times[place].load(ordering: .relaxed)
                if time < earliest { (emptiest, earliest) = (place, time) }
            }
            times[emptiest].store(0, ordering: .relaxed)
            keys[emptiest].store(key, ordering: .relaxed)
            return emptiest
        }
    }

    private let rows: [Row]

    /// `capacity`: buckets, a power of two.
    init(capacity: Int) { rows = (0..<max(capacity / Self.ways, 1)).map { _ in Row() } }

    /// Takes one request out of the bucket. 0: it was in it; else the nanoseconds until it would be.
    ///
    /// A bucket that would be full later than any can be was filled by a clock that has been set back since, or under
    /// other settings: it is full now.
    ///
    /// - Parameter isTaken: false: nothing is taken.
    func take(_ key: UInt64, at now: Int64, _ rate: RateSettings.Rate, isTaken: Bool = true) -> Int64 {
        let interval = rate.interval
        let tolerance = interval * Int64(max(rate.burst, 1) - 1)
        // 0 is the key of an empty place.
        let key = max(key, 1)
        let row = rows[Int(truncatingIfNeeded: key >> 2) & (rows.count - 1)]
        let place = row.place(of: key)
        var known = row.times[place].load(ordering: .relaxed)
        while true {
            let isPossible = known > now && known - now <= tolerance + interval
            let time = isPossible ? known : now
            guard time - now <= tolerance else { return time - now - tolerance }
            guard isTaken else { return 0 }
            let (isExchanged, other) = row.times[place].compareExchange(
                expected: known, desired: time + interval, ordering: .relaxed)
            if isExchanged { return 0 }
            known = other
        }
    }
}

/// The tables of the process, each made when a limit is first set: a daemon without limits has none.
final class RateLimits: Sendable {
    /// Some 2 MB each.
    private static let capacity = 65_536

    private let tables = Mutex<[RateSubject: RateTable]>([:])

    func table(of subject: RateSubject) -> RateTable {
        tables.withLock { tables in
            if let table = tables[subject] { return table }
            let table = RateTable(capacity: Self.capacity)
            tables[subject] = table
            return table
        }
    }
}
