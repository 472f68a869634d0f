public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherJSON

/// The stored rows that the results of a recipe's messages count, from one state of the store.
public protocol ResultRows {
    /// The documents of the recipe's revisions, newest first, up to a limit, and up to the first one for which the body
    /// is true.
    func readDocuments(limit: Int, until isEnough: ([UInt8]) -> Bool) throws

    func readAnswers(to message: Identifier, limit: Int, _ body: (TalliedAnswer) -> Void) throws

    /// The newest events of a message, up to a limit: by client, and then by branch or all together.
    func readFunnel(of message: Identifier, byBranch: Bool, limit: Int) throws -> [FunnelRow]

    /// The newest enrollments in the recipe's branches, up to a limit.
    func readEnrollments(limit: Int) throws -> [EnrollmentRow]

    /// The part of the app's log that retention has not deleted.
    func readCoverage() throws -> LogCoverage
}

public struct FunnelRow {
    public let tally: FunnelTally
    public let events: Int
    public let oldest: Timestamp

    public init(tally: FunnelTally, events: Int, oldest: Timestamp) {
        (self.tally, self.events, self.oldest) = (tally, events, oldest)
    }
}

public struct EnrollmentRow {
    public let branch: Identifier
    public let clients: Int
    public let events: Int
    public let oldest: Timestamp

    public init(branch: Identifier, clients: Int, events: Int, oldest: Timestamp) {
        (self.branch, self.clients, self.events, self.oldest) = (branch, clients, events, oldest)
    }
}

extension Store {
    /// Counts the results of a recipe's messages.
    public func readResults(_ query: ResultsQuery) throws(StoreError) -> ResultsReading {
        try readResultRows(query) { rows in
            var counting = ResultsCounting(query: query, rows: rows, budget: query.maximumRows)
            let messages = try counting.messageKeys()?.map { try counting.reading(of: $0) }
            return ResultsReading(
                messages: messages, enrollment: query.countsEnrollment ? try counting.enrollment() : nil)
        }
    }
}

private struct ResultsCounting {
    let query: ResultsQuery
    let rows: any ResultRows
    /// How many rows may still be read.
    var budget: Int

    /// The messages that any revision of the recipe defines, the newest first; nil if it has no revision. Documents are
    /// read one after another, because together they may be large.
    func messageKeys() throws -> [Identifier]? {
        var seen: Set<Identifier> = []
        var keys: [Identifier]?
        try rows.readDocuments(limit: query.maximumRevisions) { document in
            let new = RecipeMessages.keys(in: document, slug: query.recipe)
                .filter { seen.insert($0).inserted }
            keys = (keys ?? []) + new
            return seen.count >= query.maximumMessages
        }
        return keys.map { Array($0.prefix(query.maximumMessages)) }
    }

    mutating func reading(of key: Identifier) throws -> MessageReading {
        let answers = try answers(to: key)
        let branches = try funnel(of: key, byBranch: true)
        // A client that was in several branches counts once.
        let isOne = branches.tallies.count <= 1 || query.branch != nil
        let whole = isOne ? branches : try funnel(of: key, byBranch: false)
        let isCut = branches.events >= budget
        budget = max(0, budget - branches.events)
        return MessageReading(
            key: key, answers: answers, funnel: branches.tallies,
            wholeFunnel: FunnelTally(branch: nil, counts: whole.tallies.first?.counts ?? []),
            coverage: isCut ? .since(branches.oldest) : try rows.readCoverage())
    }

    private mutating func answers(to key: Identifier) throws -> (tally: AnswerTally, isWhole: Bool) {
        var tally = AnswerTally()
        var count = 0
        try rows.readAnswers(to: key, limit: budget + 1) { answer in
            count += 1
            if count <= budget, query.means(answer) { tally.add(answer) }
        }
        defer { budget = max(0, budget - count) }
        return (tally, count <= budget)
    }

    private func funnel(
        of key: Identifier, byBranch: Bool
    ) throws -> (tallies: [FunnelTally], events: Int, oldest: Timestamp?) {
        let found = try rows.readFunnel(of: key, byBranch: byBranch, limit: budget)
        let tallies = found.map(\.tally).filter { tally in
            !tally.counts.allSatisfy { $0.events == 0 } && (!byBranch || query.means(branch: tally.branch))
        }
        return (tallies, found.reduce(0) { $0 + $1.events }, found.map(\.oldest).min())
    }

    /// The number of clients in each branch.
    func enrollment() throws -> EnrollmentReading {
        let found = try rows.readEnrollments(limit: query.maximumRows)
        let branches = found.filter { query.means(branch: $0.branch) }
        let isCut = found.reduce(0) { $0 + $1.events } >= query.maximumRows
        return EnrollmentReading(
            clients: Dictionary(branches.map { ($0.branch, $0.clients) }) { _, last in last },
            coverage: isCut ? .since(found.map(\.oldest).min()) : try rows.readCoverage())
    }
}
