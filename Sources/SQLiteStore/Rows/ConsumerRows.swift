internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// Table `consumer`: the places of those who take an app's log away.
struct ConsumerRows {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func keep(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin
    ) throws -> ConsumerOutcome {
        guard let log = try AppLog(app, database) else { return .unknownApp }
        if let fault = log.fault(of: cursor, try CursorRanges(database)) { return .refused(fault) }
        let place = cursor == .start ? log.expired : cursor.number
        let isNew = try find(name, of: log) == nil
        guard try !isNew || count(log) < TelemetryConsumer.countBound else { return .tooMany }
        try Prepared(
            database,
            """
            INSERT INTO consumer (app, name, cursor, updated_at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET cursor = excluded.cursor, updated_at = excluded.updated_at
            """
        ).run(.integer(log.key), .text(name), .integer(place), .integer(origin.at.milliseconds))
        if isNew { try AuditRows(database).append(AuditEntry(.create, consumer: name, of: app, origin)) }
        let kept = Place(name: name, cursor: place, updatedAt: origin.at)
        return .kept(try consumer(kept, of: log), isNew: isNew)
    }

    /// By name, or the one of a name; nil: nothing was ever stored of the app.
    func all(of app: String, named name: String?) throws -> [TelemetryConsumer]? {
        guard let log = try AppLog(app, database) else { return nil }
        if let name { return try find(name, of: log).map { [try consumer($0, of: log)] } ?? [] }
        return try Prepared(database, "SELECT name, cursor, updated_at FROM consumer WHERE app = ? ORDER BY name")
            .all(.integer(log.key), read: Place.read).map { try consumer($0, of: log) }
    }

    /// False: there was none.
    func delete(_ name: String, of app: String, _ origin: ChangeOrigin) throws -> Bool {
        guard let log = try AppLog(app, database) else { return false }
        let deleted = try Prepared(database, "DELETE FROM consumer WHERE app = ? AND name = ?")
            .run(.integer(log.key), .text(name))
        guard deleted > 0 else { return false }
        try AuditRows(database).append(AuditEntry(.delete, consumer: name, of: app, origin))
        return true
    }

    /// Up to which cursor every consumer of the app has acknowledged; nil without consumers.
    func acknowledged(app: Int64) throws -> Int64? {
        try Prepared(database, "SELECT cursor FROM consumer WHERE app = ? ORDER BY cursor LIMIT 1")
            .first(.integer(app)) { $0.integer(0) }
    }

    private struct Place {
        let name: String
        let cursor: Int64
        let updatedAt: Timestamp

        static func read(_ row: SQLRow) -> Place {
            Place(name: row.text(0), cursor: row.integer(1), updatedAt: Timestamp(milliseconds: row.integer(2)))
        }
    }

    private func find(_ name: String, of log: AppLog) throws -> Place? {
        try Prepared(database, "SELECT name, cursor, updated_at FROM consumer WHERE app = ? AND name = ?")
            .first(.integer(log.key), .text(name), read: Place.read)
    }

    private func count(_ log: AppLog) throws -> Int {
        try Prepared(database, "SELECT count(*) FROM consumer WHERE app = ?")
            .first(.integer(log.key)) { Int($0.integer(0)) } ?? 0
    }

    private func consumer(_ place: Place, of log: AppLog) throws -> TelemetryConsumer {
        let lag = try Prepared(
            database, "SELECT count(*) FROM (SELECT 1 FROM telemetry WHERE app = ? AND cursor > ? LIMIT ?)"
        ).first(.integer(log.key), .integer(place.cursor), .integer(Int64(TelemetryConsumer.lagBound))) {
            Int($0.integer(0))
        }
        return TelemetryConsumer(
            name: place.name, cursor: try CursorRanges(database).cursor(place.cursor), updatedAt: place.updatedAt,
            lag: lag ?? 0,
            isExpired: place.cursor < log.expired)
    }
}
