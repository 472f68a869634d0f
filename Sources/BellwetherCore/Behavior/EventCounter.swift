public import BellwetherBase
package import JEXL

/// The counts of one event in six counters: minutes, hours, days, weeks, months and years
/// (docs/reference/events.md#counters-and-intervals).
///
/// Upstream keeps six rows of buckets that rotate. All six begin at one origin, and each unit is a whole number of
/// minutes, so a bucket's number is a quotient. An event in minute `m` is in unit `m / unit` of each counter, and its
/// bucket is `unit(reached) - unit(m)` units old. One sparse list of minutes therefore represents all six rows. Minutes
/// that no counter distinguishes any more are merged, so the list stays short: an event that happens every day has one
/// tally a day.
///
/// Time is counted in whole minutes since the origin. It never goes back: a clock that is set back changes nothing.
public struct EventCounter: Sendable, Hashable {
    /// 1 January 00:00:00 UTC of the year of the first record, in minutes since 1970.
    let origin: Int64
    /// The latest minute to which the counters were advanced.
    private(set) var reached: Int64
    /// The number of buckets of each counter, empty ones included, by `EventInterval.ordinal`. It grows with time, and
    /// when an event from before the origin is recorded.
    private(set) var lengths: Lengths
    /// The tallies, newest first. Each minute occurs once, and no count is 0.
    private(set) var tallies: [Tally]
    /// The time of the newest event, while a tally is kept (docs/reference/events.md#order-in-time). Neither an
    /// earlier event nor a clock that was set back changes it.
    private(set) var newest: Timestamp?

    typealias Lengths = SIMD8<UInt8>

    struct Tally: Sendable, Hashable {
        let minute: Int64
        /// The count stays at its maximum instead of overflowing.
        var count: UInt64
    }

    /// Creates counters that begin with the year of `now`. Each has one empty bucket before it is advanced to `now`.
    public init(createdAt now: Timestamp) {
        let day = CivilDate(daysSinceEpoch: now.seconds.floored(by: Timestamp.secondsPerDay))
        self.init(origin: CivilDate(year: day.year, month: 1, day: 1).daysSinceEpoch * 1440)
        advance(to: now)
    }

    init(origin: Int64) {
        self.origin = origin
        reached = 0
        lengths = Lengths(repeating: 1)
        tallies = []
    }

    /// Creates a counter from stored parts, which must be consistent. The time of the newest event is the beginning of
    /// its minute.
    init(origin: Int64, reached: Int64, lengths: Lengths, tallies: [Tally]) {
        self.origin = origin
        self.reached = reached
        self.lengths = lengths
        self.tallies = tallies
        newest = newestMinute
    }

    /// Counts into the current bucket of all six counters. If the clock was set back, the current bucket is the latest
    /// one that was reached.
    public mutating func record(count: UInt64, at now: Timestamp) {
        advance(to: now)
        add(count, at: reached)
        noteTime(now, count)
    }

    /// Counts into the buckets of an instant in the past. As upstream does, an instant exactly at the beginning of a
    /// bucket counts for the bucket before it. Returns false and counts nothing if the instant is later than now.
    public mutating func recordPast(count: UInt64, at then: Timestamp, now: Timestamp) -> Bool {
        guard then <= now else { return false }
        advance(to: now)
        let minute = then.milliseconds.ceiled(by: 60_000) - 1 - origin
        for interval in EventInterval.allCases {
            let age = self.age(of: minute, in: interval)
            guard age < interval.capacity else { continue }
            lengths[interval.ordinal] = max(lengths[interval.ordinal], UInt8(age + 1))
        }
        add(count, at: minute)
        noteTime(then, count)
        return true
    }

    private mutating func noteTime(_ time: Timestamp, _ count: UInt64) {
        if count > 0, !tallies.isEmpty { newest = newest.map { max($0, time) } ?? time }
    }

    /// Rotates the counters by arithmetic, so the cost does not depend on the elapsed time.
    private mutating func advance(to now: Timestamp) {
        let minute = position(at: now)
        guard minute > reached else { return }
        for interval in EventInterval.allCases {
            lengths[interval.ordinal] = UInt8(length(of: interval, at: minute))
        }
        reached = minute
        while let oldest = tallies.last, !isVisible(oldest.minute) { tallies.removeLast() }
        if tallies.isEmpty { newest = nil }
    }

    private mutating func add(_ count: UInt64, at minute: Int64) {
        guard count > 0 else { return }
        let index = tallies.firstIndex { $0.minute <= minute } ?? tallies.count
        if index < tallies.count, tallies[index].minute == minute {
            tallies[index].add(count)
        } else {
            tallies.insert(Tally(minute: minute, count: count), at: index)
            compact()
        }
    }

    /// Drops minutes that no counter contains any more, and merges minutes that no counter distinguishes.
    private mutating func compact() {
        var kept: [Tally] = []
        for tally in tallies {
            guard isVisible(tally.minute) else { break }
            if let newer = kept.last, !areDistinct(newer.minute, tally.minute) {
                kept[kept.count - 1].add(tally.count)
            } else {
                kept.append(tally)
            }
        }
        tallies = kept
    }

    private func isVisible(_ minute: Int64) -> Bool {
        EventInterval.allCases.contains { age(of: minute, in: $0) < $0.capacity }
    }

    /// Whether some counter still contains the newer minute, and has the two minutes in different buckets.
    private func areDistinct(_ newer: Int64, _ older: Int64) -> Bool {
        EventInterval.allCases.contains { interval in
            let age = self.age(of: newer, in: interval)
            return age < interval.capacity && age != self.age(of: older, in: interval)
        }
    }

    /// The age, in units, of the bucket that contains a minute; 0 is the current bucket.
    private func age(of minute: Int64, in interval: EventInterval) -> Int64 {
        reached.floored(by: interval.unit) - minute.floored(by: interval.unit)
    }
}

extension EventCounter {
    /// The number of minutes since the origin, at least `reached`.
    func position(at now: Timestamp) -> Int64 { max(reached, now.milliseconds.floored(by: 60_000) - origin) }

    /// The age of the bucket of days that contains a moment in the past.
    func days(since then: Timestamp, at now: Timestamp) -> Int64 {
        let minute = then.milliseconds.ceiled(by: 60_000) - 1 - origin
        return position(at: now).floored(by: EventInterval.days.unit) - minute.floored(by: EventInterval.days.unit)
    }

    /// The number of buckets of a counter at a position, which is at least `reached`.
    func length(of interval: EventInterval, at position: Int64) -> Int64 {
        let rotations = position.floored(by: interval.unit) - reached.floored(by: interval.unit)
        return min(interval.capacity, Int64(lengths[interval.ordinal]) + min(rotations, interval.capacity))
    }
}

/// The stored form of the newest time. It is separate from the counter's own form, which earlier versions read, too.
extension EventCounter {
    /// The beginning of the minute of the newest event.
    private var newestMinute: Timestamp? {
        tallies.first.map { Timestamp(milliseconds: (origin &+ $0.minute).multipliedSaturating(by: 60_000)) }
    }

    /// A number that differs for counters with other events.
    var digest: UInt64 {
        tallies.reduce(UInt64(bitPattern: origin &+ reached)) {
            $0 &* 31 &+ UInt64(bitPattern: $1.minute) &* 17 &+ $1.count
        }
    }

    /// The number in two bytes for a time that is not in the newest minute.
    private static let elsewhere: UInt64 = 0xFFFF

    /// Writes the milliseconds from the beginning of the newest minute, in two bytes. They are up to 60,000, because
    /// the end of a minute in the past counts for it. After a clock was set back they may be any number.
    func packNewest(into writer: inout PackedWriter) {
        let offset = (newest?.milliseconds ?? 0) &- (newestMinute?.milliseconds ?? 0)
        guard (0...60_000).contains(offset) else {
            writer.fixed16(Self.elsewhere)
            return writer.signed(offset)
        }
        writer.fixed16(UInt64(offset))
    }

    /// Reads the time of the newest event. Returns false for bytes that `packNewest` does not write.
    mutating func readNewest(from reader: inout PackedReader) -> Bool {
        guard let short = reader.fixed16() else { return false }
        guard let offset = short == Self.elsewhere ? reader.signed() : Int64(short) else { return false }
        newest = newestMinute.map { Timestamp(milliseconds: $0.milliseconds &+ offset) }
        return newest != nil || offset == 0
    }
}

extension EventCounter {
    /// The stored minutes, newest first, each with the number of events that are counted for it.
    public var kept: [(minute: Timestamp, count: UInt64)] {
        tallies.map { (Timestamp(seconds: (origin &+ $0.minute).multipliedSaturating(by: 60)), $0.count) }
    }
}

extension EventCounter.Tally {
    fileprivate mutating func add(_ more: UInt64) {
        let (sum, overflow) = count.addingReportingOverflow(more)
        count = overflow ? .max : sum
    }
}

/// The six resolutions at which events are counted (docs/reference/events.md#counters-and-intervals).
extension EventInterval {
    /// The number of minutes in one bucket. A month always has 28 days and a year 365.
    var unit: Int64 {
        switch self {
        case .minutes: 1
        case .hours: 60
        case .days: 1440
        case .weeks: 7 * 1440
        case .months: 28 * 1440
        case .years: 365 * 1440
        }
    }

    /// The maximum number of buckets, the current one included.
    package var capacity: Int64 {
        switch self {
        case .minutes: 60
        case .hours: 72
        case .days: 56
        case .weeks: 52
        case .months: 12
        case .years: 4
        }
    }

    /// The index of this interval in lists of all six intervals.
    var ordinal: Int {
        switch self {
        case .minutes: 0
        case .hours: 1
        case .days: 2
        case .weeks: 3
        case .months: 4
        case .years: 5
        }
    }
}
