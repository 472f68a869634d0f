import BellwetherBase
import BellwetherCore
import JEXL

/// The event store exactly as in docs/reference/events.md#counters-and-intervals, with every bucket in its row. It is
/// slow, but easy to compare with the text. The sparse counters are checked against it.
struct DenseCounters {
    private(set) var rows: [EventInterval: Row]

    struct Row {
        let unit: Int64
        let capacity: Int
        var start: Int64
        var buckets: [UInt64] = [0]

        mutating func advance(to now: Int64) {
            let rotations = (now - start) / unit
            guard rotations > 0 else { return }
            start += rotations * unit
            let zeros = [UInt64](repeating: 0, count: Int(min(rotations, Int64(capacity))))
            buckets = Array((zeros + buckets).prefix(capacity))
        }

        mutating func increment(_ bucket: Int, by count: UInt64) {
            guard bucket < capacity else { return }
            while buckets.count <= bucket { buckets.append(0) }
            buckets[bucket] += count
        }

        mutating func increment(at then: Int64, by count: UInt64) -> Bool {
            let units = (start - then) / unit
            if units < 0 { return false }
            increment(units == 0 ? (start < then ? 0 : 1) : Int(min(1 + units, 1_000_000)), by: count)
            return true
        }
    }

    private static let shapes: [EventInterval: (minutes: Int64, capacity: Int)] = [
        .minutes: (1, 60), .hours: (60, 72), .days: (1440, 56), .weeks: (10_080, 52), .months: (40_320, 12),
        .years: (525_600, 4),
    ]

    init(startingAt start: Timestamp) {
        rows = Self.shapes.mapValues {
            Row(unit: $0.minutes * 60_000, capacity: $0.capacity, start: start.milliseconds)
        }
    }

    mutating func record(count: UInt64, at now: Timestamp) {
        for interval in EventInterval.allCases {
            rows[interval]?.advance(to: now.milliseconds)
            rows[interval]?.increment(0, by: count)
        }
    }

    mutating func recordPast(count: UInt64, at then: Timestamp, now: Timestamp) -> Bool {
        EventInterval.allCases.reduce(true) { isFine, interval in
            rows[interval]?.advance(to: now.milliseconds)
            return rows[interval]?.increment(at: then.milliseconds, by: count) == true && isFine
        }
    }

    /// Advances the rows permanently, as upstream's queries do.
    mutating func result(of query: EventQuery, at now: Timestamp) -> Double {
        guard case .buckets(let interval, let count, let start) = query.scope else { return .nan }
        rows[interval]?.advance(to: now.milliseconds)
        let buckets = rows[interval]?.buckets ?? []
        guard start < buckets.count else {
            return query.kind == .eventLastSeen ? .greatestFiniteMagnitude : 0
        }
        let rest = buckets[start...]
        let asked = rest.prefix(count)
        let sum = Double(asked.reduce(0, +))
        let nonZero = Double(asked.count { $0 > 0 })
        switch query.kind {
        case .eventSum: return sum
        case .eventCountNonZero: return nonZero
        case .eventAveragePerInterval: return sum / Double(count)
        case .eventAveragePerNonZeroInterval: return nonZero == 0 ? 0 : sum / nonZero
        case .eventLastSeen:
            return rest.firstIndex { $0 > 0 }.map { Double($0 - start) } ?? .greatestFiniteMagnitude
        case .eventAgo, .eventAfter: return .nan
        }
    }
}
