internal import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import GRDB

/// Table `telemetry`: the log that pipelines read, in the order in which it was committed.
struct TelemetryRows {
    private let insert: Prepared

    init(_ database: Database) throws {
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
            .text(record.category), .text(record.name), .utf8(extra), .text(record.experiment), .text(record.branch),
            .text(record.messageKey))
    }
}

/// Reading the log. A page and where it ends come out of one snapshot of the database, so that a cursor skips nothing
/// (docs/decisions/0013-a-telemetry-cursor-never-skips-a-record.md).
extension TelemetryRows {
    /// A page of records ends with the one that reaches this: pings that are kept whole may be large.
    static let pageBytes = 8 << 20

    /// Inside one read transaction. A query with a filter looks at `bound` records at most and says how far it came: a
    /// filter that means few records makes no request long.
    static func page(_ query: TelemetryQuery, scanning bound: Int, _ database: Database) throws -> TelemetryPage {
        let ranges = try CursorRanges(database)
        guard let app = try AppLog(query.app, database) else {
            return .nothing(for: query, isAppKnown: false, ranges.fault(of: query.after))
        }
        if let fault = app.fault(of: query.after, ranges) { return .nothing(for: query, fault) }
        var query = query
        if let last = query.last { query.after = ranges.cursor(try app.start(ofLast: last, database)) }
        let scan = try app.scan(query, bound: bound, database)
        var bytes = 0
        var isFull = false
        let selection = PageSelection(query: query, app: app.key, end: scan.end, ranges: ranges)
        let rows = try selection.rows(database) { row in
            bytes += row.extra.utf8.count
            isFull = bytes >= pageBytes
            return isFull
        }
        if let last = rows.last, isFull || rows.count >= query.limit || query.filter.isEmpty {
            return TelemetryPage(rows: rows, through: last.cursor, isAtEnd: false)
        }
        guard query.limit > 0, !query.filter.isEmpty else { return .nothing(for: query) }
        let through = scan.end > query.after.number ? ranges.cursor(scan.end) : query.after
        return TelemetryPage(rows: rows, through: through, isAtEnd: scan.isAtEnd)
    }
}

/// The records of an app up to a number that a query means.
private struct PageSelection {
    let query: TelemetryQuery
    let app: Int64
    let end: Int64
    let ranges: CursorRanges

    /// The filter's values come as one JSON text a kind, null for all, so that one statement serves every filter. The
    /// `->` of SQLite gives a member as the JSON text that was written, which is compared as it is.
    func rows(_ database: Database, isEnough: (TelemetryRow) -> Bool) throws -> [TelemetryRow] {
        let select = try Prepared(
            database,
            """
            SELECT cursor, received_at, at, client_id, category, name, extra, experiment, branch
            FROM telemetry WHERE app = ?1 AND cursor > ?2 AND cursor <= ?3
                AND (?4 IS NULL OR category IN (SELECT value FROM json_each(?4)))
                AND (?5 IS NULL OR name IN (SELECT value FROM json_each(?5)))
                AND (?6 IS NULL OR experiment IN (SELECT value FROM json_each(?6)))
                AND (?7 IS NULL OR extra -> 'message_key' IN (SELECT value FROM json_each(?7))
                    OR extra -> 'survey_id' IN (SELECT value FROM json_each(?7)))
                AND received_at >= ?8 AND received_at < ?9
            ORDER BY cursor LIMIT ?10
            """)
        let filter = query.filter
        return try select.all(
            .integer(app), .integer(query.after.number), .integer(end), .list(filter.categories), .list(filter.names),
            .list(filter.experiments), .list(filter.messages.map { JSONValue.string($0).text }),
            .integer(filter.received?.lowerBound.milliseconds ?? .min),
            .integer(filter.received?.upperBound.milliseconds ?? .max), .integer(Int64(max(0, query.limit))),
            read: { TelemetryRow($0, ranges) }, isEnough: isEnough)
    }
}

extension TelemetryRow {
    fileprivate init(_ row: SQLRow, _ ranges: CursorRanges) {
        self.init(
            cursor: ranges.cursor(row.integer(0)), receivedAt: Timestamp(milliseconds: row.integer(1)),
            at: Timestamp(milliseconds: row.integer(2)), clientID: row.text(3), category: row.text(4),
            name: row.text(5), extra: row.text(6), experiment: row.optionalText(7), branch: row.optionalText(8))
    }
}

extension SQLValue {
    /// A JSON array of texts; null for none.
    fileprivate static func list(_ texts: [String]) -> SQLValue {
        texts.isEmpty ? .null : .text(JSONValue.array(texts.map { .string($0) }).text)
    }
}
