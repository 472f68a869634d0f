/// The results of one message, in the form for its owner.
///
/// Each count from 1 to below a minimum is withheld. Zeros and larger counts are shown, so a difference of two shown
/// counts may reveal a withheld count (docs/decisions/0043-results-and-forecasts-withhold-by-a-threshold.md).
public struct MessageResults: Sendable, Hashable {
    public let message: String
    /// The current options of all branches, then the options of earlier revisions.
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
    /// The index among the current options of the first branch that has the option; nil if no branch has it now.
    public let index: Int?
    /// The value on the scale that all branches share; nil outside the scale, and without a shared scale.
    public let value: Int?
}

/// The group of clients in a line of results.
public enum ResultGroup: Sendable, Hashable {
    case named(String)
    /// The clients without a branch of the recipe.
    case none
    /// All groups without a line of their own.
    case rest

    var name: String? {
        if case .named(let name) = self { name } else { nil }
    }
}

/// The answers of one group. A nil count is withheld.
public struct AnswerLine: Sendable, Hashable {
    public let group: ResultGroup
    public let answers: Int?
    /// The indices of the message's options. A branch only lists its own options.
    public let options: [Int]
    /// The counts of these options.
    public let counts: [Int?]
    /// The shares of the group's answers; also nil if there are no answers.
    public let shares: [ShareEstimate?]
    /// The scale of the options; nil if they have none.
    public let scale: AnswerScale?
    /// The score; also nil without a scale, or without answers on it.
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

/// The steps of one branch's clients, in the order of `FunnelStep`'s cases. A nil count is withheld.
public struct FunnelLine: Sendable, Hashable {
    public let group: ResultGroup
    public let counts: [FunnelTally.Count?]

    /// The number of clients decides whether a count of events is shown.
    init(_ group: ResultGroup, _ tally: FunnelTally, minimum: Int) {
        self.group = group
        counts = FunnelStep.allCases.map { step in
            let count = tally.count(of: step)
            return count.clients.shown(from: minimum) == nil ? nil : count
        }
    }
}

extension Int {
    /// A count of people; nil if it is small and not zero.
    func shown(from minimum: Int) -> Int? { self == 0 || self >= minimum ? self : nil }
}
