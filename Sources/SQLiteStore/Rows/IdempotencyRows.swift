internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// Table `idempotency`: the first reply to each key (docs/reference/http-api.md#idempotency-keys), until retention
/// deletes it, or an erasure: `app`, `client_id`, `user_id` and `run` say whom it tells of.
struct IdempotencyRows {
    private let database: Database
    private let select: Prepared
    private let insert: Prepared

    init(_ database: Database) throws {
        self.database = database
        select = try Prepared(
            database,
            """
            SELECT digest, status, body, entity_tag, at, app.name, client_id, user_id, run FROM idempotency
            LEFT JOIN app ON app.key = idempotency.app WHERE token = ? AND path = ? AND idempotency.name = ?
            """)
        insert = try Prepared(
            database,
            """
            INSERT INTO idempotency (token, path, name, digest, status, body, entity_tag, at, app, client_id, user_id, run)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func find(_ key: IdempotencyKey) throws -> (reply: StoredReply, at: Timestamp)? {
        try select.first(.text(key.token), .text(key.path), .text(key.text)) { row in
            let subject = row.optionalText(5).map { app in
                ReplySubject(
                    app: app, clientID: row.optionalText(6), userID: row.optionalText(7), runID: row.optionalText(8))
            }
            let reply = StoredReply(
                bodyDigest: row.bytes(0), status: Int(row.integer(1)), body: row.bytes(2),
                entityTag: row.optionalText(3), subject: subject)
            return (reply, Timestamp(milliseconds: row.integer(4)))
        }
    }

    /// - Parameter app: of the reply's subject.
    func insert(_ reply: StoredReply, for key: IdempotencyKey, app: Int64? = nil, at: Timestamp) throws {
        try insert.run(
            .text(key.token), .text(key.path), .text(key.text), .blob(reply.bodyDigest),
            .integer(Int64(reply.status)), .blob(reply.body), .text(reply.entityTag), .integer(at.milliseconds),
            app.map { .integer($0) } ?? .null, .text(reply.subject?.clientID), .text(reply.subject?.userID),
            .text(reply.subject?.runID))
    }

    /// Deletes what tells of a person, or of the runs that go with the person; these are still there. Answers how many
    /// there were.
    func erase(_ person: Person, app: Int64) throws -> Int {
        let column = if case .client = person { "client_id" } else { "user_id" }
        let runs = RunRows.erased(with: person, app: app)
        return try Prepared(
            database,
            """
            DELETE FROM idempotency WHERE app = ? AND \(column) = ?
                OR run IN (SELECT id FROM run WHERE \(runs.condition))
            """
        ).run([.integer(app), .text(person.id)] + runs.values)
    }
}
