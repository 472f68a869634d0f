/// What came back of one message, as its owner may see it: counts of few people are withheld.
public struct MessageResults: Sendable, Hashable {
    public let message: String
    /// The current options in their order, then those that only earlier revisions had.
    public let options: [ResultOption]
    public let scale: AnswerScale.Kind?
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
    /// Its place in the current revision; nil for one that is gone.
    public let index: Int?
    /// On the scale; nil beside it, and where there is none.
    public let value: Int?
}

/// What a line of results is about.
public enum ResultGroup: Sendable, Hashable {
    case named(String)
    /// Clients in no branch of the recipe.
    case none
    /// All groups that are not listed by themselves.
    case rest
}

/// The answers of one group. What is nil is withheld.
public struct AnswerLine: Sendable, Hashable {
    public let group: ResultGroup
    public let answers: Int?
    /// In the order of the options.
    public let counts: [Int?]
    /// Of the group's answers; nil too where there are none.
    public let shares: [ShareEstimate?]
    /// Nil too without a scale or answers on it. It would tell what is withheld, so it is withheld with it.
    public let score: ScaleScore?

    init(group: ResultGroup, answers: Int?, counts: [Int?], scale: AnswerScale?) {
        self.group = group
        self.answers = answers
        self.counts = counts
        shares = counts.map { count in
            guard let count, let answers else { return nil }
            return ShareEstimate(count, of: answers)
        }
        let known = counts.compactMap { $0 }
        let isWhole = answers != nil && known.count == counts.count
        score = isWhole ? scale.flatMap { ScaleScore($0, counts: known) } : nil
    }
}

/// The steps of one branch's clients, in the order of `FunnelStep`'s cases; nil: withheld.
public struct FunnelLine: Sendable, Hashable {
    public let group: ResultGroup
    public let counts: [FunnelTally.Count?]
}
