/// Durations, counted in buckets whose width is 1/64 of their values, like HdrHistogram. The tail of a million samples
/// then needs only a few kilobytes, and every sample is counted.
struct Histogram {
    /// The number of buckets for each power of two.
    private static let fineness: Int64 = 64
    private var counts = [Int](repeating: 0, count: 58 * 64 + 64)
    private(set) var count = 0
    /// The longest duration, in nanoseconds.
    private(set) var maximum: Int64 = 0

    mutating func record(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        counts[Self.index(of: value)] += 1
        count += 1
        maximum = max(maximum, value)
    }

    /// Adds the counts of another histogram.
    mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The duration in milliseconds that this share of all samples does not exceed; 0 if there are no samples.
    func milliseconds(at share: Double) -> Double {
        let rank = Int((share * Double(count)).rounded(.up))
        var passed = 0
        for (index, count) in counts.enumerated() where count > 0 {
            passed += count
            if passed >= rank { return Double(min(Self.end(of: index), maximum)) / 1_000_000 }
        }
        return 0
    }

    /// The bucket of a value. Each value below 128 has its own bucket.
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
