/// Durations, counted in buckets that are as wide as one part in 64 of what they hold: like HdrHistogram, so that the
/// tail of a million answers costs a few kilobytes and no sample is left out.
struct Histogram {
    /// Buckets for each power of two.
    private static let fineness: Int64 = 64
    private var counts = [Int](repeating: 0, count: 58 * 64 + 64)
    private(set) var count = 0
    /// Nanoseconds.
    private(set) var maximum: Int64 = 0

    mutating func record(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        counts[Self.index(of: value)] += 1
        count += 1
        maximum = max(maximum, value)
    }

    /// Counts what another has counted too.
    mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The milliseconds within which this share of all lies; 0 when there are none.
    func milliseconds(at share: Double) -> Double {
        let rank = Int((share * Double(count)).rounded(.up))
        var passed = 0
        for (index, count) in counts.enumerated() where count > 0 {
            passed += count
            if passed >= rank { return Double(min(Self.end(of: index), maximum)) / 1_000_000 }
        }
        return 0
    }

    /// Values below 128 have a bucket each.
    private static func index(of value: Int64) -> Int {
        let shift = max(0, Int64(57 - value.leadingZeroBitCount))
        return Int(shift * fineness + value >> shift)
    }

    /// The highest value of a bucket.
    private static func end(of index: Int) -> Int64 {
        let shift = max(0, Int64(index) / fineness - 1)
        return (Int64(index) - shift * fineness + 1) << shift &- 1
    }
}
