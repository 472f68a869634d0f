internal import BellwetherBase
public import BellwetherCore

/// How many clients a survey must reach: the arithmetic between responses, the share of clients enrolled, and the
/// margin of error.
///
/// `enrolled × seen × response rate = responses`; what is enrolled is a share of the active clients, in buckets of a
/// namespace. Everything is rounded so that the responses wanted are reached on average.
public struct SurveySizing: Sendable, Hashable {
    /// The measure that is estimated from the responses.
    public enum Measure: Sendable, Hashable {
        /// The share of an option; at worst one half.
        case share
        /// Net Promoter Score: the share of promoters less that of detractors, from -1 to 1.
        case netPromoterScore(promoters: Double, detractors: Double)

        /// The variance of one response. A promoter counts 1, a detractor -1, any other 0.
        var variance: Double {
            switch self {
            case .share: 0.25
            case .netPromoterScore(let promoters, let detractors):
                promoters + detractors - (promoters - detractors) * (promoters - detractors)
            }
        }
    }

    public let measure: Measure
    /// In each branch that is compared.
    public let responsesPerBranch: Int
    public let branches: Int
    /// Share of those who see the invitation that answer.
    public let responseRate: Double
    /// Share of the enrolled clients that see it while the survey runs.
    public let seen: Double
    public let activeClients: Int
    public let buckets: UInt32

    /// Rates lie above 0 and not above 1, counts above 0.
    public init(
        responsesPerBranch: Int, branches: Int, responseRate: Double, seen: Double, activeClients: Int,
        buckets: UInt32 = Bucketing.defaultTotal, measure: Measure = .share
    ) {
        self.measure = measure
        self.responsesPerBranch = responsesPerBranch
        self.branches = branches
        self.responseRate = responseRate
        self.seen = seen
        self.activeClients = activeClients
        self.buckets = buckets
    }

    public var responses: Int { responsesPerBranch.multipliedSaturating(by: branches) }

    /// Invitations that must be seen.
    public var invitations: Int { Self.roundedUp(Double(responses) / responseRate) }

    /// Clients that must be enrolled; more than there are where the survey cannot be that large.
    public var enrolled: Int { Self.roundedUp(Double(responses) / (responseRate * seen)) }

    /// The share of the active clients; above 1 where it cannot be reached.
    public var share: Double { Double(enrolled) / Double(activeClients) }

    /// The `count` of the recipe's buckets; nil where all of them are too few.
    public var bucketCount: Int? {
        let count = Self.roundedUp(share * Double(buckets))
        return count <= Int(buckets) ? count : nil
    }

    /// The responses in each branch if all clients were enrolled.
    public var reachableResponsesPerBranch: Int {
        Int(Double(activeClients) * responseRate * seen / Double(branches))
    }

    /// Half the width of the measure's 95 % interval in one branch.
    public var marginOfError: Double {
        Self.margin(responses: responsesPerBranch, of: activeClients, measure: measure)
    }

    /// The same for any number of responses out of a population, with its finite population correction.
    public static func margin(responses: Int, of population: Int, measure: Measure = .share) -> Double {
        guard responses < population, population > 1 else { return 0 }
        let correction = Double(population - responses) / Double(population - 1)
        return ShareEstimate.z * (measure.variance / Double(responses) * correction).squareRoot()
    }

    /// How many responses give a margin of error out of a population (Cochran 1977; Krejcie and Morgan's table).
    public static func responses(margin: Double, of population: Int, measure: Measure = .share) -> Int {
        let unlimited = ShareEstimate.z * ShareEstimate.z * measure.variance / (margin * margin)
        return max(1, min(population, roundedUp(unlimited / (1 + (unlimited - 1) / Double(population)))))
    }

    /// The next whole number; a number that is whole but for rounding errors stays.
    private static func roundedUp(_ number: Double) -> Int {
        let nearest = number.rounded()
        let whole = abs(number - nearest) < 1e-9 * max(1, abs(number)) ? nearest : number.rounded(.up)
        return whole < Double(Int.max) ? Int(whole) : .max
    }
}

extension Int {
    fileprivate func multipliedSaturating(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
