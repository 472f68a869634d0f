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

    /// A page of records ends with the one that reaches this: pings that are kept whole may be large.
    static let pageBytes = 8 << 20

    /// Inside one read transaction: the page, and whether older records than the page's were deleted unread.
    static func page(_ query: TelemetryQuery, _ database: Database) throws -> TelemetryPage {
        let app = try Prepared(database, "SELECT key, expired_cursor FROM app WHERE name = ?")
            .first(.text(query.app)) { (key: $0.integer(0), expired: $0.integer(1)) }
        guard let app else { return TelemetryPage(rows: [], isExpired: false) }
        let select = try Prepared(
            database,
            """
            SELECT cursor, at, client_id, category, name, extra, experiment, branch
            FROM telemetry WHERE app = ? AND cursor > ? ORDER BY cursor LIMIT ?
            """)
        let limit = SQLValue.integer(Int64(max(0, query.limit)))
        var bytes = 0
        let rows = try select.all(.integer(app.key), .integer(query.after), limit) { row in
            TelemetryRow(
                cursor: row.integer(0), at: Timestamp(milliseconds: row.integer(1)), clientID: row.text(2),
                category: row.text(3), name: row.text(4), extra: row.text(5), experiment: row.optionalText(6),
                branch: row.optionalText(7))
        } isEnough: { row in
            bytes += row.extra.utf8.count
            return bytes >= pageBytes
        }
        // From 0 a pipeline starts with what is kept.
        return TelemetryPage(rows: rows, isExpired: query.after > 0 && query.after < app.expired)
    }
}
