internal import BellwetherBase
import BellwetherCore
import BellwetherService
import SQLiteWire

/// Table `idempotency`: the first reply to each key (docs/reference/http-api.md#idempotency-keys). `app`, `client_id`,
/// `user_id` and `run` identify the person and the run that the reply is about.
struct IdempotencyRows {
    /// The columns of one row, in the order in which `found` reads them. They need the joined table `app`.
    static let columns = """
        token, path, idempotency.name, digest, status, body, entity_tag, at, app.name, client_id, user_id, run
        """
    static let table = "idempotency LEFT JOIN app ON app.key = idempotency.app"

    private let database: SQLiteConnection
    private let select: Prepared
    private let insert: Prepared

    init(_ database: SQLiteConnection) throws {
        self.database = database
        select = try Prepared(
            database,
            "SELECT \(Self.columns) FROM \(Self.table) WHERE token = ? AND path = ? AND idempotency.name = ?")
        insert = try Prepared(
            database,
            """
            INSERT INTO idempotency (token, path, name, digest, status, body, entity_tag, at, app, client_id, user_id, run)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func find(_ key: IdempotencyKey) throws -> StoredRow? {
        try select.first(.text(key.token), .text(key.path), .text(key.text)) { row in
            StoredRow(version: 1, value: Self.value(row))
        }
    }

    /// - Parameter app: The app of the reply's subject.
    func insert(_ reply: StoredReply, for key: IdempotencyKey, app: Int64? = nil, at: Timestamp) throws {
        try insert.run(
            .text(key.token), .text(key.path), .text(key.text), .blob(reply.bodyDigest),
            .integer(Int64(reply.status)), .blob(reply.body), .text(reply.entityTag), .integer(at.milliseconds),
            app.map { .integer($0) } ?? .null, .text(reply.subject?.clientID), .text(reply.subject?.userID),
            .text(reply.subject?.runID))
    }

    func delete(_ key: IdempotencyKey) throws {
        try Prepared(database, "DELETE FROM idempotency WHERE token = ? AND path = ? AND name = ?")
            .run(.text(key.token), .text(key.path), .text(key.text))
    }

    static func found(_ row: SQLRow) -> FoundRow {
        let key = IdempotencyKey(token: row.text(0), path: row.text(1), text: row.text(2))
        return FoundRow(name: .reply(key), version: 1, value: .success(value(row)))
    }

    private static func value(_ row: SQLRow) -> RowValue {
        let subject = row.optionalText(8).map { app in
            ReplySubject(
                app: app, clientID: row.optionalText(9), userID: row.optionalText(10), runID: row.optionalText(11))
        }
        let reply = StoredReply(
            bodyDigest: row.bytes(3), status: Int(row.integer(4)), body: row.bytes(5),
            entityTag: row.optionalText(6), subject: subject)
        return .reply(reply, at: Timestamp(milliseconds: row.integer(7)))
    }
}
