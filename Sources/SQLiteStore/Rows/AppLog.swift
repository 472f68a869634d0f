internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// What is kept once of an app's log: its number, and the highest cursor that retention has deleted.
struct AppLog {
    let key: Int64
    let expired: Int64

    /// Nil: nothing was ever stored of the app.
    init?(_ name: String, _ database: Database) throws {
        let row = try Prepared(database, "SELECT key, expired_cursor FROM app WHERE name = ?")
            .first(.text(name)) { (key: $0.integer(0), expired: $0.integer(1)) }
        guard let row else { return nil }
        key = row.key
        expired = row.expired
    }

    /// Records that were received up to this time may have been deleted by retention, later ones were not; nil where it
    /// has deleted none. Of a database of before this was noted, the time when the first record was received that is
    /// left.
    func expiredUntil(_ database: Database) throws -> Timestamp? {
        guard expired > 0 else { return nil }
        let isNoted = try database.columns(in: "app").contains { $0.name == "expired_until" }
        let noted =
            isNoted
            ? try Prepared(database, "SELECT expired_until FROM app WHERE key = ?")
                .first(.integer(key)) { $0.optionalInteger(0) } : nil
        let oldest = "SELECT received_at FROM telemetry WHERE app = ? ORDER BY cursor LIMIT 1"
        let time = try (noted ?? nil) ?? Prepared(database, oldest).first(.integer(key)) { $0.integer(0) }
        return Timestamp(milliseconds: time ?? .max)
    }

    /// Why nothing of the log can be read after a cursor. From the start, a pipeline begins with what is kept.
    func fault(of cursor: TelemetryCursor, _ ranges: CursorRanges) -> CursorFault? {
        if let fault = ranges.fault(of: cursor) { return fault }
        return cursor == .start || cursor.number >= expired ? nil : .expired
    }

    /// The highest cursor that was given to a record of the app.
    func newest(_ database: Database) throws -> Int64 {
        let kept = try Prepared(database, "SELECT max(cursor) FROM telemetry WHERE app = ?")
            .first(.integer(key)) { $0.integer(0) }
        return max(kept ?? 0, expired)
    }

    /// The cursor after which so many records follow; before the first that is kept where there are fewer.
    func start(ofLast count: Int, _ database: Database) throws -> Int64 {
        guard count > 0 else { return try newest(database) }
        let before = try Prepared(
            database, "SELECT cursor FROM telemetry WHERE app = ? ORDER BY cursor DESC LIMIT 1 OFFSET ?"
        ).first(.integer(key), .integer(Int64(count))) { $0.integer(0) }
        return max(before ?? 0, expired)
    }

    /// How far a read may look: with a filter, the record so many after the query's cursor, or the last.
    func scan(
        _ query: TelemetryQuery, bound: Int, _ database: Database
    ) throws -> (end: Int64, isAtEnd: Bool) {
        guard !query.filter.isEmpty else { return (.max, true) }
        let end = try Prepared(
            database, "SELECT cursor FROM telemetry WHERE app = ? AND cursor > ? ORDER BY cursor LIMIT 1 OFFSET ?"
        ).first(.integer(key), .integer(query.after.number), .integer(Int64(max(1, bound) - 1))) { $0.integer(0) }
        if let end { return (end, false) }
        return (try newest(database), true)
    }
}
