internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// Table `idempotency`: the first reply to each key (docs/reference/http-api.md#idempotency-keys), until retention
/// deletes it.
struct IdempotencyRows {
    private let select: Prepared
    private let insert: Prepared

    init(_ database: Database) throws {
        select = try Prepared(
            database,
            "SELECT digest, status, body, entity_tag, at FROM idempotency WHERE token = ? AND path = ? AND name = ?")
        insert = try Prepared(
            database,
            """
            INSERT INTO idempotency (token, path, name, digest, status, body, entity_tag, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func find(_ key: IdempotencyKey) throws -> (reply: StoredReply, at: Timestamp)? {
        try select.first(.text(key.token), .text(key.path), .text(key.text)) { row in
            let reply = StoredReply(
                bodyDigest: row.bytes(0), status: Int(row.integer(1)), body: row.bytes(2),
                entityTag: row.optionalText(3))
            return (reply, Timestamp(milliseconds: row.integer(4)))
        }
    }

    func insert(_ reply: StoredReply, for key: IdempotencyKey, at: Timestamp) throws {
        try insert.run(
            .text(key.token), .text(key.path), .text(key.text), .blob(reply.bodyDigest),
            .integer(Int64(reply.status)), .blob(reply.body), reply.entityTag.map { .text($0) } ?? .null,
            .integer(at.milliseconds))
    }
}
