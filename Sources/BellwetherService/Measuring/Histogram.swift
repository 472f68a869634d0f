/// The numbers of observations between bounds, and their sum. It is a value, and has no lock.
public struct Histogram: Sendable, Hashable {
    /// The bounds in ascending order. An observation belongs to the first bound that is not below it.
    public let bounds: [Double]
    /// One count for each bound, and a last one for larger observations. The counts are not cumulative.
    public private(set) var counts: [Int]
    public private(set) var sum: Double

    public init(bounds: [Double]) {
        self.init(bounds: bounds, counts: Array(repeating: 0, count: bounds.count + 1), sum: 0)
    }

    /// A histogram with given counts: one for each bound, and one for larger observations.
    public init(bounds: [Double], counts: [Int], sum: Double) {
        precondition(counts.count == bounds.count + 1, "a histogram has a count for each bound and one for the rest")
        self.bounds = bounds
        self.counts = counts
        self.sum = sum
    }

    public var count: Int { counts.reduce(0, +) }

    public mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
