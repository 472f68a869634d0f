internal import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import SQLiteWire
import StoreTables

/// Table `telemetry`: the log that pipelines read, in the order of its commits. Columns `expired_cursor` and
/// `expired_until` of table `app` describe the records that were deleted.
struct TelemetryRows {
    private let insert: Prepared

    init(_ database: SQLiteConnection) throws {
        insert = try Prepared(
            database,
            """
            INSERT INTO telemetry (app, received_at, at, client_id, category, name, extra, experiment, branch, message)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func append(_ record: TelemetryRecord, app: Int64, receivedAt: Timestamp) throws {
        var extra: [UInt8] = []
        record.extra.write(to: &extra)
        try insert.run(
            .integer(app), .integer(receivedAt.milliseconds), .integer(record.at.milliseconds), .text(record.clientID),
            .text(record.category), .text(record.name.text), .utf8(extra), .text(record.experiment),
            .text(record.branch?.text),
            .text(record.messageKey))
    }
}

/// Reads the log. A page, and the description of the records deleted before it, come from one snapshot of the database.
struct LogReading {
    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    func logs(_ query: LogQuery) throws -> RecordLogs {
        let condition = query.app == nil ? "" : "WHERE name = ?"
        let apps = try Prepared(database, "SELECT key, name, expired_cursor FROM app \(condition) ORDER BY key")
            .all(query.app.map { [.text($0)] } ?? []) { row in
                (key: row.integer(0), name: row.identifier(1), expired: row.integer(2))
            }
        let logs = try apps.map { app in
            let kept = try first("SELECT max(cursor) FROM telemetry WHERE app = ?", .integer(app.key))
            var log = RecordLog(
                app: app.name, newest: max(kept ?? 0, app.expired), expired: app.expired,
                expiredUntil: app.expired > 0 ? try expiredUntil(app.key) : nil)
            log.start = try start(of: query.last, app.key, log)
            log.counts = try query.countedAfter.map { try count(after: $0, app.key) }
            return log
        }
        return RecordLogs(ranges: try CursorRangeRows.read(database), logs: logs)
    }

    func records(_ range: RecordRange) throws -> RecordPage {
        let app = try Prepared(database, "SELECT key, expired_cursor FROM app WHERE name = ?")
            .first(.text(range.app)) { (key: $0.integer(0), expired: $0.integer(1)) }
        guard let app else { return RecordPage(rows: [], expired: 0, isAtEnd: true) }
        let ranges = try CursorRangeRows.read(database)
        var bytes = 0
        let rows = try Prepared(
            database,
            """
            SELECT cursor, received_at, at, client_id, category, name, extra, experiment, branch
            FROM telemetry WHERE app = ? AND cursor > ? ORDER BY cursor LIMIT ?
            """
        ).all(.integer(app.key), .integer(range.after), .integer(Int64(max(0, range.limit)))) {
            TelemetryRow($0, ranges)
        } isEnough: { row in
            bytes += row.extra.utf8.count
            return bytes >= RecordPage.bytes
        }
        return RecordPage(
            rows: rows, expired: app.expired, isAtEnd: rows.count < range.limit && bytes < RecordPage.bytes)
    }

    /// The time until which records were deleted. A database of an earlier version reports the time of its oldest
    /// record.
    private func expiredUntil(_ app: Int64) throws -> Timestamp {
        let isNoted = try database.hasColumn("expired_until", of: "app")
        let noted = isNoted ? try first("SELECT expired_until FROM app WHERE key = ?", .integer(app)) : nil
        let oldest = "SELECT received_at FROM telemetry WHERE app = ? ORDER BY cursor LIMIT 1"
        return Timestamp(milliseconds: try noted ?? first(oldest, .integer(app)) ?? .max)
    }

    private func start(of last: Int, _ app: Int64, _ log: RecordLog) throws -> Int64 {
        guard last > 0 else { return log.newest }
        let before = "SELECT cursor FROM telemetry WHERE app = ? ORDER BY cursor DESC LIMIT 1 OFFSET ?"
        return max(try first(before, .integer(app), .integer(Int64(last))) ?? 0, log.expired)
    }

    private func count(after number: Int64, _ app: Int64) throws -> Int {
        let count = "SELECT count(*) FROM (SELECT 1 FROM telemetry WHERE app = ? AND cursor > ? LIMIT ?)"
        let bound = SQLValue.integer(Int64(TelemetryConsumer.lagBound))
        return Int(try first(count, .integer(app), .integer(number), bound) ?? 0)
    }

    private func first(_ sql: String, _ values: SQLValue...) throws -> Int64? {
        try Prepared(database, sql).all(values, read: { $0.optionalInteger(0) }).first ?? nil
    }
}

/// Deletes ranges, the oldest rows first. Returns how many rows were deleted.
extension LogRange {
    func delete(_ database: SQLiteConnection, limit: Int) throws -> Int {
        switch self {
        case .eventIDs(let time):
            return try Prepared(
                database,
                """
                DELETE FROM event_id WHERE (client, id) IN
                    (SELECT client, id FROM event_id WHERE at < ? ORDER BY at LIMIT ?)
                """
            ).run(.integer(time.seconds), .integer(Int64(limit)))
        case .replies(let time):
            return try Prepared(
                database,
                "DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)"
            ).run(.integer(time.milliseconds), .integer(Int64(limit)))
        case .records(let app, let last, let until):
            guard let app = try AppRows(database).find(app) else { return 0 }
            let end = try Prepared(
                database,
                """
                SELECT max(cursor) FROM (SELECT cursor FROM telemetry WHERE app = ? AND cursor <= ?
                    ORDER BY cursor LIMIT ?)
                """
            ).first(.integer(app), .integer(last), .integer(Int64(limit))) { $0.optionalInteger(0) }
            guard let end = end ?? nil else { return 0 }
            try Prepared(
                database,
                """
                UPDATE app SET expired_cursor = max(expired_cursor, ?2),
                    expired_until = max(coalesce(expired_until, 0), coalesce(?3, 0)) WHERE key = ?1
                """
            ).run(.integer(app), .integer(end), until.map { .integer($0.milliseconds) } ?? .null)
            return try Prepared(database, "DELETE FROM telemetry WHERE app = ? AND cursor <= ?")
                .run(.integer(app), .integer(end))
        }
    }
}
