public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// The name of a row that transactions read and write. A name never contains a number that a store has chosen.
public enum RowName: Sendable, Hashable {
    /// A client's state. It serialises all writes about the client: a write that adds an answer or an event id of the
    /// client also writes this row.
    case client(ClientReference)
    /// A client's answer to a microsurvey, by the message's key. It is written once.
    case answer(ClientReference, message: Identifier)
    /// The reply kept under an idempotency key. It is written once.
    case reply(IdempotencyKey)
    /// The displays to a user and the user's actions, on any client.
    case user(UserReference)
    /// A run, by its id.
    case run(RunReference)
    /// The current run of a respondent of a recipe.
    case currentRun(app: Identifier, slug: Identifier, respondent: Identifier)
    /// The number of responses that a message's quotas and limit have counted, by the message's key.
    case tally(app: Identifier, key: Identifier)
    /// The counts of a recipe's runs that are counted together, by the key of their cell (`ResultCell`). Another use is
    /// the note that a recipe has uncounted runs (`EarlierRuns`).
    case counts(app: Identifier, key: Identifier)
    /// The sums of a recipe's clients that were exposed in one period, branch and day (`GoalCellKey`).
    case cell(app: Identifier, key: Identifier)
    /// The periods of a recipe with goals, and the guards that have fired.
    case periods(app: Identifier, slug: Identifier)
    /// The definitions of an app's derived events.
    case definitions(app: Identifier)
    /// The forecast of a recipe that went live, and what came.
    case forecast(app: Identifier, slug: Identifier)
    /// The ids of a respondent's runs, by the respondent's key.
    case runList(app: Identifier, respondent: Identifier)
    /// The fact that a client was identified with a user. It serves to find an erased user's clients.
    case alias(UserReference, clientID: Identifier)
    /// The owner of a job that one process does at a time, by the job's name.
    case lease(Identifier)
    /// A webhook that waits or was given up, by its id. `WriteGroup.outbox` writes it first.
    case webhook(Identifier)
    /// A pipeline's position in an app's log.
    case consumer(app: Identifier, name: Identifier)
    /// The owners' note on a recipe.
    case note(app: Identifier, slug: Identifier)
    /// A list of an app, without its ids.
    case list(app: Identifier, name: Identifier)
    /// One bucket of a list's ids, by its index (`ListEntries`). It is written with the list.
    case listBucket(app: Identifier, list: Identifier, Int)
    /// The key under which ids of lists are hashed. It is written once.
    case listKey
    /// A token that the daemon issued, by the SHA-256 of its text.
    case token(digest: [UInt8])
    /// The end of the audit. It is written with the records that follow it (`WriteGroup.audit`). Its version is the
    /// sequence number of the last record.
    case audit
    /// The head of the catalog. It is written with the changes that follow it (`WriteGroup.catalog`). Its version is
    /// `CatalogHead.revision`.
    case catalog
    /// A manifest or strings in force. Only `WriteGroup.catalog` writes it, as it does all documents.
    case document(app: Identifier, DocumentName)
    /// The draft of a manifest or of strings.
    case draft(app: Identifier, DocumentName)
    case recipe(app: Identifier, slug: Identifier)
    /// A revision of a recipe, also of a deleted one.
    case revision(app: Identifier, slug: Identifier, Int)
    /// A file of runs. Only `WriteGroup.files` writes it.
    case file(FileName)

}

/// A user of one app. Clients are identified with users.
public struct UserReference: Sendable, Hashable {
    public let app: Identifier
    public let id: Identifier

    public init(app: Identifier, id: Identifier) {
        self.app = app
        self.id = id
    }
}

/// A client or user whose data is erased or exported.
public enum Person: Sendable, Hashable {
    case client(ClientReference)
    case user(UserReference)

    public var app: Identifier {
        switch self {
        case .client(let client): client.app
        case .user(let user): user.app
        }
    }

    public var id: Identifier {
        switch self {
        case .client(let client): client.id
        case .user(let user): user.id
        }
    }

    /// The respondent whose runs are erased with the person.
    public var respondent: Respondent {
        switch self {
        case .client(let client): .client(client.id)
        case .user(let user): .user(user.id)
        }
    }

    /// The key under which the client table holds the row.
    public var tableKey: ClientReference {
        switch self {
        case .client(let client): client
        case .user(let user): user.tableKey
        }
    }

    var rowName: RowName {
        switch self {
        case .client(let client): .client(client)
        case .user(let user): .user(user)
        }
    }
}

/// A recipe of one app.
public struct RecipeReference: Sendable, Hashable {
    public let app: Identifier
    public let slug: Identifier

    init(app: Identifier, slug: Identifier) { (self.app, self.slug) = (app, slug) }
}

/// A run of one app.
public struct RunReference: Sendable, Hashable {
    public let app: Identifier
    public let id: Identifier

    public init(app: Identifier, id: Identifier) {
        self.app = app
        self.id = id
    }
}

extension UserReference {
    /// The key under which the client table holds the user's row. No client has such an id, because NUL is not a
    /// printable character.
    var tableKey: ClientReference { ClientReference(app: app, id: "\u{0}\(id)") }
}

extension RowName {
    /// The row that a client table holds under a key.
    init(tableKey key: ClientReference) {
        let isUser = key.id.utf8.first == 0
        let id = Identifier(String(key.id.text.unicodeScalars.dropFirst()))
        self = isUser ? .user(UserReference(app: key.app, id: id)) : .client(key)
    }

    var tableKey: ClientReference? {
        switch self {
        case .client(let client): client
        case .user(let user): user.tableKey
        default: nil
        }
    }
}

/// The value of a row.
public enum RowValue: Sendable, Hashable {
    /// The state of a client or of a user. A user's state has no counters and no enrollments.
    case client(ClientState)
    case answer(SurveyResponse)
    /// A reply, and the time from which it is kept.
    case reply(StoredReply, at: Timestamp)
    case run(Run)
    /// The run's id; nil if the respondent no longer has one.
    case currentRun(Identifier?)
    case tally(Tally)
    case counts(ResultCounts)
    case cell(GoalCell)
    case periods(RecipePeriods)
    case definitions(EventDefinitions)
    case forecast(HeldForecast)
    case runList(RunList)
    case alias
    case lease(Lease)
    /// A webhook, and the daemon that began the last attempt; nil if no attempt is under way.
    case webhook(OutboxRow, owner: Identifier?)
    case consumer(ConsumerPosition)
    case note(RecipeNote)
    case list(StoredList)
    case listBucket(ListBucket)
    case listKey(ListKey)
    case token(KeptToken)
    case audit(AuditChain)
    case catalog
    case document(StoredDocument)
    case recipe(StoredRecipe)
    case file(StoredFile)
    /// The row is deleted.
    case nothing

    /// Whether the value is empty. A store deletes the row then.
    public var isEmpty: Bool {
        switch self {
        case .nothing, .currentRun(nil): true
        case .runList(let list): list.ids.isEmpty
        case .counts(let counts): counts.isEmpty
        case .cell(let cell): cell.isEmpty
        case .periods(let periods): periods.isEmpty
        case .definitions(let definitions): definitions.isEmpty
        case .note(let note): note.isEmpty
        case .listBucket(let bucket): bucket.entries.isEmpty
        default: false
        }
    }
}

/// A row in a store. Its version changes with every write. A row that does not exist has version 0.
public struct StoredRow: Sendable, Hashable {
    public let version: UInt64
    public let value: RowValue

    public init(version: UInt64, value: RowValue) {
        self.version = version
        self.value = value
    }
}

/// The ids of one client's events, each once.
public struct EventIDs: Sendable, Hashable {
    public let client: ClientReference
    public var ids: [Identifier]
    /// The time at which the daemon received them, by which retention deletes them.
    public let at: Timestamp

    public init(client: ClientReference, ids: [Identifier], at: Timestamp) {
        self.client = client
        self.ids = ids
        self.at = at
    }
}

/// The rows and event ids that are read from one snapshot of the store.
public struct RowQuery: Sendable {
    public var names: [RowName] = []
    /// The ids that are looked up among the known ones.
    public var eventIDs: [EventIDs] = []

    public init(names: [RowName] = [], eventIDs: [EventIDs] = []) {
        self.names = names
        self.eventIDs = eventIDs
    }

    public var isEmpty: Bool { names.isEmpty && eventIDs.isEmpty }
}

public struct RowReading: Sendable {
    /// Parallel to the query's names: nil for a row that does not exist, a failure for a row that cannot be read.
    public let rows: [Result<StoredRow?, StoreError>]
    /// Parallel to the query's event ids: whether each id is known.
    public let knownIDs: [[Bool]]

    public init(rows: [Result<StoredRow?, StoreError>], knownIDs: [[Bool]]) {
        self.rows = rows
        self.knownIDs = knownIDs
    }
}

/// One row of a write.
public struct RowWrite: Sendable {
    public let name: RowName
    /// The version that the writer has read; 0 if there was no row. The row must still have it.
    public let expected: UInt64
    /// The new value; nil if the row was read and is not changed.
    public let value: RowValue?

    public init(name: RowName, expected: UInt64, value: RowValue? = nil) {
        self.name = name
        self.expected = expected
        self.value = value
    }
}

/// Rows and records that are written together or not at all. Two groups of a write never name the same row.
public struct WriteGroup: Sendable {
    public var rows: [RowWrite] = []
    /// The new event ids. Their clients' rows are among `rows`, with a value. The ids are deleted with their client's
    /// row.
    public var eventIDs: [EventIDs] = []
    /// The records, which are appended to the log in this order.
    public var records: [LogRecord] = []
    /// The webhooks to send. A webhook whose id exists is not written again.
    public var outbox: [OutboxRow] = []
    /// The files that runs among the rows refer to. A file that the app has already is not written again. A file that
    /// no run of the app refers to after the write is not kept.
    public var files: [FileWrite] = []
    /// The records, which are appended to the audit in this order. They follow the end that the row `.audit` expects,
    /// which is among `rows`.
    public var audit: [AuditRecord] = []
    /// The changes of the documents, in this order. The row `.catalog` is among `rows`.
    public var catalog: [CatalogChange] = []
    /// Whether all files of the store must soon be free of the deleted rows
    /// (docs/decisions/0071-an-erasure-empties-the-write-ahead-log.md).
    public var isErasure = false

    public init() {}

    /// A group of these rows.
    public init(_ rows: [RowWrite]) { self.rows = rows }

    public struct LogRecord: Sendable {
        public let app: Identifier
        public let record: TelemetryRecord
        public let receivedAt: Timestamp

        public init(app: Identifier, record: TelemetryRecord, receivedAt: Timestamp) {
            self.app = app
            self.record = record
            self.receivedAt = receivedAt
        }
    }
}

/// The outcome of a group's write.
public enum WriteOutcome: Sendable, Hashable {
    /// The group is durable. The numbers are the present versions of its rows, parallel to them.
    case written([UInt64])
    /// The group was not written, because these rows do not have the expected versions.
    case conflict([RowName])
}
