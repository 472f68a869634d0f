/// The results of one message, as its owner may see them.
///
/// Counts from 1 to below a minimum are withheld, each by itself: zeros and larger counts are shown, so that a
/// difference of two of them can reveal a count that is withheld
/// (docs/decisions/0043-results-and-forecasts-withhold-by-a-threshold.md).
public struct MessageResults: Sendable, Hashable {
    public let message: String
    /// The current options of all branches, then those that only earlier revisions had.
    public let options: [ResultOption]
    public let total: AnswerLine
    public let branches: [AnswerLine]
    public let locales: [AnswerLine]
    public let days: [AnswerLine]
    public let funnel: FunnelLine
    public let funnelByBranch: [FunnelLine]
}

public struct ResultOption: Sendable, Hashable {
    public let id: String
    public let text: String
    /// Its index among the current options of the first branch that has it; nil for one that is gone.
    public let index: Int?
    /// On the scale that all branches have in common; nil beside it, and where there is none.
    public let value: Int?
}

/// The group of clients that a line of results is about.
public enum ResultGroup: Sendable, Hashable {
    case named(String)
    /// Clients in no branch of the recipe.
    case none
    /// All groups that are not listed by themselves.
    case rest

    var name: String? {
        if case .named(let name) = self { name } else { nil }
    }
}

/// The answers of one group. A count that is nil is withheld.
public struct AnswerLine: Sendable, Hashable {
    public let group: ResultGroup
    public let answers: Int?
    /// Indices of the message's options: a branch lists its own.
    public let options: [Int]
    /// The counts of these options.
    public let counts: [Int?]
    /// The shares of the group's answers; nil too where there are none.
    public let shares: [ShareEstimate?]
    /// That the options are; nil where they are none.
    public let scale: AnswerScale?
    /// Nil too without a scale or answers on it.
    public let score: ScaleScore?

    init(_ row: AnswerRow, columns: [Int], scale: AnswerScale?, minimum: Int) {
        let own = columns.map { row.counts[$0] }
        let sum = own.reduce(0, +)
        group = row.group
        answers = sum.shown(from: minimum)
        options = columns
        counts = own.map { $0.shown(from: minimum) }
        shares = own.map { count in
            sum.shown(from: minimum) == nil || count.shown(from: minimum) == nil ? nil : ShareEstimate(count, of: sum)
        }
        self.scale = scale
        score = scale.flatMap { ScaleScore($0, counts: own, minimum: minimum) }
    }
}

/// The steps of one branch's clients, in the order of `FunnelStep`'s cases; nil: withheld.
public struct FunnelLine: Sendable, Hashable {
    public let group: ResultGroup
    public let counts: [FunnelTally.Count?]

    /// Events count for as many people as there are clients.
    init(_ group: ResultGroup, _ tally: FunnelTally, minimum: Int) {
        self.group = group
        counts = FunnelStep.allCases.map { step in
            let count = tally.count(of: step)
            return count.clients.shown(from: minimum) == nil ? nil : count
        }
    }
}

extension Int {
    /// A count of people; nil where it is one of few.
    func shown(from minimum: Int) -> Int? { self == 0 || self >= minimum ? self : nil }
}
