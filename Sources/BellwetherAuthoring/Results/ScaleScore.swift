/// The score of answers on a scale: their mean, and for the scale 0 to 10 the net promoter score. Answers outside the
/// scale do not count.
public struct ScaleScore: Sendable, Hashable {
    /// A value, and the 95 % confidence interval of the population's value. A single answer gives no interval.
    public struct Estimate: Sendable, Hashable {
        public let value: Double
        public let interval: ClosedRange<Double>?

        init(_ value: Double, _ interval: ClosedRange<Double>?) { (self.value, self.interval) = (value, interval) }

        /// The mean of answers on a scale with the adjusted Wald interval (Rocks 2016): three answers are added for
        /// the interval, a quarter of them at each end of the scale and a half in its middle. So a few equal answers do
        /// not give an interval without width (docs/reference/http-api.md#intervals).
        init(_ sample: AnswerSample, within scale: ClosedRange<Double>) {
            let middle = (scale.lowerBound + scale.upperBound) / 2
            let added = [(scale.lowerBound, 0.75), (middle, 1.5), (scale.upperBound, 0.75)]
            let n = Double(sample.count) + 3
            let centre = (sample.mean * Double(sample.count) + 3 * middle) / n
            let own = sample.squares + Double(sample.count) * (sample.mean - centre) * (sample.mean - centre)
            let squares = added.reduce(own) { $0 + $1.1 * ($1.0 - centre) * ($1.0 - centre) }
            let spread = ShareEstimate.z * squares.squareRoot() / n
            let low = max(scale.lowerBound, min(sample.mean, centre - spread))
            let high = min(scale.upperBound, max(sample.mean, centre + spread))
            self.init(sample.mean, sample.count > 1 ? low...high : nil)
        }
    }

    /// The answers with a value.
    let sample: AnswerSample
    /// How many answers have a value.
    public let answers: Int
    public let mean: Estimate
    /// The score from -100 to 100; nil on other scales.
    public private(set) var netPromoterScore: NetPromoterScore?

    /// `counts` are the counts of the scale's options, in their order. Nil without an answer on the scale, or with
    /// fewer answers than the minimum.
    init?(_ scale: AnswerScale, counts: [Int], minimum: Int) {
        let weighed = zip(scale.values, counts).compactMap { value, count in value.map { ($0, count) } }
        let answers = weighed.reduce(0) { $0 + $1.1 }
        guard answers >= max(1, minimum) else { return nil }
        sample = AnswerSample(weighed.map { (Double($0.0), $0.1) })
        let values = weighed.map { Double($0.0) }
        let bounds = (values.min() ?? sample.mean)...(values.max() ?? sample.mean)
        self.answers = answers
        mean = Estimate(sample, within: bounds)
        netPromoterScore = scale.kind == .nps ? NetPromoterScore(weighed) : nil
    }

    /// The score with the shown counts of promoters, passives and detractors.
    func showing(_ groups: [Int?]) -> ScaleScore {
        var shown = self
        shown.netPromoterScore = netPromoterScore?.showing(groups)
        return shown
    }
}

/// Answers with a value: their number, their mean, and the sum of the squares of their distances from it.
struct AnswerSample: Sendable, Hashable {
    let count: Int
    let mean: Double
    let squares: Double

    /// There is at least one answer.
    init(_ answers: [(value: Double, count: Int)]) {
        let count = answers.reduce(0) { $0 + $1.count }
        let mean = answers.reduce(0.0) { $0 + $1.value * Double($1.count) } / Double(max(1, count))
        squares = answers.reduce(0.0) { $0 + ($1.value - mean) * ($1.value - mean) * Double($1.count) }
        (self.count, self.mean) = (count, mean)
    }

    /// The variance of the mean; nil for a single answer.
    private var variance: Double? {
        count > 1 ? squares / Double(count - 1) / Double(count) : nil
    }

    /// The mean minus that of another sample, with Welch's 95 % interval (Welch 1947). There is no interval if one of
    /// them has a single answer, or if no answer differs from another of its sample.
    func difference(from other: AnswerSample) -> ScaleScore.Estimate {
        let value = mean - other.mean
        guard let own = variance, let others = other.variance, own + others > 0 else {
            return ScaleScore.Estimate(value, nil)
        }
        let parts = own * own / Double(count - 1) + others * others / Double(other.count - 1)
        let spread =
            StudentDistribution.point95(freedom: (own + others) * (own + others) / parts)
            * (own + others).squareRoot()
        return ScaleScore.Estimate(value, (value - spread)...(value + spread))
    }
}

/// Student's t distribution.
enum StudentDistribution {
    /// The two-sided 95 % points for 1 to 5 degrees of freedom.
    private static let few = [12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582]

    /// The two-sided 95 % point, for at least one degree of freedom. From five on it is the expansion of Cornish and
    /// Fisher, which is exact to four digits. Below five it is interpolated.
    static func point95(freedom: Double) -> Double {
        let (n, z) = (max(1, freedom), ShareEstimate.z)
        if n < 5 {
            let low = Int(n)
            let part = (1 / Double(low) - 1 / n) / (1 / Double(low) - 1 / Double(low + 1))
            return few[low - 1] + part * (few[low] - few[low - 1])
        }
        let z2 = z * z
        return z
            * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n)
                + (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n)
                + ((((79 * z2 + 776) * z2 + 1_482) * z2 - 1_920) * z2 - 945) / (92_160 * n * n * n * n))
    }
}

/// The groups of a net promoter score, in the order of their values.
enum PromoterGroup: String, CaseIterable {
    case detractors, passives, promoters

    var values: ClosedRange<Int> {
        switch self {
        case .detractors: 0...6
        case .passives: 7...8
        case .promoters: 9...10
        }
    }
}

/// Promoters (9 and 10) minus detractors (0 to 6), in percent of all; 7 and 8 are passives (Reichheld 2003).
public struct NetPromoterScore: Sendable, Hashable {
    /// The number of promoters; nil if it is withheld.
    public private(set) var promoters: Int?
    public private(set) var passives: Int?
    public private(set) var detractors: Int?
    public let score: ScaleScore.Estimate

    /// The values of promoters, passives and detractors.
    static let ranges = PromoterGroup.allCases.reversed().map(\.values)

    /// The score with the shown counts of promoters, passives and detractors.
    func showing(_ groups: [Int?]) -> NetPromoterScore {
        var shown = self
        if groups.count == 3 { (shown.promoters, shown.passives, shown.detractors) = (groups[0], groups[1], groups[2]) }
        return shown
    }

    /// The values with their counts. There is at least one answer.
    init(_ answers: [(value: Int, count: Int)]) {
        let groups = Self.ranges.map { range in
            answers.reduce(0) { $0 + (range.contains($1.value) ? $1.count : 0) }
        }
        let (promoters, passives, detractors) = (groups[0], groups[1], groups[2])
        (self.promoters, self.passives, self.detractors) = (promoters, passives, detractors)
        let sample = AnswerSample([(100, promoters), (0, passives), (-100, detractors)])
        score = ScaleScore.Estimate(sample, within: -100...100)
    }
}
