internal import BellwetherBase
import BellwetherCore
import BellwetherService
import SQLiteWire

/// Table `outbox`: webhooks to send, and webhooks that were given up (`dead_at`). `owner` is the process that began the
/// last attempt.
struct OutboxRows {
    /// The columns of one row, in the order in which `found` reads them. They need the joined table `app`.
    static let columns = """
        id, app.name, url, secret_name, body, client_id, user_id, created_at, attempts, next_attempt, dead_at,
        last_failure, outbox.version, owner
        """
    static let table = "outbox JOIN app ON app.key = outbox.app"

    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    func insert(_ row: OutboxRow, app: Int64, version: UInt64) throws {
        try Prepared(
            database,
            """
            INSERT INTO outbox (id, app, url, host, secret_name, body, client_id, user_id, created_at, next_attempt, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """
        ).run(
            .text(row.id), .integer(app), .text(row.url), .text(row.host), .text(row.secretName), .blob(row.body),
            .text(row.clientID), .text(row.userID), .integer(row.createdAt.milliseconds),
            .integer(row.nextAttempt.milliseconds), .version(version))
    }

    func find(_ id: String) throws -> StoredRow? {
        try Prepared(database, "SELECT \(Self.columns) FROM \(Self.table) WHERE id = ?").first(.text(id)) { row in
            StoredRow(version: row.version(12), value: Self.value(row))
        }
    }

    func version(_ id: String) throws -> UInt64? {
        try Prepared(database, "SELECT version FROM outbox WHERE id = ?").first(.text(id)) { $0.version(0) }
    }

    /// Updates a webhook. Its receiver and its user stay as they were written.
    func update(_ row: OutboxRow, owner: String?, version: UInt64) throws {
        let dead = if case .dead(let time) = row.state { SQLValue.integer(time.milliseconds) } else { SQLValue.null }
        try Prepared(
            database,
            """
            UPDATE outbox SET client_id = ?, attempts = ?, next_attempt = ?, owner = ?, dead_at = ?, last_failure = ?,
                version = ? WHERE id = ?
            """
        ).run(
            .text(row.clientID), .integer(Int64(row.attempts)), .integer(row.nextAttempt.milliseconds), .text(owner),
            dead, .text(row.lastFailure), .version(version), .text(row.id))
    }

    func delete(_ id: String) throws { try Prepared(database, "DELETE FROM outbox WHERE id = ?").run(.text(id)) }

    /// Gives up every webhook of a restored database: the lost daemon may have sent them.
    static func giveUpAll(at now: Timestamp, _ database: SQLiteConnection) throws {
        try Prepared(
            database,
            "UPDATE outbox SET owner = NULL, dead_at = ?, last_failure = ?, version = version + 1 WHERE dead_at IS NULL"
        ).run(.integer(now.milliseconds), .text(OutboxRow.restored))
    }

    static func found(_ row: SQLRow) -> FoundRow {
        FoundRow(name: .webhook(row.text(0)), version: row.version(12), value: .success(value(row)))
    }

    private static func value(_ row: SQLRow) -> RowValue {
        var webhook = OutboxRow(
            id: row.text(0), app: row.text(1), url: row.text(2), secretName: row.optionalText(3), body: row.bytes(4),
            clientID: row.optionalText(5), userID: row.optionalText(6),
            createdAt: Timestamp(milliseconds: row.integer(7)))
        webhook.attempts = Int(row.integer(8))
        webhook.nextAttempt = Timestamp(milliseconds: row.integer(9))
        if let time = row.optionalInteger(10) { webhook.state = .dead(at: Timestamp(milliseconds: time)) }
        webhook.lastFailure = row.optionalText(11)
        return .webhook(webhook, owner: row.optionalText(13))
    }
}
