public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// One client's share of a transaction: event ids to de-duplicate, and the pure function that changes its state.
public struct ClientChange: Sendable {
    public let client: ClientReference
    /// One entry an event, in order; nil for an event without an id.
    public let eventIDs: [String?]
    /// The messages whose stored answers `apply` asks for.
    public let answers: [String]
    /// When the request came, by the daemon's clock.
    public let now: Timestamp
    public let apply: @Sendable (inout ClientState, ChangeInput) -> ChangeOutcome

    public init(
        client: ClientReference, eventIDs: [String?] = [], answers: [String] = [], now: Timestamp,
        apply: @escaping @Sendable (inout ClientState, ChangeInput) -> ChangeOutcome
    ) {
        self.client = client
        self.eventIDs = eventIDs
        self.answers = answers
        self.now = now
        self.apply = apply
    }
}

/// What is known beyond the state when a change is applied.
public struct ChangeInput {
    /// Parallel to `ClientChange.eventIDs`: the id was known before, or stood earlier in the same change.
    public let isDuplicate: [Bool]
    /// The client's stored answer to a message that the change has named, if any.
    public let response: (_ message: String) -> SurveyResponse?

    public init(isDuplicate: [Bool], response: @escaping (String) -> SurveyResponse?) {
        self.isDuplicate = isDuplicate
        self.response = response
    }
}

/// What a change wants recorded, and what its requester is told.
public struct ChangeOutcome: Sendable {
    public var records: [TelemetryRecord]
    public var responses: [SurveyResponse]
    /// Positions in `ClientChange.eventIDs` of those that were not known and are not to be remembered after all.
    public var releasedEventIDs: [Int]
    public var result: ChangeResult

    public init(
        records: [TelemetryRecord] = [], responses: [SurveyResponse] = [], releasedEventIDs: [Int] = [],
        result: ChangeResult
    ) {
        self.records = records
        self.responses = responses
        self.releasedEventIDs = releasedEventIDs
        self.result = result
    }
}

extension Transaction {
    /// Client changes that are committed together, each on what those before it have left, under an idempotency key if
    /// there is one.
    public init(_ changes: [ClientChange], idempotency: IdempotentWrite? = nil) {
        var names: [RowName] = []
        var seen: Set<RowName> = []
        for change in changes {
            let own = [.client(change.client)] + change.answers.map { RowName.answer(change.client, message: $0) }
            names += own.filter { changes.count == 1 || seen.insert($0).inserted }
        }
        if let claim = idempotency?.claim { names.append(.reply(claim.key)) }
        self.init(
            names: names,
            eventIDs: changes.map { EventIDs(client: $0.client, ids: $0.eventIDs.compactMap(\.self), at: $0.now) },
            weight: changes.reduce(0) { $0 + max(1, $1.eventIDs.count) },
            now: changes.first?.now ?? Timestamp(milliseconds: 0)
        ) { rows in
            // What was shown to an identified client, and what it answered, stands in its user's row.
            let users = Set(changes.compactMap { rows.user(of: $0.client) }).map { RowName.user($0) }
            let missing = users.filter { !rows.isLoaded($0) }
            guard missing.isEmpty else { return .needs(missing) }
            return .done(ChangeApplication(changes, rows).outcome(idempotency))
        }
    }
}

/// Applies a transaction's client changes, one after another.
private struct ChangeApplication {
    private let changes: [ClientChange]
    private let rows: TransactionRows
    /// Of identified clients without what is their user's.
    private var states: [ClientReference: ClientState] = [:]
    private var users: [UserReference: ClientState] = [:]
    private var answered: [RowName: SurveyResponse] = [:]
    /// Ids of each client that earlier changes of this transaction have claimed.
    private var claimed: [ClientReference: Set<ByteKey>] = [:]
    private var result = TransactionOutcome(result: .keyConflict)

    init(_ changes: [ClientChange], _ rows: TransactionRows) {
        self.changes = changes
        self.rows = rows
    }

    consuming func outcome(_ idempotency: IdempotentWrite?) -> TransactionOutcome {
        if let claim = idempotency?.claim, let reply = rows.reply(under: claim.key) {
            result.result = reply.bodyDigest == claim.bodyDigest ? .replayed(reply) : .keyConflict
            return result
        }
        var results: [ChangeResult] = []
        results.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() { results.append(apply(change, knownIDs: rows.knownIDs[index])) }
        for (client, state) in states { result.rows.append((.client(client), .client(state))) }
        for (user, state) in users { result.rows.append((.user(user), .client(state))) }
        if let write = idempotency {
            let (status, body) = write.reply(results)
            let subject = changes.first.map { ReplySubject(app: $0.client.app, clientID: $0.client.id) }
            let reply = StoredReply(
                bodyDigest: write.claim.bodyDigest, status: status, body: body, subject: subject)
            let now = changes.first?.now ?? Timestamp(milliseconds: 0)
            result.rows.append((.reply(write.claim.key), .reply(reply, at: now)))
        }
        result.result = .applied(results)
        return result
    }

    private mutating func apply(_ change: ClientChange, knownIDs: [Bool]) -> ChangeResult {
        let client = change.client
        var state = states[client] ?? rows.state(of: client)
        let user = rows.user(of: client)
        if let user { state = state.joined(with: users[user] ?? rows.state(of: user)) }
        let isDuplicate = duplicates(of: change, knownIDs)
        let (rows, answered) = (rows, answered)
        let input = ChangeInput(isDuplicate: isDuplicate) { message in
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
            result.rows.append((name, .answer(response)))
        }
        for record in outcome.records { result.records.append((client.app, record)) }
        return outcome.result
    }

    private mutating func duplicates(of change: ClientChange, _ knownIDs: [Bool]) -> [Bool] {
        guard !knownIDs.isEmpty else { return Array(repeating: false, count: change.eventIDs.count) }
        var known = knownIDs.makeIterator()
        return change.eventIDs.map { id in
            guard let id, let isKnown = known.next() else { return false }
            return !claimed[change.client, default: []].insert(ByteKey(text: id)).inserted || isKnown
        }
    }

    private mutating func remember(_ change: ClientChange, _ isDuplicate: [Bool], released: [Int]) {
        guard !isDuplicate.isEmpty else { return }
        for index in released { change.eventIDs[index].map { _ = claimed[change.client]?.remove(ByteKey(text: $0)) } }
        let ids = change.eventIDs.indices.compactMap { index in
            isDuplicate[index] || released.contains(index) ? nil : change.eventIDs[index]
        }
        if !ids.isEmpty { result.eventIDs.append(EventIDs(client: change.client, ids: ids, at: change.now)) }
    }
}
