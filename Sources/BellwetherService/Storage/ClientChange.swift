public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// One client's part of a transaction: event ids to de-duplicate, and the pure function that changes its state.
public struct ClientChange<Value: Sendable>: Sendable {
    public let client: ClientReference
    /// One entry for each event, in order; nil for an event without an id.
    public let eventIDs: [Identifier?]
    /// The messages whose stored answers `apply` needs.
    public let answers: [Identifier]
    /// The time of the request, by the daemon's clock.
    public let now: Timestamp
    /// The goals that the change may count.
    let goals: GoalTable
    public let apply: @Sendable (inout ClientState, ChangeInput) -> ChangeOutcome<Value>

    public init(
        client: ClientReference, eventIDs: [Identifier?] = [], answers: [Identifier] = [], now: Timestamp,
        goals: GoalTable = .none,
        apply: @escaping @Sendable (inout ClientState, ChangeInput) -> ChangeOutcome<Value>
    ) {
        self.client = client
        self.eventIDs = eventIDs
        self.answers = answers
        self.now = now
        self.goals = goals
        self.apply = apply
    }
}

/// The facts besides the state to which a change is applied.
public struct ChangeInput {
    /// Parallel to `ClientChange.eventIDs`: whether the id was known before, or occurred earlier in the same change.
    public let isDuplicate: [Bool]
    /// The client's stored answer to a message that the change has named, if any.
    public let response: (_ message: Identifier) -> SurveyResponse?
    /// The goals that events count for.
    let goals: GoalTable

    public init(
        isDuplicate: [Bool], goals: GoalTable = .none, response: @escaping (Identifier) -> SurveyResponse?
    ) {
        self.isDuplicate = isDuplicate
        self.goals = goals
        self.response = response
    }
}

/// The records that a change writes, and its result.
public struct ChangeOutcome<Value: Sendable>: Sendable {
    public var records: [TelemetryRecord]
    public var responses: [SurveyResponse]
    /// The positions in `ClientChange.eventIDs` of new ids that are not to be stored.
    public var releasedEventIDs: [Int]
    /// The result for the requester.
    public var result: Value

    public init(
        records: [TelemetryRecord] = [], responses: [SurveyResponse] = [], releasedEventIDs: [Int] = [],
        result: Value
    ) {
        self.records = records
        self.responses = responses
        self.releasedEventIDs = releasedEventIDs
        self.result = result
    }
}

extension Transaction {
    /// Client changes that are committed together. Each change applies to the state that the earlier ones have left.
    /// The result has one entry for each change.
    public init<Each>(_ changes: [ClientChange<Each>]) where Value == [Each] {
        self.init(changes, key: nil) { application in
            let results = application.applyAll()
            return .done(application.finished(results))
        }
    }

    /// One change of a client.
    public init(_ change: ClientChange<Value>) {
        self.init([change], key: nil) { application in
            let result = application.apply(change, knownIDs: application.rows.knownIDs[0])
            return .done(application.finished(result))
        }
    }

    /// One change of a client, under an idempotency key if there is one.
    public init<Each>(_ change: ClientChange<Each>, idempotency: IdempotentWrite<Each>?) where Value == Claimed<Each> {
        self.init([change], key: idempotency?.claim.key) { application in
            if let claim = idempotency?.claim, let reply = application.rows.reply(under: claim.key) {
                let isSame = reply.bodyDigest == claim.bodyDigest
                return .done(TransactionOutcome(result: isSame ? .replayed(reply) : .keyConflict))
            }
            let result = application.apply(change, knownIDs: application.rows.knownIDs[0])
            var outcome = application.finished(Claimed.done(result))
            if let write = idempotency {
                let (status, body) = write.reply(result)
                let reply = StoredReply(
                    bodyDigest: write.claim.bodyDigest, status: status, body: body,
                    subject: ReplySubject(app: change.client.app, clientID: change.client.id))
                outcome.rows.append((.reply(write.claim.key), .reply(reply, at: change.now)))
            }
            return .done(outcome)
        }
    }

    private init<Each>(
        _ changes: [ClientChange<Each>], key: IdempotencyKey?,
        apply: @escaping @Sendable (inout ChangeApplication<Each>) -> TransactionStep<Value>
    ) {
        var names: [RowName] = []
        var seen: Set<RowName> = []
        for change in changes {
            let own = [.client(change.client)] + change.answers.map { RowName.answer(change.client, message: $0) }
            names += own.filter { changes.count == 1 || seen.insert($0).inserted }
        }
        if let key { names.append(.reply(key)) }
        self.init(
            names: names,
            eventIDs: changes.map { EventIDs(client: $0.client, ids: $0.eventIDs.compactMap(\.self), at: $0.now) },
            weight: changes.reduce(0) { $0 + max(1, $1.eventIDs.count) },
            now: changes.first?.now ?? Timestamp(milliseconds: 0)
        ) { rows in
            // The row of an identified client's user contains the displays to the client, and its answers.
            let users = Set(changes.compactMap { rows.user(of: $0.client) }).map { RowName.user($0) }
            let missing = users.filter { !rows.isLoaded($0) }
            guard missing.isEmpty else { return .needs(missing) }
            let late = changes.flatMap { rows.missingPeriods(of: $0.client, in: $0.goals) }
            guard late.isEmpty else { return .needs(late) }
            var application = ChangeApplication(changes, rows)
            return apply(&application)
        }
    }
}

/// Applies a transaction's client changes, one after another.
private struct ChangeApplication<Value: Sendable> {
    private let changes: [ClientChange<Value>]
    let rows: TransactionRows
    /// The states of clients. The state of an identified client excludes the part that is its user's.
    private var states: [ClientReference: ClientState] = [:]
    private var users: [UserReference: ClientState] = [:]
    private var answered: [RowName: SurveyResponse] = [:]
    /// The ids of each client that earlier changes of this transaction have claimed.
    private var claimed: [ClientReference: Set<Identifier>] = [:]
    private var outcome = TransactionOutcome(result: ())

    init(_ changes: [ClientChange<Value>], _ rows: TransactionRows) {
        self.changes = changes
        self.rows = rows
    }

    mutating func applyAll() -> [Value] {
        var results: [Value] = []
        results.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() { results.append(apply(change, knownIDs: rows.knownIDs[index])) }
        return results
    }

    /// The outcome, with the states that the changes have left.
    func finished<Result>(_ result: Result) -> TransactionOutcome<Result> {
        var outcome = outcome.with(result)
        for (client, state) in states { outcome.rows.append((.client(client), .client(state))) }
        for (user, state) in users { outcome.rows.append((.user(user), .client(state))) }
        return outcome
    }

    mutating func apply(_ change: ClientChange<Value>, knownIDs: [Bool]) -> Value {
        let client = change.client
        var state = states[client] ?? rows.state(of: client)
        let user = rows.user(of: client)
        if let user { state = state.joined(with: users[user] ?? rows.state(of: user)) }
        let isDuplicate = duplicates(of: change, knownIDs)
        let (rows, answered) = (rows, answered)
        let goals = rows.adding(periodsOf: client, to: change.goals)
        let input = ChangeInput(isDuplicate: isDuplicate, goals: goals) { message in
            answered[.answer(client, message: message)] ?? rows.answer(of: client, to: message)
        }
        let outcome = change.apply(&state, input)
        if let user {
            var theirs = users[user] ?? rows.state(of: user)
            state = state.split(into: &theirs)
            users[user] = theirs
        }
        states[client] = state
        remember(change, isDuplicate, released: outcome.releasedEventIDs)
        for response in outcome.responses {
            let name = RowName.answer(client, message: response.message)
            self.answered[name] = response
            self.outcome.rows.append((name, .answer(response)))
        }
        for record in outcome.records { self.outcome.records.append((client.app, record)) }
        return outcome.result
    }

    private mutating func duplicates(of change: ClientChange<Value>, _ knownIDs: [Bool]) -> [Bool] {
        guard !knownIDs.isEmpty else { return Array(repeating: false, count: change.eventIDs.count) }
        var known = knownIDs.makeIterator()
        return change.eventIDs.map { id in
            guard let id, let isKnown = known.next() else { return false }
            return !claimed[change.client, default: []].insert(id).inserted || isKnown
        }
    }

    private mutating func remember(_ change: ClientChange<Value>, _ isDuplicate: [Bool], released: [Int]) {
        guard !isDuplicate.isEmpty else { return }
        for index in released { change.eventIDs[index].map { _ = claimed[change.client]?.remove($0) } }
        let ids = change.eventIDs.indices.compactMap { index in
            isDuplicate[index] || released.contains(index) ? nil : change.eventIDs[index]
        }
        if !ids.isEmpty { outcome.eventIDs.append(EventIDs(client: change.client, ids: ids, at: change.now)) }
    }
}
