import BellwetherBase
import BellwetherJSON
import BellwetherService
import SQLiteWire
import Surveys

/// Tables `run` and `current_run`. A run is one JSON object. Values that queries search by have their own columns.
struct RunRows {
    struct CurrentKey {
        let app: Int64
        let slug: String
        let respondent: String
    }

    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    func find(app: Int64, id: String) throws -> StoredRow? {
        try Prepared(database, "SELECT version, body FROM run WHERE app = ? AND id = ?")
            .first(.integer(app), .text(id)) { row in
                StoredRow(version: row.version(0), value: .run(try Self.run(row.bytes(1))))
            }
    }

    func version(app: Int64, id: String) throws -> UInt64? {
        try Prepared(database, "SELECT version FROM run WHERE app = ? AND id = ?")
            .first(.integer(app), .text(id)) { $0.version(0) }
    }

    func current(app: Int64, slug: String, respondent: String) throws -> StoredRow? {
        try Prepared(
            database, "SELECT version, run FROM current_run WHERE app = ? AND slug = ? AND respondent = ?"
        ).first(.integer(app), .text(slug), .text(respondent)) { row in
            StoredRow(version: row.version(0), value: .currentRun(row.optionalText(1)))
        }
    }

    func setCurrent(_ run: String?, of key: CurrentKey, version: UInt64) throws {
        try Prepared(
            database, "INSERT OR REPLACE INTO current_run (app, slug, respondent, version, run) VALUES (?, ?, ?, ?, ?)"
        ).run(
            .integer(key.app), .text(key.slug), .text(key.respondent), .version(version), .text(run))
    }

    func deleteCurrent(of key: CurrentKey) throws {
        try Prepared(database, "DELETE FROM current_run WHERE app = ? AND slug = ? AND respondent = ?")
            .run(.integer(key.app), .text(key.slug), .text(key.respondent))
    }

    func write(_ run: Run, app: Int64, version: UInt64, isNew: Bool) throws {
        let values: [SQLValue] = [
            .integer(app), .text(run.id), .version(version), .text(run.slug),
            .text(run.respondent.userID), .text(run.clientID), .text(run.status.rawValue),
            .integer(run.isDevelopment ? 1 : 0), .integer(run.createdAt.milliseconds),
            .integer(run.updatedAt.milliseconds), Self.time(run.submittedAt), Self.time(run.deletedAt),
            .blob(JSONValue.object(run.json).encoded), .text(run.mergedUserID),
        ]
        let sql =
            isNew
            ? """
            INSERT INTO run (app, id, version, slug, user_id, client_id, status, is_dev, created_at, updated_at,
                submitted_at, deleted_at, body, merged_user)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """
            : """
            UPDATE run SET version = ?3, slug = ?4, user_id = ?5, client_id = ?6, status = ?7, is_dev = ?8,
                created_at = ?9, updated_at = ?10, submitted_at = ?11, deleted_at = ?12, body = ?13,
                merged_user = ?14
            WHERE app = ?1 AND id = ?2
            """
        try Prepared(database, sql).run(values)
        if let flow = run.flow { try FileRows(database).refer(run: run.id, app: app, to: flow.files) }
    }

    func delete(app: Int64, id: String) throws {
        try Prepared(database, "DELETE FROM run WHERE app = ? AND id = ?").run(.integer(app), .text(id))
    }

    /// The SQL condition of a query, with its values.
    static func condition(_ query: RunQuery, app: Int64) -> (String, [SQLValue]) {
        var conditions = ["run.app = ?"]
        var values: [SQLValue] = [.integer(app)]
        func add(_ condition: String, _ bound: SQLValue...) {
            conditions.append(condition)
            values += bound
        }
        if !query.includesDeleted { add("deleted_at IS NULL") }
        if let slug = query.slug { add("slug = ?", .text(slug)) }
        if let status = query.status { add("status = ?", .text(status.rawValue)) }
        if query.isSubmittedOnly { add("submitted_at IS NOT NULL") }
        if let isDevelopment = query.isDevelopment { add("is_dev = ?", .integer(isDevelopment ? 1 : 0)) }
        if let user = query.userID {
            if query.includesMerged {
                add("(user_id = ? OR merged_user = ?)", .text(user), .text(user))
            } else {
                add("user_id = ?", .text(user))
            }
        }
        if let client = query.clientID { add("client_id = ?", .text(client)) }
        if query.isWithoutUser { add("user_id IS NULL") }
        if let time = query.untouchedSince { add("updated_at < ?", .integer(time.milliseconds)) }
        if let cursor = query.after {
            add("(created_at, id) < (?, ?)", .integer(cursor.createdAt.milliseconds), .text(cursor.id))
        }
        return (conditions.joined(separator: " AND "), values)
    }

    /// The columns of one row, in the order in which `found` reads them. They need the joined table `app`.
    static let columns = "app.name, run.id, run.version, run.body"
    static let table = "run JOIN app ON app.key = run.app"

    static func found(_ row: SQLRow) -> FoundRow {
        FoundRow(
            name: .run(RunReference(app: row.text(0), id: row.text(1))), version: row.version(2),
            value: readable { .run(try run(row.bytes(3))) })
    }

    private static func time(_ time: Timestamp?) -> SQLValue { time.map { .integer($0.milliseconds) } ?? .null }

    private static func run(_ body: [UInt8]) throws -> Run {
        guard let json = try? JSONValue(parsing: body, limits: .kept), let object = json.object, let run = Run(object)
        else { throw RowFault.unreadable("a run") }
        return run
    }
}
