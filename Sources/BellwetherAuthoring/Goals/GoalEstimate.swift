public import BellwetherCore

/// Two ends of an interval.
public struct GoalInterval: Sendable, Hashable {
    public let low: Double
    public let high: Double
}

/// The verdict about a branch, which holds at every look.
public enum GoalVerdict: String, Sendable, Hashable {
    case tooLittleData = "too_little_data"
    case better
    case worse
    case noDifferenceShown = "no_difference_shown"

    /// The verdict as people read it. "No difference" would claim more than the data show.
    public var words: String {
        switch self {
        case .tooLittleData: "too little data"
        case .better: "better"
        case .worse: "worse"
        case .noDifferenceShown: "no difference shown yet"
        }
    }
}

/// A mean of one branch, and the variance of one client. The values of x may be used.
private struct GoalMean {
    let mean: Double
    let variance: Double
    let n: Double

    var error: Double { variance / n }
}

/// A difference between a branch and the control (docs/reference/goals.md#the-estimate).
public struct GoalDifference: Sendable, Hashable {
    public let difference: Double
    /// The difference as a part of the control's mean; nil if that is not above 0.
    public let lift: Double?
    public let standardError: Double
    /// Nil if there is too little data.
    public let interval: GoalInterval?
    public let liftInterval: GoalInterval?

    fileprivate init(_ branch: GoalMean, _ control: GoalMean, _ critical: Double?) {
        difference = branch.mean - control.mean
        lift = control.mean > 0 ? branch.mean / control.mean - 1 : nil
        standardError = (control.error + branch.error).squareRoot()
        let (difference, error) = (difference, standardError)
        interval = critical.map { GoalInterval(low: difference - $0 * error, high: difference + $0 * error) }
        liftInterval = critical.flatMap { Self.lifts(branch, control, $0) }
    }

    /// All lifts that the data do not exclude (Fieller). So the interval leaves 0 when that of the difference does.
    private static func lifts(_ branch: GoalMean, _ control: GoalMean, _ k: Double) -> GoalInterval? {
        let a = control.mean * control.mean - k * k * control.error
        guard control.mean > 0, a > 0 else { return nil }
        let product = control.mean * branch.mean
        let root = max(0, product * product - a * (branch.mean * branch.mean - k * k * branch.error)).squareRoot()
        return GoalInterval(low: (product - root) / a - 1, high: (product + root) / a - 1)
    }
}

/// A branch compared with the control.
public struct GoalComparison: Sendable, Hashable {
    /// The estimate with the counts before the exposure.
    public struct Adjusted: Sendable, Hashable {
        public let theta: Double
        public let difference: GoalDifference
        /// The part of the variance that the counts before the exposure explain.
        public let varianceReduction: Double
    }

    /// Nil if a branch has fewer than two clients.
    public let plain: GoalDifference?
    /// Nil if the counts are not used, or if there are none.
    public let adjusted: Adjusted?
    /// Nil if there is too little data.
    public let critical: Double?
    public let verdict: GoalVerdict

    /// The fewest clients of a branch, and the fewest clients of both with and without the event.
    static let (fewestClients, fewestEvents): (Int64, Double) = (100, 25)

    /// A comparison that is not shown.
    static let none = GoalComparison()

    private init() { (plain, adjusted, critical, verdict) = (nil, nil, nil, .tooLittleData) }

    init(_ goal: Goal, _ branch: GoalSums, with control: GoalSums, _ value: CriticalValue) {
        guard branch.n >= 2, control.n >= 2 else {
            self = .none
            return
        }
        let scale = goal.property == nil ? 1.0 : 1_000.0
        let means = (goal.mean(branch, scale), goal.mean(control, scale))
        let error = (means.0.error + means.1.error).squareRoot()
        let isEnough = Self.isEnough(goal, branch, control) && error > 0
        let critical = isEnough ? value.value(error: error, (control.n, branch.n)) : nil
        let plain = GoalDifference(means.0, means.1, critical)
        let adjusted = goal.usesCovariate ? Self.adjusted(branch, control, scale, critical, plain) : nil
        (self.plain, self.critical, self.adjusted) = (plain, critical, adjusted)
        verdict = Self.verdict((adjusted?.difference ?? plain).interval, goal.direction)
    }

    private static func isEnough(_ goal: Goal, _ branch: GoalSums, _ control: GoalSums) -> Bool {
        let clients = Double(branch.n) + Double(control.n)
        let events = Double(branch.c) + Double(control.c)
        return min(branch.n, control.n) >= fewestClients && events >= fewestEvents
            && (goal.counts == .sum || clients - events >= fewestEvents)
    }

    /// CUPED: what x tells about y is subtracted. The slope is that within branches.
    private static func adjusted(
        _ branch: GoalSums, _ control: GoalSums, _ scale: Double, _ critical: Double?, _ plain: GoalDifference
    ) -> Adjusted? {
        let squares = control.xSquares + branch.xSquares
        guard squares > 0 else { return nil }
        let theta = (control.products + branch.products) / scale / squares
        let centre = (Double(control.sx) + Double(branch.sx)) / (Double(control.n) + Double(branch.n))
        func mean(_ sums: GoalSums) -> GoalMean {
            let n = Double(sums.n)
            let left =
                sums.ySquares / (scale * scale) - 2 * theta * (sums.products / scale) + theta * theta * sums.xSquares
            return GoalMean(
                mean: Double(sums.sy) / scale / n - theta * (Double(sums.sx) / n - centre),
                variance: max(0, left) / (n - 1), n: n)
        }
        let difference = GoalDifference(mean(branch), mean(control), critical)
        let (own, before) = (difference.standardError, plain.standardError)
        return Adjusted(
            theta: theta, difference: difference,
            varianceReduction: before == 0 ? 0 : 1 - own * own / (before * before))
    }

    private static func verdict(_ interval: GoalInterval?, _ direction: Goal.Direction) -> GoalVerdict {
        guard let interval else { return .tooLittleData }
        if interval.low > 0 { return direction == .up ? .better : .worse }
        if interval.high < 0 { return direction == .up ? .worse : .better }
        return .noDifferenceShown
    }

    /// Whether a guard with this bound fires (docs/reference/goals.md#guards).
    public func exceeds(_ bound: GoalGuard.Bound, _ direction: Goal.Direction) -> Bool {
        guard verdict != .tooLittleData, let shown = adjusted?.difference ?? plain else { return false }
        func isWorse(_ interval: GoalInterval?, by bound: Double) -> Bool {
            guard let interval else { return false }
            return direction == .up ? interval.high < -bound : interval.low > bound
        }
        switch bound {
        case .absolute(let difference): return isWorse(shown.interval, by: difference)
        case .relative(let part):
            if shown.liftInterval == nil, part == 0 { return isWorse(shown.interval, by: 0) }
            return isWorse(shown.liftInterval, by: part)
        }
    }
}

extension Goal {
    fileprivate func mean(_ sums: GoalSums, _ scale: Double) -> GoalMean {
        let n = Double(sums.n)
        return GoalMean(
            mean: Double(sums.sy) / scale / n, variance: sums.ySquares / (scale * scale) / (n - 1), n: n)
    }
}

/// The outcome in one branch by itself.
public struct GoalBranch: Sendable, Hashable {
    /// Nil without a client.
    public let mean: Double?
    /// An interval that holds at every look; nil with fewer than 100 clients.
    public let interval: GoalInterval?

    init(_ goal: Goal, _ sums: GoalSums) {
        guard sums.n > 0 else {
            (mean, interval) = (nil, nil)
            return
        }
        let n = Double(sums.n)
        let scale = goal.property == nil ? 1.0 : 1_000.0
        let mean = Double(sums.sy) / scale / n
        self.mean = mean
        guard sums.n >= GoalComparison.fewestClients else {
            interval = nil
            return
        }
        let k = CriticalValue(branches: 2, plan: nil, of: goal.counts, goal.direction).value(error: 0, (sums.n, 0))
        if goal.counts == .converted {
            let (k2, share) = (k * k, mean)
            let centre = share + k2 / (2 * n)
            let spread = k * ((share * (1 - share) + k2 / (4 * n)) / n).squareRoot()
            // The ends are exact at 0 and 1, where the formula only has rounding errors.
            interval = GoalInterval(
                low: sums.c == 0 ? 0 : (centre - spread) / (1 + k2 / n),
                high: sums.c == sums.n ? 1 : (centre + spread) / (1 + k2 / n))
        } else {
            let spread = k * (sums.ySquares / (scale * scale) / (n - 1) / n).squareRoot()
            interval = GoalInterval(low: max(0, mean - spread), high: mean + spread)
        }
    }
}

/// Whether as many clients were exposed in each branch as its ratio says (docs/reference/goals.md#the-test-of-sizes).
public struct SampleRatio: Sendable, Hashable {
    /// Pearson's statistic; nil if there are too few clients or branches.
    public let statistic: Double?
    public let p: Double?

    static let fewestExpected = 5.0
    static let level = 0.001

    public var isWarning: Bool { p.map { $0 < Self.level } ?? false }

    /// - Parameter branches: ratio and exposed clients of each; nil: withheld.
    init(_ branches: [(ratio: Int64, exposed: Int64?)]) {
        let counted = branches.filter { $0.ratio > 0 }
        let exposed = counted.compactMap(\.exposed)
        let total = exposed.reduce(0.0) { $0 + Double($1) }
        let ratios = counted.reduce(0.0) { $0 + Double($1.ratio) }
        let expected = counted.map { total * Double($0.ratio) / ratios }
        guard counted.count >= 2, exposed.count == counted.count, expected.allSatisfy({ $0 >= Self.fewestExpected })
        else {
            (statistic, p) = (nil, nil)
            return
        }
        let statistic = zip(exposed, expected).reduce(0.0) { sum, pair in
            let distance = Double(pair.0) - pair.1
            return sum + distance * distance / pair.1
        }
        self.statistic = statistic
        p = ChiSquaredDistribution.above(statistic, freedom: counted.count - 1)
    }
}
