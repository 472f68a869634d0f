internal import BellwetherBase
public import BellwetherCore

/// The number of clients that a survey must reach: the arithmetic of responses, the share of enrolled clients, and the
/// margin of error.
///
/// `enrolled × seen × response rate = responses`. The enrolled clients are a share of the active clients, in buckets of
/// a namespace. Every value is rounded in such a way that the average number of responses is large enough.
public struct SurveySizing: Sendable, Hashable {
    /// The measure that is estimated from the responses.
    public enum Measure: Sendable, Hashable {
        /// The share of an option, in the worst case one half.
        case share
        /// The Net Promoter Score, from -1 to 1: the share of promoters minus the share of detractors.
        case netPromoterScore(promoters: Double, detractors: Double)

        /// The variance of one response. A promoter counts 1, a detractor -1, any other response 0.
        var variance: Double {
            switch self {
            case .share: 0.25
            case .netPromoterScore(let promoters, let detractors):
                promoters + detractors - (promoters - detractors) * (promoters - detractors)
            }
        }
    }

    public let measure: Measure
    /// The number of responses in each compared branch.
    public let responsesPerBranch: Int
    public let branches: Int
    /// The share of the clients that see the invitation and answer.
    public let responseRate: Double
    /// The share of the enrolled clients that see the invitation while the survey runs.
    public let seen: Double
    public let activeClients: Int
    public let buckets: UInt32

    /// Rates must be above 0 and at most 1, counts above 0.
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

    /// The number of invitations that clients must see.
    public var invitations: Int { Self.roundedUp(Double(responses) / responseRate) }

    /// The number of clients that must be enrolled. It exceeds the number of clients if the survey cannot be that
    /// large.
    public var enrolled: Int { Self.roundedUp(Double(responses) / (responseRate * seen)) }

    /// The share of the active clients. It exceeds 1 if the survey cannot be that large.
    public var share: Double { Double(enrolled) / Double(activeClients) }

    /// The `count` of the recipe's buckets; nil if even all buckets are too few.
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

    /// The margin for any number of responses from a population, with the finite population correction.
    public static func margin(responses: Int, of population: Int, measure: Measure = .share) -> Double {
        guard responses < population, population > 1 else { return 0 }
        let correction = Double(population - responses) / Double(population - 1)
        return ShareEstimate.z * (measure.variance / Double(responses) * correction).squareRoot()
    }

    /// The number of responses from a population that gives a margin of error (Cochran 1977; Krejcie and Morgan's
    /// table).
    public static func responses(margin: Double, of population: Int, measure: Measure = .share) -> Int {
        let unlimited = ShareEstimate.z * ShareEstimate.z * measure.variance / (margin * margin)
        return max(1, min(population, roundedUp(unlimited / (1 + (unlimited - 1) / Double(population)))))
    }

    /// The next whole number. A number that differs from a whole number only by rounding errors becomes that number.
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
