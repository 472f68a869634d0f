public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Surveys

/// An owner's query for the results of a recipe's messages.
public struct ResultsQuery: Sendable, Hashable {
    public let app: Identifier
    public let recipe: Identifier
    /// The maximum number of answers and events that are read, so that no query occupies a reader for long.
    public let maximumRows: Int
    /// The maximum numbers of revisions of the recipe, newest first, and of messages that are examined.
    public let maximumRevisions = 200
    public let maximumMessages = 200

    /// The first and the last day in UTC on which answers and events were received, both included; nil means no bound.
    public var from: CalendarDay?
    public var to: CalendarDay?
    /// Only clients in this branch of the recipe count. The branch is named alone or as `RECIPE/BRANCH`.
    public var branch: Identifier?
    /// Only answers in this language count. Events have no language.
    public var locale: Identifier?
    /// Whether the clients that enrolled in the recipe's branches are counted, too.
    public var countsEnrollment = false

    public init(app: Identifier, recipe: Identifier, maximumRows: Int = 2_000_000) {
        self.app = app
        self.recipe = recipe
        self.maximumRows = maximumRows
    }

    /// The times at which the counted answers and events were received.
    public var times: Range<Timestamp> {
        let start = from?.start ?? Timestamp(milliseconds: .min)
        return start..<max(start, to?.end ?? Timestamp(milliseconds: .max))
    }

    public func means(_ answer: TalliedAnswer) -> Bool {
        guard times.contains(answer.at), means(branch: answer.branch) else { return false }
        return locale.map { $0 == answer.locale } ?? true
    }

    /// - Parameter own: a branch of the recipe; nil if the client is in none.
    public func means(branch own: Identifier?) -> Bool {
        guard let branch else { return true }
        guard let own else { return false }
        return branch == own || branch == "\(recipe)/\(own)"
    }
}

/// The counts of a store for the query.
public struct ResultsReading: Sendable {
    /// Nil if the app never had a recipe with this slug.
    public let messages: [MessageReading]?
    /// Nil if it was not requested.
    public let enrollment: EnrollmentReading?

    public init(messages: [MessageReading]?, enrollment: EnrollmentReading? = nil) {
        (self.messages, self.enrollment) = (messages, enrollment)
    }
}

/// The clients that enrolled in a recipe's branches, from the log.
public struct EnrollmentReading: Sendable {
    /// The number of clients that ever enrolled in each branch. A client counts once in each.
    public let clients: [Identifier: Int]
    public let coverage: LogCoverage

    public init(clients: [Identifier: Int], coverage: LogCoverage) {
        (self.clients, self.coverage) = (clients, coverage)
    }
}

/// The answers to one message, and its events in the log.
public struct MessageReading: Sendable {
    public let key: Identifier
    public let answers: AnswerTally
    /// Whether all answers were read, and not only the maximum number.
    public let countsEveryAnswer: Bool
    public let funnel: [FunnelTally]
    /// The funnel of all branches together, in which a client counts once.
    public let wholeFunnel: FunnelTally
    public let coverage: LogCoverage

    public init(
        key: Identifier, answers: (tally: AnswerTally, isWhole: Bool), funnel: [FunnelTally], wholeFunnel: FunnelTally,
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

/// The events that the log still had, and that were read.
public enum LogCoverage: Sendable, Hashable {
    case everything
    /// The events from the time on at which the oldest was received; nil if there are none.
    case since(Timestamp?)
}
