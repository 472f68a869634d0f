public import BellwetherBase
public import JEXL

extension EventCounter {
    /// The result of a query of buckets, as if the counters were advanced to now.
    ///
    /// An average over no interval is 0/0, which is NaN; JEXL turns it into null.
    func result(
        of kind: EventQuery.Kind, _ interval: EventInterval, count: Int, start: Int, at now: Timestamp
    ) -> Double {
        let position = position(at: now)
        let length = length(of: interval, at: position)
        let start = Int64(max(0, start))
        guard start < length else { return kind.valueOfNothing }
        let count = Int64(max(0, count))
        let isBounded = kind != .eventLastSeen && count < length - start
        let window = Window(
            interval: interval, current: position.floored(by: interval.unit), start: start,
            end: isBounded ? start + count : length)
        switch kind {
        case .eventSum: return Double(summary(of: window).sum)
        case .eventCountNonZero: return Double(summary(of: window).nonZero)
        case .eventAveragePerInterval: return Double(summary(of: window).sum) / Double(count)
        case .eventAveragePerNonZeroInterval:
            let summary = summary(of: window)
            return summary.nonZero == 0 ? 0 : Double(summary.sum) / Double(summary.nonZero)
        case .eventLastSeen:
            let newest = tallies.lazy.map { window.age(of: $0) }.first { $0 >= start }
            guard let newest, newest < length else { return kind.valueOfNothing }
            return Double(newest - start)
        case .eventAgo, .eventAfter: return kind.valueOfNothing
        }
    }

    /// The time of the newest event, while some counter still contains it.
    public func newestTime(at now: Timestamp) -> Timestamp? {
        let isKept =
            result(of: .eventLastSeen, .years, count: .max, start: 0, at: now)
            != EventQuery.Kind.eventLastSeen.valueOfNothing
        return isKept ? newest : nil
    }

    /// The time until which `result(of:at:)` holds if nothing is recorded: the next rotation of the queried counter.
    public func holdsUntil(_ interval: EventInterval, at now: Timestamp) -> Timestamp {
        let next = (position(at: now).floored(by: interval.unit) + 1) * interval.unit
        return Timestamp(milliseconds: (origin + next).multipliedSaturating(by: 60_000))
    }

    /// The buckets that a query reads: `start` ..< `end` of one counter.
    private struct Window {
        let interval: EventInterval
        let current: Int64
        let start: Int64
        let end: Int64

        func age(of tally: Tally) -> Int64 { current - tally.minute.floored(by: interval.unit) }
    }

    private func summary(of window: Window) -> (sum: UInt64, nonZero: Int) {
        var sum: UInt64 = 0
        var nonZero = 0
        var lastAge: Int64 = -1
        for tally in tallies {
            let age = window.age(of: tally)
            guard age < window.end else { break }
            guard age >= window.start else { continue }
            let (total, overflow) = sum.addingReportingOverflow(tally.count)
            sum = overflow ? .max : total
            if age != lastAge { nonZero += 1 }
            lastAge = age
        }
        return (sum, nonZero)
    }
}

extension EventQuery.Kind {
    /// Whether the result is a count or an average of counts.
    var isAmount: Bool {
        switch self {
        case .eventSum, .eventAveragePerInterval, .eventAveragePerNonZeroInterval: true
        case .eventCountNonZero, .eventLastSeen, .eventAgo, .eventAfter: false
        }
    }

    /// The result if there is no such event or bucket. For "never seen" it is above any bound: Rust's `f64::MAX`.
    var valueOfNothing: Double { self == .eventLastSeen ? .greatestFiniteMagnitude : 0 }
}
