/// A share of all clients, estimated from a sample of contexts and shown in whole percents.
///
/// The share has two ends, because attributes do not decide everything: `low` counts unknown as false, `high` as true.
/// An end is withheld if it counts fewer contexts than a minimum, or all contexts but fewer. Otherwise an owner could
/// target one person's attributes and learn whether such a person polled
/// (docs/decisions/0043-results-and-forecasts-withhold-by-a-threshold.md).
public struct ForecastShare: Sendable {
    /// The lower end; nil if it is withheld.
    public let low: Double?
    public let high: Double?
    /// The 95 % interval, from the lower bound of `low` to the upper bound of `high`. It follows from the shown values
    /// alone, so it is the same for all withheld counts.
    public let interval: (low: Double, high: Double)
    /// The share that a recipe is held against when it is live.
    public let expectation: ExpectedShare

    /// The contexts of one branch, and the part of the clients that they represent. The factor is the product of the
    /// shares of buckets, branch and sample, which are known without contexts.
    typealias Part = (tally: ForecastTally, factor: ClosedRange<Double>)

    /// The sum of the parts; nil if the sample is empty or has fewer contexts than the minimum.
    init?(_ parts: [Part], of contexts: Int, minimum: Int) {
        guard contexts >= max(1, minimum) else { return nil }
        func sum(_ count: (ForecastTally) -> Int, _ factor: (ClosedRange<Double>) -> Double) -> SampledShare {
            parts.reduce(.none) { sum, part in
                sum + SampledShare(count(part.tally), of: contexts, minimum: minimum) * factor(part.factor)
            }
        }
        let (low, high) = (sum(\.low, \.lowerBound), sum(\.high, \.upperBound))
        self.low = low.value.map { Self.percents($0, .toNearestOrAwayFromZero) }
        self.high = high.value.map { Self.percents($0, .toNearestOrAwayFromZero) }
        interval = (Self.percents(low.bounds.low, .down), Self.percents(high.bounds.high, .up))
        expectation = ExpectedShare(
            low: low.value ?? low.wide.low, high: high.value ?? high.wide.high, least: low.wide.low,
            most: high.wide.high)
    }

    /// The counts of contexts that are shown; nil if none are. A minimum of 1 withholds nothing.
    public static func shownCounts(of contexts: Int, minimum: Int) -> ClosedRange<Int>? {
        guard minimum > 1 else { return 0...contexts }
        return contexts >= 2 * minimum ? minimum...(contexts - minimum) : nil
    }

    /// Whether a count of contexts is too small to be shown, in a sample that is large enough.
    static func isFew(_ count: Int, of contexts: Int, minimum: Int) -> Bool {
        guard contexts > 0, let shown = shownCounts(of: contexts, minimum: minimum) else { return false }
        return count < max(1, shown.lowerBound)
    }

    /// A whole number of percent. A product that differs from a whole number only by binary rounding becomes that
    /// number.
    private static func percents(_ share: Double, _ rule: FloatingPointRoundingRule) -> Double {
        let exact = (share * 1e9).rounded() / 1e7
        return exact.rounded(rule) / 100
    }
}

/// Counts of contexts: `low` is the number for which a condition certainly holds, `high` the number for which it may
/// hold.
struct ForecastTally: Sendable, Hashable {
    var low = 0
    var high = 0

    mutating func add(_ truth: ForecastTruth, count: Int) {
        if truth == .holds { low += count }
        if truth != .doesNotHold { high += count }
    }

    static func + (left: ForecastTally, right: ForecastTally) -> ForecastTally {
        ForecastTally(low: left.low + right.low, high: left.high + right.high)
    }
}

/// One count of contexts as a share of the sample; a small count is withheld.
private struct SampledShare {
    /// The share; nil if it is withheld.
    let value: Double?
    /// The 95 % interval.
    let bounds: (low: Double, high: Double)
    /// The 99 % interval, with what rounding the share to whole percents may hide.
    let wide: (low: Double, high: Double)

    /// The share of no client, for any sample.
    static let none = SampledShare(value: 0, bounds: (0, 0), wide: (0, 0))

    private init(value: Double?, bounds: (low: Double, high: Double), wide: (low: Double, high: Double)) {
        (self.value, self.bounds, self.wide) = (value, bounds, wide)
    }

    init(_ count: Int, of contexts: Int, minimum: Int) {
        let n = Double(contexts)
        func low(_ count: Double, _ z: Double) -> Double { ShareEstimate(count, of: contexts, z: z)?.low ?? 0 }
        func high(_ count: Double, _ z: Double) -> Double { ShareEstimate(count, of: contexts, z: z)?.high ?? 1 }
        let (z, z99) = (ShareEstimate.z, ShareEstimate.z99)
        guard let shown = ForecastShare.shownCounts(of: contexts, minimum: minimum) else {
            self.init(value: nil, bounds: (0, 1), wide: (0, 1))
            return
        }
        if count < shown.lowerBound {
            let most = Double(shown.lowerBound - 1)
            self.init(value: nil, bounds: (0, high(most, z)), wide: (0, high(most, z99)))
        } else if count > shown.upperBound {
            let least = Double(shown.upperBound + 1)
            self.init(value: nil, bounds: (low(least, z), 1), wide: (low(least, z99), 1))
        } else {
            let share = (100 * Double(count) / n).rounded() / 100
            self.init(
                value: share, bounds: (low(share * n, z), high(share * n, z)),
                wide: (low((share - 0.005) * n, z99), high((share + 0.005) * n, z99)))
        }
    }

    static func + (left: SampledShare, right: SampledShare) -> SampledShare {
        SampledShare(
            value: left.value.flatMap { value in right.value.map { value + $0 } },
            bounds: (left.bounds.low + right.bounds.low, left.bounds.high + right.bounds.high),
            wide: (left.wide.low + right.wide.low, left.wide.high + right.wide.high))
    }

    static func * (share: SampledShare, factor: Double) -> SampledShare {
        SampledShare(
            value: share.value.map { $0 * factor }, bounds: (share.bounds.low * factor, share.bounds.high * factor),
            wide: (share.wide.low * factor, share.wide.high * factor))
    }
}
