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
            "SELECT digest, status, body, entity_tag FROM idempotency WHERE token = ? AND path = ? AND name = ?")
        insert = try Prepared(
            database,
            """
            INSERT INTO idempotency (token, path, name, digest, status, body, entity_tag, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func find(_ claim: IdempotencyClaim) throws -> StoredReply? {
        try select.first(.text(claim.token), .text(claim.path), .text(claim.key)) { row in
            StoredReply(
                bodyDigest: row.bytes(0), status: Int(row.integer(1)), body: row.bytes(2),
                entityTag: row.optionalText(3))
        }
    }

    func insert(_ reply: StoredReply, for claim: IdempotencyClaim, at: Timestamp) throws {
        try insert.run(
            .text(claim.token), .text(claim.path), .text(claim.key), .blob(reply.bodyDigest),
            .integer(Int64(reply.status)), .blob(reply.body), reply.entityTag.map { .text($0) } ?? .null,
            .integer(at.milliseconds))
    }
}
