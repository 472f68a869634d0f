public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import BellwetherService
public import Surveys

// How values of rows are read from columns, and the columns' values. The order of columns is that of `StoreTable`.

/// Tables of named rows.
extension StoreTable {
    /// Whether rows have a version. A row that is written once has version 1.
    public var hasVersion: Bool { Self.versioned.contains(self) }

    private static let versioned = Set(allCases.filter { $0.columns.contains { $0.name == "version" } })

    /// The columns after the key and the version.
    public var valueColumns: [String] { columns.dropFirst(keyCount).map(\.name).filter { $0 != "version" } }

    /// The SQL of the columns that `value` reads, of `t` and of the tables that `joins` adds.
    public func selection(_ dialect: Dialect) -> String {
        switch self {
        case .run, .small: "t.body"
        case .document, .draft, .revision: Self.document("t")
        case .recipe: "t.state, t.state_since, \(Self.document("newest")), \(Self.document("forced"))"
        default: valueColumns.map { dialect.expression($0, of: self) }.joined(separator: ", ")
        }
    }

    public func joins(_ dialect: Dialect) -> String {
        guard self == .recipe else { return "" }
        let revision = dialect.name(.revision)
        return """
            LEFT JOIN \(revision) newest
                ON newest.app = t.app AND newest.slug = t.slug AND newest.revision = t.revision
            LEFT JOIN \(revision) forced
                ON forced.app = t.app AND forced.slug = t.slug AND forced.revision = t.in_force
            """
    }

    /// The SQL of the version of a row of `t`.
    public var version: String { hasVersion ? "t.version" : "1" }

    static func document(_ table: String) -> String {
        ["revision", "source", "text", "published_at", "author"].map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// The name of the row with this key; nil if no row can have it.
    func rowName(_ keys: [Identifier]) -> RowName? {
        switch self {
        case .client: .client(ClientReference(app: keys[0], id: keys[1]))
        case .user: .user(UserReference(app: keys[0], id: keys[1]))
        case .answer: .answer(ClientReference(app: keys[0], id: keys[1]), message: keys[2])
        case .reply: .reply(IdempotencyKey(token: keys[0], path: keys[1], text: keys[2]))
        case .run: .run(RunReference(app: keys[0], id: keys[1]))
        case .currentRun: .currentRun(app: keys[0], slug: keys[1], respondent: keys[2])
        case .small: SmallRow.Kind(rawValue: keys[0].text).flatMap { SmallRow.name($0, app: keys[1], key: keys[2]) }
        case .webhook: .webhook(keys[0])
        case .revision: Int(keys[2].text).map { .revision(app: keys[0], slug: keys[1], $0) }
        default: nil
        }
    }

    /// The value of a row whose columns begin at a position.
    public func value(_ row: some ColumnReader, at place: Int, _ keys: [Identifier]) throws -> RowValue {
        switch self {
        case .client, .user:
            guard let state = ClientState(encoded: row.bytes(place)) else {
                throw RowFault("the stored state of a \(rawValue) of \(keys[0]) cannot be read")
            }
            return .client(state)
        case .answer: return .answer(SurveyResponse(row, at: place, client: keys[1], message: keys[2]))
        case .reply: return .reply(StoredReply(row, at: place), at: row.time(place + 4))
        case .run: return .run(try Run(stored: row.bytes(place)))
        case .currentRun: return .currentRun(row.optionalIdentifier(place))
        case .small:
            guard let kind = SmallRow.Kind(rawValue: keys[0].text),
                let value = SmallRow.value(kind, row.bytes(place))
            else {
                throw RowFault("a \(keys[0]) cannot be read")
            }
            return value
        case .webhook:
            return .webhook(OutboxRow(row, at: place, id: keys[0]), owner: row.optionalIdentifier(place + 10))
        case .file: return .file(StoredFile(type: row.text(place), content: row.bytes(place + 1)))
        case .document, .draft, .revision: return .document(try StoredDocument(row, at: place))
        case .recipe: return .recipe(try StoredRecipe(row, at: place, slug: keys[1]))
        default: throw RowFault("table \(rawValue) has no rows with names")
        }
    }
}

extension SurveyResponse {
    init(_ row: some ColumnReader, at place: Int, client: Identifier, message: Identifier) {
        self.init(
            id: row.identifier(place), clientID: client, message: message, requestID: row.optionalIdentifier(place + 1),
            optionIndex: Int(row.integer(place + 2)), optionStringID: row.identifier(place + 3),
            text: row.text(place + 4),
            locale: row.text(place + 5), revision: Int(row.integer(place + 6)), submittedAt: row.time(place + 7))
        if let slug = row.optionalIdentifier(place + 8), let branch = row.optionalIdentifier(place + 9) {
            enrollment = EnrolledBranch(slug: slug, branch: branch)
        }
    }

    public var columns: [ColumnValue] {
        [
            .text(id), .text(requestID), .integer(Int64(optionIndex)), .text(optionStringID), .text(text),
            .text(locale), .integer(Int64(revision)), .time(submittedAt), .text(enrollment?.slug),
            .text(enrollment?.branch),
        ]
    }
}

extension StoredReply {
    init(_ row: some ColumnReader, at place: Int) {
        let subject = row.optionalIdentifier(place + 5).map { app in
            ReplySubject(
                app: app, clientID: row.optionalIdentifier(place + 6), userID: row.optionalIdentifier(place + 7),
                runID: row.optionalIdentifier(place + 8))
        }
        self.init(
            bodyDigest: row.bytes(place), status: Int(row.integer(place + 1)), body: row.bytes(place + 2),
            entityTag: row.optionalText(place + 3), subject: subject)
    }

    public func columns(at time: Timestamp) -> [ColumnValue] {
        [
            .bytes(bodyDigest), .integer(Int64(status)), .bytes(body), .text(entityTag), .time(time),
            subject.map { .app($0.app) } ?? .null, .text(subject?.clientID), .text(subject?.userID),
            .text(subject?.runID),
        ]
    }
}

extension Run {
    init(stored body: [UInt8]) throws {
        guard let json = try? JSONValue(parsing: body, limits: .kept), let object = json.object, let run = Run(object)
        else { throw RowFault("a run cannot be read") }
        self = run
    }

    public func columns(version: UInt64) -> [ColumnValue] {
        [
            .version(version), .text(slug), .text(respondent.userID), .text(clientID), .text(mergedUserID),
            .text(status.rawValue), .integer(isDevelopment ? 1 : 0), .time(createdAt), .time(updatedAt),
            .time(submittedAt), .time(deletedAt), .bytes(JSONValue.object(json).encoded),
        ]
    }
}

extension OutboxRow {
    init(_ row: some ColumnReader, at place: Int, id: Identifier) {
        self.init(
            id: id, app: row.identifier(place), url: row.text(place + 1), secretName: row.optionalText(place + 3),
            body: row.bytes(place + 4), clientID: row.optionalIdentifier(place + 5),
            userID: row.optionalIdentifier(place + 6),
            createdAt: row.time(place + 7))
        attempts = Int(row.integer(place + 8))
        nextAttempt = row.time(place + 9)
        if let time = row.optionalTime(place + 11) { state = .dead(at: time) }
        lastFailure = row.optionalText(place + 12)
        trace = row.optionalText(place + 13).flatMap { TraceContext(stored: $0) }
    }

    private var diedAt: Timestamp? { if case .dead(let time) = state { time } else { nil } }

    public func columns(version: UInt64, owner: Identifier? = nil) -> [ColumnValue] {
        [
            .version(version), .app(app), .text(url), .text(host), .text(secretName), .bytes(body), .text(clientID),
            .text(userID), .time(createdAt), .integer(Int64(attempts)), .time(nextAttempt), .text(owner),
            .time(diedAt), .text(lastFailure), .text(trace?.stored),
        ]
    }

    /// Updates the delivery of a webhook. Its receiver, its body, its user and its trace never change.
    public static let update = """
        UPDATE outbox SET client_id = ?, attempts = ?, next_attempt = ?, owner = ?, dead_at = ?, last_failure = ?,
            version = ? WHERE id = ?
        """

    /// Gives up every webhook of a restored database: the lost daemon may have sent them.
    public static let giveUpAll =
        "UPDATE outbox SET owner = NULL, dead_at = ?, last_failure = ?, version = version + 1 WHERE dead_at IS NULL"

    /// The values of `update`.
    public func updated(version: UInt64, owner: Identifier?) -> [ColumnValue] {
        [
            .text(clientID), .integer(Int64(attempts)), .time(nextAttempt), .text(owner), .time(diedAt),
            .text(lastFailure), .version(version), .text(id),
        ]
    }
}

extension StoredDocument {
    init(_ row: some ColumnReader, at place: Int) throws {
        guard let source = DocumentSource(rawValue: row.text(place + 1)) else {
            throw RowFault("the source of a document cannot be read")
        }
        let people = row.text(place + 4)
            .split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            revision: Int(row.integer(place)), source: source, text: row.bytes(place + 2),
            publishedAt: row.time(place + 3), author: String(people[0]))
        if people.count == 2 { approver = String(people[1]) }
    }

    /// Separates the author from the approver in the column `author`. No name has a control character.
    private static let separator: Character = "\u{1F}"

    public var columns: [ColumnValue] {
        [
            .integer(Int64(revision)), .text(source.rawValue), .document(text), .time(publishedAt),
            .text(approver.isEmpty ? author : "\(author)\(Self.separator)\(approver)"),
        ]
    }
}

extension StoredRecipe {
    init(_ row: some ColumnReader, at place: Int, slug: Identifier) throws {
        guard let state = RecipeState(rawValue: row.text(place)), row.optionalInteger(place + 2) != nil else {
            throw RowFault("recipe \(slug) cannot be read")
        }
        self.init(
            slug: slug, state: state, document: try StoredDocument(row, at: place + 2),
            inForce: row.optionalInteger(place + 7) == nil ? nil : try StoredDocument(row, at: place + 7),
            stateSince: row.optionalTime(place + 1))
    }

    public var columns: [ColumnValue] {
        [
            .text(state.rawValue), .integer(Int64(document.revision)), .integer(inForce.map { Int64($0.revision) }),
            .time(stateSince),
        ]
    }
}

extension StoredRecord {
    init(_ row: some ColumnReader, at place: Int) {
        let content = row.optionalIdentifier(place + 3).map { slug in
            Content.recipe(
                slug: slug, revision: Int(row.integer(place + 4)), isPaused: row.integer(place + 5) != 0)
        }
        self.init(
            collection: row.identifier(place), id: row.identifier(place + 1), lastModified: row.integer(place + 2),
            content: content ?? .deleted)
    }

    public var columns: [ColumnValue] {
        switch content {
        case .recipe(let slug, let revision, let isPaused):
            [.integer(lastModified), .text(slug), .integer(Int64(revision)), .integer(isPaused ? 1 : 0)]
        case .deleted: [.integer(lastModified), .null, .integer(0), .integer(0)]
        }
    }
}

extension AuditRecord {
    public init(_ row: some ColumnReader, at place: Int) {
        self.init(sequence: row.integer(place), text: row.bytes(place + 1), hash: row.bytes(place + 2))
    }

    public var columns: [ColumnValue] { [.integer(sequence), .document(text), .bytes(hash)] }
}

extension TelemetryRow {
    public init(_ row: some ColumnReader, _ ranges: CursorRanges) {
        self.init(
            cursor: ranges.cursor(row.integer(0)), receivedAt: row.time(1), at: row.time(2),
            clientID: row.identifier(3),
            category: row.identifier(4), name: row.identifier(5), extra: row.text(6),
            experiment: row.optionalIdentifier(7), branch: row.optionalIdentifier(8))
    }
}

/// The value of a row, or the reason why it cannot be read.
public func readable<Value>(_ read: () throws -> Value) -> Result<Value, StoreError> {
    do {
        return .success(try read())
    } catch {
        return .failure((error as? RowFault).map { .rejected($0.message) } ?? .unavailable("\(error)"))
    }
}
