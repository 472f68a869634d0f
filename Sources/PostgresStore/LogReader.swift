internal import BellwetherBase
import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import StoreTables

/// Reads the logs. One snapshot supplies a page and the cursor up to which records were deleted.
struct LogReader {
    private static let seconds = 30.0
    private static let ranges = [
        PostgresStatement("SELECT start, database FROM cursor_range ORDER BY key"),
        PostgresStatement("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM cursor"),
    ]

    let connection: PostgresConnection

    func logs(_ query: LogQuery) throws -> RecordLogs {
        let counts = query.countedAfter.map { _ in
            """
            , (SELECT count(*) FROM
                (SELECT 1 FROM telemetry t WHERE t.app = a.name AND t.cursor > ? LIMIT \(TelemetryConsumer.lagBound)) c)
            """
        }
        let statement = PostgresStatement.numbering(
            """
            SELECT a.name, a.expired_cursor, a.expired_until,
                (SELECT max(t.cursor) FROM telemetry t WHERE t.app = a.name),
                (SELECT t.cursor FROM telemetry t WHERE t.app = a.name ORDER BY t.cursor DESC OFFSET ? LIMIT 1)
                \(counts.joined())
            FROM app a \(query.app == nil ? "" : "WHERE a.name = ?") ORDER BY a.name
            """,
            [.integer(Int64(max(0, query.last)))] + query.countedAfter.map { .integer($0) }
                + (query.app.map { [.text($0)] } ?? []))
        let answers = try RowReader(connection: connection, seconds: Self.seconds)
            .snapshot([statement] + Self.ranges)
        let logs = answers[0].map { row in
            let expired = row.integer(1)
            var log = RecordLog(
                app: row.identifier(0), newest: max(row.integer(3), expired), expired: expired,
                expiredUntil: expired > 0 ? Timestamp(milliseconds: row.integer(2)) : nil)
            log.start = query.last > 0 ? max(row.integer(4), expired) : log.newest
            log.counts = query.countedAfter.indices.map { Int(row.integer(5 + $0)) }
            return log
        }
        return RecordLogs(ranges: Self.ranges(answers[1], answers[2]), logs: logs)
    }

    /// The server ends the page where it reaches `RecordPage.bytes`.
    func records(_ range: RecordRange) throws -> RecordPage {
        let statement = PostgresStatement.numbering(
            """
            SELECT cursor, received_at, at, client_id, category, name, extra, experiment, branch, before
            FROM (SELECT *, sum(octet_length(extra)) OVER (ORDER BY cursor) - octet_length(extra) AS before
                FROM (SELECT * FROM telemetry WHERE app = ? AND cursor > ? ORDER BY cursor LIMIT ?) page) summed
            WHERE before < ? ORDER BY cursor
            """, .text(range.app), .integer(range.after), .integer(Int64(max(0, range.limit))),
            .integer(Int64(RecordPage.bytes)))
        let app = PostgresStatement.numbering("SELECT expired_cursor FROM app WHERE name = ?", .text(range.app))
        let answers = try RowReader(connection: connection, seconds: Self.seconds)
            .snapshot([statement, app] + Self.ranges)
        let ranges = Self.ranges(answers[2], answers[3])
        let rows = answers[0].map { TelemetryRow($0, ranges) }
        let bytes = rows.reduce(0) { $0 + $1.extra.utf8.count }
        return RecordPage(
            rows: rows, expired: answers[1].first { $0.integer(0) } ?? 0,
            isAtEnd: rows.count < range.limit && bytes < RecordPage.bytes)
    }

    func audit(_ query: AuditQuery) throws -> [AuditRecord] {
        let statement = PostgresStatement.numbering(
            "SELECT sequence, text, hash FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?",
            .integer(query.after), .integer(Int64(max(0, query.limit))))
        return try connection.run([statement], seconds: Self.seconds)[0].map { AuditRecord($0, at: 0) }
    }

    /// Verifies the chain of the audit from its first record. The head contains the number of records that were
    /// written.
    func verifyAudit() throws -> Result<AuditChain, AuditFault> {
        let head = PostgresStatement("SELECT version FROM head WHERE name = 'audit'")
        let written = try connection.run([head], seconds: Self.seconds)[0].first { $0.integer(0) } ?? 0
        return try AuditChain.verify(upTo: written) { try audit($0) }
    }

    private static func ranges(_ rows: PostgresRows, _ newest: PostgresRows) -> CursorRanges {
        CursorRanges(
            rows.map { (start: $0.integer(0), database: Int32(truncatingIfNeeded: $0.integer(1))) },
            newest: newest.first { $0.integer(0) } ?? 0)
    }
}

/// Deletes a range of a log, its oldest rows first.
extension LogRange {
    private static let seconds = 60.0

    /// Returns the number of rows that were deleted.
    func delete(_ connection: PostgresConnection, limit: Int) throws -> Int {
        let bound = PostgresValue.integer(Int64(limit))
        switch self {
        case .eventIDs(let time):
            let deletion = PostgresStatement.numbering(
                """
                DELETE FROM event_id WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM event_id WHERE at < ? ORDER BY at LIMIT ? FOR UPDATE SKIP LOCKED))
                """, .integer(time.seconds), bound)
            // A writer queries the outcome of its write within seconds.
            let batches = PostgresStatement("DELETE FROM batch WHERE at < now() - interval '1 day'")
            return try connection.run([deletion, batches], seconds: Self.seconds)[0].changed
        case .replies(let time):
            let deletion = PostgresStatement.numbering(
                """
                DELETE FROM reply WHERE key IN
                    (SELECT key FROM reply WHERE at < ? ORDER BY at LIMIT ? FOR UPDATE SKIP LOCKED)
                """, .integer(time.milliseconds), bound)
            return try connection.run([deletion], seconds: Self.seconds)[0].changed
        case .records(let app, let last, let until):
            return try Self.delete(app, through: last, until: until, bound, connection)
        }
    }

    /// One statement deletes the records and notes the last deleted cursor. So a page never lacks records that are not
    /// reported as deleted.
    private static func delete(
        _ app: Identifier, through last: Int64, until: Timestamp?, _ bound: PostgresValue,
        _ connection: PostgresConnection
    ) throws -> Int {
        let statement = PostgresStatement.numbering(
            """
            WITH range AS (SELECT max(cursor) AS final FROM (SELECT cursor FROM telemetry
                    WHERE app = ? AND cursor <= ? ORDER BY cursor LIMIT ?) oldest),
            noted AS (UPDATE app SET expired_cursor = greatest(expired_cursor, final),
                    expired_until = greatest(coalesce(expired_until, 0), coalesce(?::int8, 0))
                FROM range WHERE name = ? AND final IS NOT NULL)
            DELETE FROM telemetry USING range WHERE app = ? AND cursor <= final
            """, .text(app), .integer(last), bound, .integer(until?.milliseconds), .text(app), .text(app))
        return try connection.run([statement], seconds: seconds)[0].changed
    }
}
