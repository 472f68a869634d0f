public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore

/// An owner's question: what came back of a recipe's messages?
public struct ResultsQuery: Sendable, Hashable {
    public let app: String
    public let recipe: String
    /// Answers and events that are read at most, so that no question keeps a reader for long.
    public let maximumRows: Int
    /// Revisions of the recipe, the newest ones, and messages that are looked at most.
    public let maximumRevisions = 200
    public let maximumMessages = 200

    public init(app: String, recipe: String, maximumRows: Int = 2_000_000) {
        self.app = app
        self.recipe = recipe
        self.maximumRows = maximumRows
    }
}

/// What a store counted for it.
public struct ResultsReading: Sendable {
    /// Nil: the app never had a recipe of that slug.
    public let messages: [MessageReading]?

    public init(messages: [MessageReading]?) { self.messages = messages }
}

/// The answers to one message, and what the log holds of it.
public struct MessageReading: Sendable {
    public let key: String
    public let answers: AnswerTally
    /// Whether there were no more answers than are read at most.
    public let countsEveryAnswer: Bool
    public let funnel: [FunnelTally]
    /// The same of all branches, where a client counts once.
    public let wholeFunnel: FunnelTally
    public let coverage: LogCoverage

    public init(
        key: String, answers: (tally: AnswerTally, isWhole: Bool), funnel: [FunnelTally], wholeFunnel: FunnelTally,
        coverage: LogCoverage
    ) {
        self.key = key
        self.answers = answers.tally
        countsEveryAnswer = answers.isWhole
        self.funnel = funnel
        self.wholeFunnel = wholeFunnel
        self.coverage = coverage
    }
}

/// Which events the log still had, or could be read of it.
public enum LogCoverage: Sendable, Hashable {
    case everything
    /// From the time on at which the oldest was received; nil: none is kept.
    case since(Timestamp?)
}
