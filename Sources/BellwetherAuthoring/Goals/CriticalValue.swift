public import BellwetherCore

/// The number of standard errors on each side of an interval that holds at every look
/// (docs/reference/goals.md#the-critical-value).
struct CriticalValue: Sendable {
    /// The number of clients for which a sequence without a plan is narrowest.
    private static let tuning = 5_000.0
    /// The part of the error that the bound of the plan may make. The rest finds gross effects early.
    private static let planned = 0.9
    /// The part of the plan for which the sequence beside it is narrowest.
    private static let early = 0.1

    private let alpha: Double
    private let plan: PlannedSize?
    /// The bound of the sum up to the plan.
    private let bound: Double

    /// - Parameter branches: the branches of the experiment. All comparisons with the control share the level.
    init(branches: Int, plan: GoalPlan?, of counts: Goal.Measure, _ direction: Goal.Direction) {
        alpha = Self.alpha(branches: branches)
        self.plan = plan.map { PlannedSize($0, of: counts, direction, branches: branches) }
        bound = plan == nil ? 0 : Self.bound(alpha)
    }

    static func alpha(branches: Int) -> Double { 0.05 / Double(max(1, branches - 1)) }

    /// The bound that a Brownian motion exceeds up to the plan, or a line after it, with the planned part of the error.
    static func bound(_ alpha: Double) -> Double {
        NormalDistribution.falling(to: planned * alpha, in: 0.5...8) { c in
            6 * NormalDistribution.above(c) - 2 * (4 * c * c).exponential * NormalDistribution.above(3 * c)
        }
    }

    /// - Parameters:
    /// - error: the standard error of the difference.
    /// - n: the clients of both branches.
    func value(error: Double, _ n: (Int64, Int64)) -> Double {
        guard let information = information(error: error, n) else {
            return Self.sequence(Double(n.0) + Double(n.1), tuned: Self.tuning, alpha)
        }
        let kept = bound * max(information, 1 / information).squareRoot()
        return min(kept, Self.sequence(information, tuned: Self.early, Self.early * alpha))
    }

    /// How much of the planned information there is; nil without a plan.
    func information(error: Double, _ n: (Int64, Int64)) -> Double? {
        guard let plan else { return nil }
        let (own, other) = (Double(n.0), Double(n.1))
        let half = own * other / (own + other)
        return 4 * half * half * error * error / (Double(plan.clients) * plan.variance)
    }

    /// The asymptotic confidence sequence of Waudby-Smith et al. at x, narrowest at `tuned`.
    static func sequence(_ x: Double, tuned: Double, _ alpha: Double) -> Double {
        let penalty = -2 * alpha.logarithm
        let scaled = (penalty + (1 + penalty).logarithm) * x / tuned
        return ((1 + 1 / scaled) * ((1 + scaled).logarithm + penalty)).squareRoot()
    }
}

/// The number of clients that an experiment needs (docs/reference/goals.md#size).
public struct PlannedSize: Sendable, Hashable {
    /// The clients of control and one branch together in a test that looks once.
    public let fixedClients: Int64
    /// The clients of control and one branch together.
    public let clients: Int64
    /// The clients of all branches.
    public let allClients: Int64
    /// The mean variance of one client.
    public let variance: Double
    /// The probability that the effect is found by the time of the plan.
    public let power: Double

    /// A test that may look at any time needs this multiple of the clients of a test that looks once.
    private static let factor = 1.2

    public init(_ plan: GoalPlan, of counts: Goal.Measure, _ direction: Goal.Direction, branches: Int) {
        let alpha = CriticalValue.alpha(branches: branches)
        let z = NormalDistribution.quantile(1 - alpha / 2) + NormalDistribution.quantile(plan.power)
        let changed = plan.mean * (direction == .up ? 1 + plan.effect : 1 - plan.effect)
        let variances: (Double, Double) =
            if let deviation = plan.deviation, counts == .sum {
                (deviation * deviation, deviation * deviation)
            } else {
                (plan.mean * (1 - plan.mean), changed * (1 - changed))
            }
        let effect = plan.mean * plan.effect
        let unexplained = 1 - plan.correlation * plan.correlation
        let sum = variances.0 + variances.1
        fixedClients = 2 * max(1, Self.up(z * z * sum * unexplained / (effect * effect)))
        clients = Self.up(Self.factor * Double(fixedClients))
        allClients = Self.up(Double(clients) * Double(branches) / 2)
        variance = sum / 2
        let (bound, mean) = (CriticalValue.bound(alpha), z * Self.factor.squareRoot())
        power =
            NormalDistribution.below(mean - bound)
            + (2 * bound * mean).exponential * NormalDistribution.above(bound + mean)
    }

    public func days(exposedPerDay: Double) -> Int64 { Self.up(Double(allClients) / exposedPerDay) }

    /// Rounds up. A value that is larger than a whole number by rounding errors is that number. More than a quadrillion
    /// clients are a quadrillion.
    private static func up(_ value: Double) -> Int64 {
        guard value < 1e15 else { return 1_000_000_000_000_000 }
        return Int64(max((value - 1e-9).rounded(.up), 0))
    }
}
