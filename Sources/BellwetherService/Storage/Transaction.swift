public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// The writes of one request as a value: the rows that it may read and change, and a pure function from these rows to
/// the outcome.
///
/// The function may be called again with fresh rows, so it must depend only on its argument. Its whole outcome is
/// committed together or not at all. The requester gets the result after the outcome is durable.
public struct Transaction<Value: Sendable>: Sendable {
    /// The rows that it may read or change.
    public let names: [RowName]
    /// The event ids that are checked for duplicates, one entry for each client.
    public let eventIDs: [EventIDs]
    /// The time of the request, at which its records are received and its ids are stored.
    public let now: Timestamp
    /// The weight among waiting transactions: the number of events, at least 1, or the KiB that it keeps if these are
    /// more.
    public private(set) var weight: Int
    /// Whether it only records the effect of a poll or an evaluation on a client. It notifies no stream.
    public private(set) var isEffect = false
    /// The name of the streams whose reader makes the change (docs/reference/streams.md#who-is-notified).
    public private(set) var stream: String?
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

    /// The transaction with the weight of a request whose bytes it keeps while it waits.
    public func keeping(bytes: Int) -> Transaction {
        var transaction = self
        transaction.weight = max(weight, bytes >> 10)
        return transaction
    }

    /// The transaction, with the streams that it does not notify: those with the name that the request gives, or all if
    /// it is only an effect.
    func notifying(except stream: String?, isEffect: Bool = false) -> Transaction {
        var transaction = self
        (transaction.stream, transaction.isEffect) = (stream, isEffect)
        return transaction
    }

    /// The transaction, with the trace to which its webhooks belong.
    func tracing(_ trace: TraceContext?) -> Transaction {
        guard let trace else { return self }
        return Transaction(names: names, eventIDs: eventIDs, weight: weight, now: now) { [apply] rows in
            let step = apply(rows)
            guard case .done(var outcome) = step else { return step }
            for index in outcome.outbox.indices { outcome.outbox[index].trace = trace }
            return .done(outcome)
        }
        .notifying(except: stream, isEffect: isEffect)
    }

    /// The stream that a change of a person's row does not notify; nil if there is none.
    func streamKey(of row: RowName) -> ChangeMark.StreamKey? {
        guard let stream else { return nil }
        let clients: Set = if case .client(let client) = row { [client] } else { Set(names.compactMap(\.client)) }
        return clients.count == 1 ? clients.first.map { ChangeMark.StreamKey(client: $0.id, name: stream) } : nil
    }

    /// A transaction over one more row, with another function.
    func adding<Other>(
        _ name: RowName, apply: @escaping @Sendable (TransactionRows) -> TransactionStep<Other>
    ) -> Transaction<Other> {
        Transaction<Other>(names: names + [name], eventIDs: eventIDs, weight: weight, now: now, apply: apply)
            .notifying(except: stream, isEffect: isEffect)
    }

    /// The transaction, with another result.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Transaction<Other> {
        Transaction<Other>(names: names, eventIDs: eventIDs, weight: weight, now: now) { [apply] rows in
            switch apply(rows) {
            case .done(let outcome): .done(outcome.with(transform(outcome.result)))
            case .needs(let names): .needs(names)
            }
        }
        .notifying(except: stream, isEffect: isEffect)
    }
}

extension RowName {
    /// The client whose row it is; nil for another row.
    fileprivate var client: ClientReference? { if case .client(let client) = self { client } else { nil } }
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

/// The rows that a transaction has named, as the transactions before it in the batch have left them.
///
/// A row that it has not named reads as missing. The read is noted: the writer loads the row and applies the
/// transaction again. So every outcome depends only on rows whose versions are compared.
public struct TransactionRows {
    /// The maximum number of times that a transaction, or an inquiry, may request more rows.
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

    /// The rows that were read and are not among the named ones.
    var readUnnamed: [RowName] { unnamed.names }

    /// The value of a row; nil if there is no such row.
    public subscript(name: RowName) -> RowValue? {
        if let value = values[name] { return value }
        unnamed.note(name)
        return nil
    }

    /// Whether the row was read. Rows that are not loaded can be requested with `TransactionStep.needs`.
    public func isLoaded(_ name: RowName) -> Bool { values[name] != nil }

    /// The state of a client. A client that was never seen has an empty state.
    public func state(of client: ClientReference) -> ClientState {
        if case .client(let state)? = self[.client(client)] { state } else { ClientState() }
    }

    public func answer(of client: ClientReference, to message: Identifier) -> SurveyResponse? {
        if case .answer(let response)? = self[.answer(client, message: message)] { response } else { nil }
    }

    /// The user with whom a client was identified.
    func user(of client: ClientReference) -> UserReference? {
        state(of: client).userID.map { UserReference(app: client.app, id: $0) }
    }

    /// The state of a user. A user that was never seen has an empty state.
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

/// The names of rows that were read without being named. It is a reference type, because functions that read rows do
/// not mutate.
private final class UnnamedRows {
    private(set) var names: [RowName] = []

    func note(_ name: RowName) { if !names.contains(name) { names.append(name) } }

    func remove(_ name: RowName) { if !names.isEmpty { names.removeAll { $0 == name } } }
}

/// The rows that a transaction writes, and its result.
public struct TransactionOutcome<Value: Sendable>: Sendable {
    /// The rows with new values, each once.
    public var rows: [(name: RowName, value: RowValue)] = []
    /// The event ids to store.
    public var eventIDs: [EventIDs] = []
    /// The records, each with its app.
    public var records: [(app: Identifier, record: TelemetryRecord)] = []
    /// The webhooks to send after the outcome is durable. Their ids were drawn before the transaction.
    public var outbox: [OutboxRow] = []
    /// The files that the runs among the rows refer to.
    public var files: [FileWrite] = []
    /// The entries of the audit.
    public var audit: [AuditEntry] = []
    /// The result for the requester.
    public var result: Value

    public init(result: Value) { self.result = result }

    /// The outcome, with another result.
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
    /// The key was used before with the same body; this is the first reply.
    case replayed(StoredReply)
    /// The key was used before with another body.
    case keyConflict
}

extension Transaction where Value == Void {
    /// A transaction that only adds an entry to the audit.
    static func audit(_ entry: AuditEntry) -> Transaction {
        Transaction(names: [.audit], now: entry.at) { _ in
            var outcome = TransactionOutcome(result: ())
            outcome.audit = [entry]
            return .done(outcome)
        }
    }
}

extension Persistence {
    /// Adds an entry to the audit without any other change.
    public func record(
        _ entry: AuditEntry, _ completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        submit(.audit(entry), completion)
    }
}
