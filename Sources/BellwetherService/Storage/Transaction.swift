public import BellwetherBase
public import BellwetherCore
public import Surveys

/// The writes of one request as a value: the rows that it reads and may change, and a pure function from these rows to
/// what is to be written.
///
/// The function may be called again from fresh rows, so it must depend on nothing but its argument. Its whole outcome
/// is committed together or not at all, and its requester gets the outcome's result after that is durable.
public struct Transaction<Value: Sendable>: Sendable {
    /// Rows that it may read or change.
    public let names: [RowName]
    /// Event ids to recognise duplicates by, one entry for each client.
    public let eventIDs: [EventIDs]
    /// When the request came: its records are received, and its ids remembered, from then on.
    public let now: Timestamp
    /// How much it counts among those that wait: its events, at least 1, or the KiB that it keeps if these are more.
    public private(set) var weight: Int
    public let apply: @Sendable (TransactionRows) -> TransactionStep<Value>

    public init(
        names: [RowName], eventIDs: [EventIDs] = [], weight: Int = 1, now: Timestamp,
        apply: @escaping @Sendable (TransactionRows) -> TransactionStep<Value>
    ) {
        self.names = names
        self.eventIDs = eventIDs
        self.weight = weight
        self.now = now
        self.apply = apply
    }

    /// The same, of a request whose content it keeps while it waits.
    public func keeping(bytes: Int) -> Transaction {
        var transaction = self
        transaction.weight = max(weight, bytes >> 10)
        return transaction
    }

    /// The same over one more row, with a function of its own.
    func adding<Other>(
        _ name: RowName, apply: @escaping @Sendable (TransactionRows) -> TransactionStep<Other>
    ) -> Transaction<Other> {
        Transaction<Other>(names: names + [name], eventIDs: eventIDs, weight: weight, now: now, apply: apply)
    }

    /// The same, with another result.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Transaction<Other> {
        Transaction<Other>(names: names, eventIDs: eventIDs, weight: weight, now: now) { [apply] rows in
            switch apply(rows) {
            case .done(let outcome): .done(outcome.with(transform(outcome.result)))
            case .needs(let names): .needs(names)
            }
        }
    }
}

/// The result of an inquiry over the rows that it has.
public enum Inquiry<Value: Sendable>: Sendable {
    case done(Value)
    /// More rows have to be read first.
    case needs([RowName])
}

public enum TransactionStep<Value: Sendable>: Sendable {
    case done(TransactionOutcome<Value>)
    /// More rows have to be read first.
    case needs([RowName])
}

/// The rows as a transaction finds them: those that it has named, as the transactions before it in the batch have left
/// them.
///
/// A row that it has not named reads as missing. The reading is noted: the writer loads the row and applies the
/// transaction again. So every outcome rests on rows whose versions are compared.
public struct TransactionRows {
    /// How often a transaction, or a question, may ask for more rows.
    static let maximumRounds = 16

    private var values: [RowName: RowValue?] = [:]
    /// Parallel to the transaction's event ids.
    public let knownIDs: [[Bool]]
    private let unnamed = UnnamedRows()

    init(capacity: Int = 0, knownIDs: [[Bool]] = []) {
        self.knownIDs = knownIDs
        values.reserveCapacity(capacity)
    }

    mutating func enter(_ name: RowName, _ value: RowValue?) {
        values.updateValue(value, forKey: name)
        unnamed.remove(name)
    }

    /// Rows that were read and are not among the named ones.
    var readUnnamed: [RowName] { unnamed.names }

    /// Nil: there is no such row.
    public subscript(name: RowName) -> RowValue? {
        if let value = values[name] { return value }
        unnamed.note(name)
        return nil
    }

    /// Whether the row was read. Rows that are not loaded can be asked for by `TransactionStep.needs`.
    public func isLoaded(_ name: RowName) -> Bool { values[name] != nil }

    /// A client never seen has an empty state.
    public func state(of client: ClientReference) -> ClientState {
        if case .client(let state)? = self[.client(client)] { state } else { ClientState() }
    }

    public func answer(of client: ClientReference, to message: String) -> SurveyResponse? {
        if case .answer(let response)? = self[.answer(client, message: message)] { response } else { nil }
    }

    /// The user that a client was identified with.
    func user(of client: ClientReference) -> UserReference? {
        state(of: client).userID.map { UserReference(app: client.app, id: $0) }
    }

    /// A user never seen has an empty state.
    public func state(of user: UserReference) -> ClientState {
        if case .client(let state)? = self[.user(user)] { state } else { ClientState() }
    }

    public func run(_ run: RunReference) -> Run? {
        if case .run(let run)? = self[.run(run)] { run } else { nil }
    }

    public func reply(under key: IdempotencyKey) -> StoredReply? {
        if case .reply(let reply, _)? = self[.reply(key)] { reply } else { nil }
    }
}

/// Names of rows that were read without being named. A reference, for rows are read by functions that change nothing.
private final class UnnamedRows {
    private(set) var names: [RowName] = []

    func note(_ name: RowName) { if !names.contains(name) { names.append(name) } }

    func remove(_ name: RowName) { if !names.isEmpty { names.removeAll { $0 == name } } }
}

/// The rows that a transaction wants written, and its result.
public struct TransactionOutcome<Value: Sendable>: Sendable {
    /// Rows with new values, each once.
    public var rows: [(name: RowName, value: RowValue)] = []
    /// Ids to remember.
    public var eventIDs: [EventIDs] = []
    /// By app.
    public var records: [(app: String, record: TelemetryRecord)] = []
    /// Webhooks to send once this is durable. Their ids were drawn before the transaction.
    public var outbox: [OutboxRow] = []
    /// Files that the runs among the rows refer to.
    public var files: [FileWrite] = []
    /// Entries of the audit.
    public var audit: [AuditEntry] = []
    /// The result for the requester.
    public var result: Value

    public init(result: Value) { self.result = result }

    /// The same, with another result.
    func with<Other>(_ result: Other) -> TransactionOutcome<Other> {
        var outcome = TransactionOutcome<Other>(result: result)
        (outcome.rows, outcome.eventIDs, outcome.records) = (rows, eventIDs, records)
        (outcome.outbox, outcome.files, outcome.audit) = (outbox, files, audit)
        return outcome
    }
}

/// The outcome of a write under an idempotency key.
public enum Claimed<Value: Sendable>: Sendable {
    case done(Value)
    /// The key was used before with the same body: the first reply.
    case replayed(StoredReply)
    /// The key was used before with another body.
    case keyConflict
}

extension Transaction where Value == Void {
    /// An entry of the audit about something that changes nothing.
    static func audit(_ entry: AuditEntry) -> Transaction {
        Transaction(names: [.audit], now: entry.at) { _ in
            var outcome = TransactionOutcome(result: ())
            outcome.audit = [entry]
            return .done(outcome)
        }
    }
}

extension Persistence {
    /// Writes an entry of the audit about something that changes nothing.
    public func record(
        _ entry: AuditEntry, _ completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        submit(.audit(entry), completion)
    }
}
