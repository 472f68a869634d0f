public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import Surveys

/// An owner's question: what came back of a recipe's messages?
public struct ResultsQuery: Sendable, Hashable {
    public let app: String
    public let recipe: String
    /// Answers and events that are read at most, so that no question keeps a reader for long.
    public let maximumRows: Int
    /// Revisions of the recipe, the newest ones, and messages that are looked at most.
    public let maximumRevisions = 200
    public let maximumMessages = 200

    /// Days in UTC on which answers were given and events received, both included; nil: without an end.
    public var from: CalendarDay?
    public var to: CalendarDay?
    /// Only who was in this branch of the recipe, which is named alone or as `RECIPE/BRANCH`.
    public var branch: String?
    /// Only answers that were given in this language. Events do not say theirs.
    public var locale: String?
    /// Whether the clients that enrolled in the recipe's branches are counted, too.
    public var countsEnrollment = false

    public init(app: String, recipe: String, maximumRows: Int = 2_000_000) {
        self.app = app
        self.recipe = recipe
        self.maximumRows = maximumRows
    }

    /// When what is meant was received.
    public var times: Range<Timestamp> {
        let start = from?.start ?? Timestamp(milliseconds: .min)
        return start..<max(start, to?.end ?? Timestamp(milliseconds: .max))
    }

    public func means(_ answer: TalliedAnswer) -> Bool {
        guard times.contains(answer.at), means(branch: answer.branch) else { return false }
        return locale.map(answer.locale.hasSameBytes) ?? true
    }

    /// - Parameter own: nil: in no branch of the recipe.
    public func means(branch own: String?) -> Bool {
        guard let branch else { return true }
        guard let own else { return false }
        return branch.hasSameBytes(as: own) || branch.hasSameBytes(as: recipe + "/" + own)
    }
}

/// The counts of a store for the query.
public struct ResultsReading: Sendable {
    /// Nil: the app never had a recipe of that slug.
    public let messages: [MessageReading]?
    /// Nil where it was not asked for.
    public let enrollment: EnrollmentReading?

    public init(messages: [MessageReading]?, enrollment: EnrollmentReading? = nil) {
        (self.messages, self.enrollment) = (messages, enrollment)
    }
}

/// The clients that enrolled in a recipe's branches, from the log.
public struct EnrollmentReading: Sendable {
    /// Clients, each once, that ever enrolled in a branch.
    public let clients: [String: Int]
    public let coverage: LogCoverage

    public init(clients: [String: Int], coverage: LogCoverage) { (self.clients, self.coverage) = (clients, coverage) }
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
