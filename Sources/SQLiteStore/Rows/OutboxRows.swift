internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// Table `outbox`: webhooks to send, and webhooks that were given up (`dead_at`).
///
/// A lease has no column of its own: `owner` is who began the last attempt, and `next_attempt` the end of its lease.
struct OutboxRows {
    private let database: Database

    init(_ database: Database) { self.database = database }

    private static let columns = """
        id, name, url, secret_name, body, client_id, user_id, created_at, attempts, next_attempt, dead_at, last_failure
        """

    func insert(_ row: OutboxRow, app: Int64) throws {
        try Prepared(
            database,
            """
            INSERT INTO outbox (id, app, url, host, secret_name, body, client_id, user_id, created_at, next_attempt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """
        ).run(
            .text(row.id), .integer(app), .text(row.url), .text(row.host), .text(row.secretName), .blob(row.body),
            .text(row.clientID), .text(row.userID), .integer(row.createdAt.milliseconds),
            .integer(row.nextAttempt.milliseconds))
    }

    /// Where more than so many are pending, the oldest become dead.
    func bound(_ bound: Int, at now: Timestamp) throws {
        let excess = try pending() - bound
        guard excess > 0 else { return }
        try Prepared(
            database,
            """
            UPDATE outbox SET dead_at = ?, last_failure = ? WHERE key IN
                (SELECT key FROM outbox WHERE dead_at IS NULL ORDER BY key LIMIT ?)
            """
        ).run(.integer(now.milliseconds), .text(OutboxRow.overflow), .integer(Int64(excess)))
    }

    private func pending() throws -> Int {
        try Prepared(database, "SELECT count(*) FROM outbox WHERE dead_at IS NULL").first { Int($0.integer(0)) } ?? 0
    }

    func lease(_ request: OutboxLeaseRequest) throws -> OutboxLease {
        let hosts = request.busyHosts.sorted().map { SQLValue.text($0) }
        let isFree = "host NOT IN (\(hosts.map { _ in "?" }.joined(separator: ", ")))"
        let due = try Prepared(
            database,
            """
            SELECT key FROM outbox WHERE dead_at IS NULL AND \(isFree) AND next_attempt <= ?
            ORDER BY next_attempt, key LIMIT ?
            """
        ).all(hosts + [.integer(request.now.milliseconds), .integer(Int64(request.limit))]) { $0.integer(0) }
        let take = try Prepared(
            database, "UPDATE outbox SET owner = ?, attempts = attempts + 1, next_attempt = ? WHERE key = ?")
        let select = try Prepared(
            database, "SELECT \(Self.columns) FROM outbox JOIN app ON app.key = outbox.app WHERE outbox.key = ?")
        let rows = try due.compactMap { key in
            try take.run(.text(request.owner), .integer(request.leaseEnd.milliseconds), .integer(key))
            return try select.first(.integer(key), read: Self.row)
        }
        let next = try Prepared(
            database,
            """
            SELECT next_attempt FROM outbox WHERE dead_at IS NULL AND \(isFree)
                AND NOT (owner IS ? AND next_attempt = ?)
            ORDER BY next_attempt LIMIT 1
            """
        ).all(hosts + [.text(request.owner), .integer(request.leaseEnd.milliseconds)]) { $0.integer(0) }.first
        return OutboxLease(rows: rows, next: next.map { Timestamp(milliseconds: $0) }, pending: try pending())
    }

    func finish(_ result: OutboxResult, of owner: String) throws {
        let (id, owner) = (SQLValue.text(result.id), SQLValue.text(owner))
        switch result.outcome {
        case .delivered: try Prepared(database, "DELETE FROM outbox WHERE id = ? AND owner = ?").run(id, owner)
        case .retry(let time, let failure):
            try Prepared(
                database,
                """
                UPDATE outbox SET owner = NULL, next_attempt = ?, last_failure = ?
                WHERE id = ? AND owner = ? AND dead_at IS NULL
                """
            ).run(.integer(time.milliseconds), .text(failure), id, owner)
        case .dead(let time, let failure):
            try Prepared(
                database,
                """
                UPDATE outbox SET owner = NULL, dead_at = ?, last_failure = ?
                WHERE id = ? AND owner = ? AND dead_at IS NULL
                """
            ).run(.integer(time.milliseconds), .text(failure), id, owner)
        }
    }

    func page(_ query: OutboxQuery) throws -> [OutboxRow] {
        guard let app = try AppRows(database).find(query.app) else { return [] }
        let state =
            switch query.state {
            case nil: ""
            case .pending: "AND dead_at IS NULL"
            case .dead: "AND dead_at IS NOT NULL"
            }
        var values = [SQLValue.integer(app)]
        if let after = query.after { values += [.integer(after.createdAt.milliseconds), .text(after.id)] }
        return try Prepared(
            database,
            """
            SELECT \(Self.columns) FROM outbox JOIN app ON app.key = outbox.app
            WHERE outbox.app = ? \(query.after == nil ? "" : "AND (created_at, id) < (?, ?)") \(state)
            ORDER BY created_at DESC, id DESC LIMIT ?
            """
        ).all(values + [.integer(Int64(query.limit))], read: Self.row)
    }

    /// Webhooks of a client's answers go; those of a user's lose the client's id. Answers how many there were.
    func erase(app: Int64, clientID: String) throws -> Int {
        let values: [SQLValue] = [.integer(app), .text(clientID)]
        return try Prepared(
            database, "UPDATE outbox SET client_id = NULL WHERE app = ? AND client_id = ? AND user_id IS NOT NULL"
        ).run(values)
            + Prepared(database, "DELETE FROM outbox WHERE app = ? AND client_id = ?").run(values)
    }

    /// Webhooks of a user's answers go. Answers how many there were.
    func erase(app: Int64, userID: String) throws -> Int {
        try Prepared(database, "DELETE FROM outbox WHERE app = ? AND user_id = ?").run(.integer(app), .text(userID))
    }

    /// Deletes dead rows of before a time, and the oldest of too many. Answers how many; fewer than the limit: no more
    /// are due.
    func deleteDead(before time: Timestamp, limit: Int) throws -> Int {
        let expired = try Prepared(
            database,
            "DELETE FROM outbox WHERE key IN (SELECT key FROM outbox WHERE dead_at < ? ORDER BY dead_at LIMIT ?)"
        ).run(.integer(time.milliseconds), .integer(Int64(limit)))
        let count = try Prepared(database, "SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL")
            .first { Int($0.integer(0)) }
        let excess = min((count ?? 0) - OutboxRow.deadBound, limit - expired)
        guard excess > 0 else { return expired }
        return try expired
            + Prepared(
                database,
                """
                DELETE FROM outbox WHERE key IN
                    (SELECT key FROM outbox WHERE dead_at IS NOT NULL ORDER BY dead_at LIMIT ?)
                """
            ).run(.integer(Int64(excess)))
    }

    /// No webhook of a database that was restored is sent: the lost daemon may have sent it.
    static func giveUpAll(at now: Timestamp, _ database: Database) throws {
        try Prepared(
            database, "UPDATE outbox SET owner = NULL, dead_at = ?, last_failure = ? WHERE dead_at IS NULL"
        ).run(.integer(now.milliseconds), .text(OutboxRow.restored))
    }

    private static func row(_ row: SQLRow) -> OutboxRow {
        var webhook = OutboxRow(
            id: row.text(0), app: row.text(1), url: row.text(2), secretName: row.optionalText(3), body: row.bytes(4),
            clientID: row.optionalText(5), userID: row.optionalText(6),
            createdAt: Timestamp(milliseconds: row.integer(7)))
        webhook.attempts = Int(row.integer(8))
        webhook.nextAttempt = Timestamp(milliseconds: row.integer(9))
        if let time = row.optionalInteger(10) { webhook.state = .dead(at: Timestamp(milliseconds: time)) }
        webhook.lastFailure = row.optionalText(11)
        return webhook
    }
}
