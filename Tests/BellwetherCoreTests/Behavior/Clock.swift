import BellwetherBase
internal import BellwetherJSON
import JEXL

@testable import BellwetherCore

/// An instant written in a test.
func instant(_ text: String) -> Timestamp {
    guard let instant = Timestamp(rfc3339: text) else { preconditionFailure("\(text) is no instant") }
    return instant
}

extension EventQuery.Kind {
    /// The queries of buckets.
    static let counting = allCases.filter { !$0.isBoolean }
}

extension BehaviorHistory {
    func holdsUntil(_ query: EventQuery, at now: Timestamp) -> Timestamp { value(to: query, at: now).end }

    /// The bytes of the counters, and of the newest times.
    var packed: [[UInt8]] {
        [PackedWriter](repeating: PackedWriter(), count: 2).enumerated().map { index, writer in
            var writer = writer
            if index == 0 { encode(into: &writer) } else { encodeTimes(into: &writer) }
            return writer.bytes
        }
    }

    /// The history of such bytes.
    init?(packed: [[UInt8]]) {
        var (counters, times) = (PackedReader(packed[0]), PackedReader(packed[1]))
        self.init(from: &counters)
        guard decodeTimes(from: &times), counters.isAtEnd, times.isAtEnd else { return nil }
    }

    /// All buckets of a counter that exist, the current one first.
    func buckets(_ name: String, _ interval: EventInterval, at now: Timestamp) -> [Double] {
        var buckets: [Double] = []
        func ask(_ kind: EventQuery.Kind, _ count: Int) -> Double {
            result(
                of: .init(event: Identifier(name), kind: kind, interval: interval, count: count, start: buckets.count),
                at: now)
        }
        // The average over no interval is 0/0 for an existing bucket, and 0 for a missing one.
        while ask(.eventAveragePerInterval, 0).isNaN { buckets.append(ask(.eventSum, 1)) }
        return buckets
    }

    func lastSeen(_ name: String, _ interval: EventInterval, from start: Int = 0, at now: Timestamp) -> Double {
        result(
            of: .init(event: Identifier(name), kind: .eventLastSeen, interval: interval, count: 0, start: start),
            at: now)
    }

    func sum(_ name: String, _ interval: EventInterval, _ count: Int, from start: Int = 0, at now: Timestamp) -> Double
    {
        result(
            of: .init(event: Identifier(name), kind: .eventSum, interval: interval, count: count, start: start), at: now
        )
    }
}

/// The result of `eventLastSeen` for an event that was never seen.
let never = Double.greatestFiniteMagnitude
