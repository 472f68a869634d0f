import BellwetherBase
import BellwetherJSON
import BellwetherService
import GRDB
import Surveys

/// Tables `run` and `current_run`. A run is one JSON object; what it is looked up by has columns of its own.
struct RunRows {
    struct CurrentKey {
        let app: Int64
        let slug: String
        let respondent: String
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    func find(app: Int64, id: String) throws -> StoredRow? {
        try Prepared(database, "SELECT version, body FROM run WHERE app = ? AND id = ?")
            .first(.integer(app), .text(id)) { row in
                StoredRow(version: UInt64(bitPattern: row.integer(0)), value: .run(try Self.run(row.bytes(1))))
            }
    }

    func version(app: Int64, id: String) throws -> UInt64? {
        try Prepared(database, "SELECT version FROM run WHERE app = ? AND id = ?")
            .first(.integer(app), .text(id)) { UInt64(bitPattern: $0.integer(0)) }
    }

    func current(app: Int64, slug: String, respondent: String) throws -> StoredRow? {
        try Prepared(
            database, "SELECT version, run FROM current_run WHERE app = ? AND slug = ? AND respondent = ?"
        ).first(.integer(app), .text(slug), .text(respondent)) { row in
            StoredRow(version: UInt64(bitPattern: row.integer(0)), value: .currentRun(row.optionalText(1)))
        }
    }

    func setCurrent(_ run: String?, of key: CurrentKey, version: UInt64) throws {
        try Prepared(
            database, "INSERT OR REPLACE INTO current_run (app, slug, respondent, version, run) VALUES (?, ?, ?, ?, ?)"
        ).run(
            .integer(key.app), .text(key.slug), .text(key.respondent), .integer(Int64(bitPattern: version)), .text(run))
    }

    func deleteCurrent(of key: CurrentKey) throws {
        try Prepared(database, "DELETE FROM current_run WHERE app = ? AND slug = ? AND respondent = ?")
            .run(.integer(key.app), .text(key.slug), .text(key.respondent))
    }

    func write(_ run: Run, app: Int64, version: UInt64, isNew: Bool) throws {
        let values: [SQLValue] = [
            .integer(app), .text(run.id), .integer(Int64(bitPattern: version)), .text(run.slug),
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

    /// Newest first.
    func page(_ query: RunQuery) throws -> [Run] {
        guard let app = try AppRows(database).find(query.app) else { return [] }
        var conditions = ["app = ?", "deleted_at IS NULL"]
        var values: [SQLValue] = [.integer(app)]
        func add(_ condition: String, _ bound: SQLValue...) {
            conditions.append(condition)
            values += bound
        }
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
        values.append(.integer(Int64(query.limit)))
        let sql = """
            SELECT body FROM run WHERE \(conditions.joined(separator: " AND "))
            ORDER BY created_at DESC, id DESC LIMIT ?
            """
        return try Prepared(database, sql).all(values) { try Self.run($0.bytes(0)) }
    }

    /// The condition of the runs that go with a person, with its values. A user's runs stay when a client is erased.
    static func erased(with person: Person, app: Int64) -> (condition: String, values: [SQLValue]) {
        switch person {
        case .client(let client):
            ("app = ? AND client_id = ? AND user_id IS NULL", [.integer(app), .text(client.id)])
        case .user(let user):
            ("app = ? AND (user_id = ? OR merged_user = ?)", [.integer(app), .text(user.id), .text(user.id)])
        }
    }

    /// Removes the runs that go with a person, and what leads to them. Answers how many rows there were.
    func erase(_ person: Person, app: Int64) throws -> Int {
        let currents = try Prepared(database, "DELETE FROM current_run WHERE app = ? AND respondent = ?")
            .run(.integer(app), .text(person.respondent.key))
        let (condition, values) = Self.erased(with: person, app: app)
        return try currents + Prepared(database, "DELETE FROM run WHERE \(condition)").run(values)
    }

    /// Takes a client's id out of the runs of users. Answers how many had it.
    func forget(clientID: String, app: Int64) throws -> Int {
        let runs = try Prepared(
            database, "SELECT version, body FROM run WHERE app = ? AND client_id = ? AND user_id IS NOT NULL"
        ).all(.integer(app), .text(clientID)) { (version: $0.integer(0), run: try Self.run($0.bytes(1))) }
        for (version, run) in runs {
            var run = run
            run.clientID = nil
            try write(run, app: app, version: UInt64(bitPattern: version) &+ 1, isNew: false)
        }
        return runs.count
    }

    /// Bytes of files that go with one slice of runs, about: SQLite overwrites them.
    private static let sliceBytes: Int64 = 16 << 20

    /// Runs that were deleted before a time. Answers the limit where their files have ended the slice early.
    func deleteSlice(deletedBefore time: Int64, limit: Int) throws -> Int {
        var bytes: Int64 = 0
        let keys = try Prepared(
            database,
            """
            SELECT key, (SELECT sum(length(file.content)) FROM run_file JOIN file ON file.key = run_file.file
                WHERE run_file.run = run.key)
            FROM run WHERE deleted_at IS NOT NULL AND deleted_at < ? LIMIT ?
            """
        ).all(.integer(time), .integer(Int64(limit))) { row in
            bytes += row.optionalInteger(1) ?? 0
            return row.integer(0)
        } isEnough: { _ in
            bytes >= Self.sliceBytes
        }
        let delete = try Prepared(database, "DELETE FROM run WHERE key = ?")
        for key in keys { try delete.run(.integer(key)) }
        return bytes >= Self.sliceBytes ? limit : keys.count
    }

    private static func time(_ time: Timestamp?) -> SQLValue { time.map { .integer($0.milliseconds) } ?? .null }

    private static func run(_ body: [UInt8]) throws -> Run {
        guard let json = try? JSONValue(parsing: body, limits: .kept), let object = json.object, let run = Run(object)
        else { throw RowFault.unreadable("a run") }
        return run
    }
}
