/// How many observations fell between bounds, and their sum. A value: whoever shares it guards it.
public struct Histogram: Sendable, Hashable {
    /// Ascending; an observation belongs to the first bound that is not below it.
    public let bounds: [Double]
    /// One for each bound, and a last one for what is beyond them all. Each counts its own, not those below.
    public private(set) var counts: [Int]
    public private(set) var sum: Double

    public init(bounds: [Double]) {
        self.init(bounds: bounds, counts: Array(repeating: 0, count: bounds.count + 1), sum: 0)
    }

    /// Takes counts that were made elsewhere: one more than there are bounds.
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
