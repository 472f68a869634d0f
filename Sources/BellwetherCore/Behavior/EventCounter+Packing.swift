import JEXL

extension EventCounter {
    /// In bytes: the year, the minutes reached, the lengths that time alone does not explain, and the tallies with the
    /// distances between them. One event seen once takes eight.
    func pack(into writer: inout PackedWriter) {
        writer.signed(CivilDate(daysSinceEpoch: origin.floored(by: 1440)).year)
        writer.unsigned(reached.magnitude)
        let grown = EventInterval.allCases.filter {
            Int64(lengths[$0.ordinal]) != Self.length(of: $0, reached: reached)
        }
        writer.unsigned(grown.reduce(0) { $0 | 1 << UInt64($1.ordinal) })
        for interval in grown { writer.unsigned(UInt64(lengths[interval.ordinal])) }
        writer.unsigned(UInt64(tallies.count))
        var minute = reached
        for tally in tallies {
            writer.unsigned((minute - tally.minute).magnitude)
            writer.unsigned(tally.count)
            minute = tally.minute
        }
    }

    /// Nil for what `pack` does not write.
    init?(from reader: inout PackedReader) {
        // Years and minutes beyond those of any `Timestamp` would overflow.
        guard let year = reader.signed(in: -300_000_000...300_000_000),
            let minutes = reader.unsigned(in: 0...1 << 49), let mask = reader.unsigned(in: 0...63)
        else { return nil }
        let reached = Int64(minutes)
        var lengths = Self.lengths(reached: reached)
        if mask != 0 {
            for interval in EventInterval.allCases where mask >> UInt64(interval.ordinal) & 1 == 1 {
                let length = Int64(lengths[interval.ordinal])
                guard length < interval.capacity,
                    let grown = reader.unsigned(in: UInt64(length + 1)...UInt64(interval.capacity))
                else { return nil }
                lengths[interval.ordinal] = UInt8(grown)
            }
        }
        guard let tallies = Self.tallies(from: &reader, reached: reached) else { return nil }
        let origin = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch * 1440
        self.init(origin: origin, reached: reached, lengths: lengths, tallies: tallies)
    }

    private static func tallies(from reader: inout PackedReader, reached: Int64) -> [Tally]? {
        guard let count = reader.count() else { return nil }
        var tallies: [Tally] = []
        tallies.reserveCapacity(count)
        var minute = reached
        let farthest = UInt64(EventInterval.years.unit * (EventInterval.years.capacity + 1))
        for index in 0..<count {
            guard let distance = reader.unsigned(in: (index == 0 ? 0 : 1)...farthest),
                let count = reader.unsigned(in: 1...UInt64.max)
            else { return nil }
            minute -= Int64(distance)
            tallies.append(Tally(minute: minute, count: count))
        }
        return tallies
    }

    /// By `EventInterval.ordinal`, spelled out so that each division is by a constant.
    private static func lengths(reached: Int64) -> Lengths {
        Lengths(
            UInt8(length(of: .minutes, reached: reached)), UInt8(length(of: .hours, reached: reached)),
            UInt8(length(of: .days, reached: reached)), UInt8(length(of: .weeks, reached: reached)),
            UInt8(length(of: .months, reached: reached)), UInt8(length(of: .years, reached: reached)), 1, 1)
    }

    /// How many buckets a counter has if nothing was recorded of before its origin.
    @inline(__always)
    private static func length(of interval: EventInterval, reached: Int64) -> Int64 {
        min(interval.capacity, 1 + reached.floored(by: interval.unit))
    }
}
