public import BellwetherBase
import JEXL

/// How often one event happened, as six counters see it: minutes, hours, days, weeks, months, years
/// (docs/reference/events.md#counters-and-intervals).
///
/// Upstream keeps six rows of buckets that rotate. All six begin at one origin, and each of their units is whole
/// minutes, so a bucket is a quotient: what happened in minute `m` lies, in each counter, in unit `m / unit`, and is
/// `unit(reached) - unit(m)` buckets old. One sparse list of minutes is therefore all six rows at once. Minutes that no
/// counter distinguishes any more are merged, so the list stays short: for an event a day, one tally a day.
///
/// Time is counted in whole minutes since the origin, and only ever forward: a clock that goes back changes nothing.
public struct EventCounter: Sendable, Hashable {
    /// 1 January 00:00:00 UTC of the year of the first record, in minutes since 1970.
    let origin: Int64
    /// The latest minute to which the counters were advanced.
    private(set) var reached: Int64
    /// How many buckets each counter has, empty ones included, by `EventInterval.ordinal`. Grows with time, and when
    /// something is recorded of before the origin.
    private(set) var lengths: Lengths
    /// Newest first, each minute once, none empty.
    private(set) var tallies: [Tally]

    typealias Lengths = SIMD8<UInt8>

    struct Tally: Sendable, Hashable {
        let minute: Int64
        /// Stays at its maximum rather than overflow.
        var count: UInt64
    }

    /// Counters that begin with the year, with one empty bucket each before they are advanced to now.
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

    /// Takes stored parts, which must fit together.
    init(origin: Int64, reached: Int64, lengths: Lengths, tallies: [Tally]) {
        self.origin = origin
        self.reached = reached
        self.lengths = lengths
        self.tallies = tallies
    }

    /// Counts into the current bucket of all six. Where the clock went back, that is the bucket already reached.
    public mutating func record(count: UInt64, at now: Timestamp) {
        advance(to: now)
        add(count, at: reached)
    }

    /// Counts into the buckets of an instant in the past, as upstream does: an instant exactly at the beginning of a
    /// bucket counts for the one before. False, and nothing happens, if the instant is later than now.
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
        return true
    }

    /// Rotates by arithmetic, however much time has passed.
    private mutating func advance(to now: Timestamp) {
        let minute = position(at: now)
        guard minute > reached else { return }
        for interval in EventInterval.allCases {
            lengths[interval.ordinal] = UInt8(length(of: interval, at: minute))
        }
        reached = minute
        while let oldest = tallies.last, !isVisible(oldest.minute) { tallies.removeLast() }
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

    /// Drops minutes that no counter counts any more, and merges those that none distinguishes.
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

    /// Whether some counter has the two in different buckets and still keeps the newer one's.
    private func areDistinct(_ newer: Int64, _ older: Int64) -> Bool {
        EventInterval.allCases.contains { interval in
            let age = self.age(of: newer, in: interval)
            return age < interval.capacity && age != self.age(of: older, in: interval)
        }
    }

    /// The bucket in which a minute lies now; 0 is the current one.
    private func age(of minute: Int64, in interval: EventInterval) -> Int64 {
        reached.floored(by: interval.unit) - minute.floored(by: interval.unit)
    }
}

extension EventCounter {
    /// Minutes since the origin, never before what was reached.
    func position(at now: Timestamp) -> Int64 { max(reached, now.milliseconds.floored(by: 60_000) - origin) }

    /// How many buckets a counter has at a position, which is not before what was reached.
    func length(of interval: EventInterval, at position: Int64) -> Int64 {
        let rotations = position.floored(by: interval.unit) - reached.floored(by: interval.unit)
        return min(interval.capacity, Int64(lengths[interval.ordinal]) + min(rotations, interval.capacity))
    }
}

extension EventCounter {
    /// The minutes that are kept, newest first: how often the event happened up to a minute.
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
