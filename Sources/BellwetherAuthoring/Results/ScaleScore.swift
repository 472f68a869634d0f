/// The score of answers on a scale: their mean, and for the scale 0 to 10 the net promoter score. Answers outside the
/// scale do not count.
public struct ScaleScore: Sendable, Hashable {
    /// A value, and the 95 % confidence interval of the population's value by the normal approximation. A single answer
    /// gives no interval.
    public struct Estimate: Sendable, Hashable {
        public let value: Double
        public let interval: ClosedRange<Double>?

        /// `variance` is the variance of one answer.
        init(_ value: Double, variance: Double?, count: Int, within bounds: ClosedRange<Double>) {
            self.value = value
            interval = variance.map { variance in
                let spread = ShareEstimate.z * (max(0, variance) / Double(count)).squareRoot()
                return max(bounds.lowerBound, value - spread)...min(bounds.upperBound, value + spread)
            }
        }
    }

    /// How many answers have a value.
    public let answers: Int
    public let mean: Estimate
    /// The score from -100 to 100; nil on other scales.
    public let netPromoterScore: NetPromoterScore?

    /// `counts` are the counts of the scale's options, in their order. Nil without an answer on the scale, or with
    /// fewer answers than the minimum.
    init?(_ scale: AnswerScale, counts: [Int], minimum: Int) {
        let weighed = zip(scale.values, counts).compactMap { value, count in value.map { ($0, count) } }
        let answers = weighed.reduce(0) { $0 + $1.1 }
        guard answers >= max(1, minimum) else { return nil }
        let n = Double(answers)
        let mean = weighed.reduce(0.0) { $0 + Double($1.0) * Double($1.1) } / n
        let squares = weighed.reduce(0.0) { sum, entry in
            let distance = Double(entry.0) - mean
            return sum + distance * distance * Double(entry.1)
        }
        let values = weighed.map { Double($0.0) }
        let bounds = (values.min() ?? mean)...(values.max() ?? mean)
        self.answers = answers
        self.mean = Estimate(mean, variance: answers > 1 ? squares / (n - 1) : nil, count: answers, within: bounds)
        netPromoterScore = scale.kind == .nps ? NetPromoterScore(weighed) : nil
    }

    private init(_ answers: Int, _ mean: Estimate, _ netPromoterScore: NetPromoterScore?) {
        (self.answers, self.mean, self.netPromoterScore) = (answers, mean, netPromoterScore)
    }

    /// The score with the shown counts of promoters, passives and detractors.
    func showing(_ groups: [Int?]) -> ScaleScore { ScaleScore(answers, mean, netPromoterScore?.showing(groups)) }
}

/// Promoters (9 and 10) minus detractors (0 to 6), in percent of all; 7 and 8 are passives (Reichheld 2003).
public struct NetPromoterScore: Sendable, Hashable {
    /// The number of promoters; nil if it is withheld.
    public private(set) var promoters: Int?
    public private(set) var passives: Int?
    public private(set) var detractors: Int?
    public let score: ScaleScore.Estimate

    /// The values of promoters, passives and detractors.
    static let ranges = [9...10, 7...8, 0...6]

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
        let total = promoters + passives + detractors
        let n = Double(total)
        let difference = (Double(promoters) - Double(detractors)) / n
        // This is the variance of a variable with the values 1, 0 and -1.
        let variance = (Double(promoters) + Double(detractors)) / n - difference * difference
        score = ScaleScore.Estimate(
            100 * difference, variance: total > 1 ? 10_000 * variance * n / (n - 1) : nil, count: total,
            within: -100...100)
    }
}
