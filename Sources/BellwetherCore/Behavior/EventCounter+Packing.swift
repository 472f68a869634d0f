internal import BellwetherBase
import JEXL

extension EventCounter {
    /// The bit above the six bits of the lengths. In a table it is set if the origin is the same as the previous
    /// counter's.
    private static let sharesOrigin: UInt64 = 64

    /// Writes the year, the minutes reached, the lengths that do not follow from the time alone, and the tallies with
    /// the distances between them. A counter of one event that happened once takes eight bytes. In a table the year
    /// stands after the mask of lengths. It is written only if the origin differs from `neighbour`, the previous
    /// counter's origin.
    func pack(into writer: inout PackedWriter, after neighbour: Int64? = nil) {
        let grown = EventInterval.allCases.filter {
            Int64(lengths[$0.ordinal]) != Self.length(of: $0, reached: reached)
        }
        let mask: UInt64 = grown.reduce(0) { $0 | 1 << UInt64($1.ordinal) }
        if writer.isForTable {
            let isAlike = origin == neighbour
            writer.unsigned(isAlike ? mask | Self.sharesOrigin : mask)
            if !isAlike { writer.signed(year) }
            writer.unsigned(reached.magnitude)
        } else {
            writer.signed(year)
            writer.unsigned(reached.magnitude)
            writer.unsigned(mask)
        }
        for interval in grown { writer.unsigned(UInt64(lengths[interval.ordinal])) }
        writer.unsigned(UInt64(tallies.count))
        var minute = reached
        for tally in tallies {
            writer.unsigned((minute - tally.minute).magnitude)
            writer.unsigned(tally.count)
            minute = tally.minute
        }
    }

    private var year: Int64 { CivilDate(daysSinceEpoch: origin.floored(by: 1440)).year }

    /// Reads a counter; nil for bytes that `pack` does not write.
    init?(from reader: inout PackedReader, after neighbour: Int64? = nil) {
        guard let (origin, reached, mask) = Self.head(from: &reader, after: neighbour) else { return nil }
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
        self.init(origin: origin, reached: reached, lengths: lengths, tallies: tallies)
    }

    private static func head(
        from reader: inout PackedReader, after neighbour: Int64?
    ) -> (origin: Int64, reached: Int64, mask: UInt64)? {
        guard reader.isFromTable else {
            guard let origin = origin(from: &reader), let reached = reached(from: &reader),
                let mask = reader.unsigned(in: 0...63)
            else { return nil }
            return (origin, reached, mask)
        }
        guard let head = reader.unsigned(in: 0...127),
            let origin = head & sharesOrigin == 0 ? origin(from: &reader) : neighbour,
            let reached = reached(from: &reader)
        else { return nil }
        return (origin, reached, head & 63)
    }

    /// Reads an origin. Years outside of the range of `Timestamp` would overflow.
    private static func origin(from reader: inout PackedReader) -> Int64? {
        guard let year = reader.signed(in: -300_000_000...300_000_000) else { return nil }
        return CivilDate(year: year, month: 1, day: 1).daysSinceEpoch * 1440
    }

    private static func reached(from reader: inout PackedReader) -> Int64? {
        reader.unsigned(in: 0...1 << 49).map { Int64($0) }
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

    /// The lengths by `EventInterval.ordinal`, written one by one because each division is then by a constant.
    private static func lengths(reached: Int64) -> Lengths {
        Lengths(
            UInt8(length(of: .minutes, reached: reached)), UInt8(length(of: .hours, reached: reached)),
            UInt8(length(of: .days, reached: reached)), UInt8(length(of: .weeks, reached: reached)),
            UInt8(length(of: .months, reached: reached)), UInt8(length(of: .years, reached: reached)), 1, 1)
    }

    /// The number of buckets of a counter that has no record from before its origin.
    @inline(__always)
    private static func length(of interval: EventInterval, reached: Int64) -> Int64 {
        min(interval.capacity, 1 + reached.floored(by: interval.unit))
    }
}
