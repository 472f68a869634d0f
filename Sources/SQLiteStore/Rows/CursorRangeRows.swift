import BellwetherService
import SQLiteWire

/// Table `cursor_range`: the database that gave each range of the log's numbers (`CursorRanges`). A row is a database's
/// identity, and the number after which its range begins. The last row is this database's.
enum CursorRangeRows {
    static func read(_ database: SQLiteConnection) throws -> CursorRanges {
        let newest = try newest(database)
        // A backup may have the schema of an older program, and is read as it is.
        guard try database.hasTable("cursor_range") else { return CursorRanges([], newest: newest) }
        let ranges = try Prepared(database, "SELECT start, database FROM cursor_range ORDER BY key")
            .all { (start: $0.integer(0), database: Int32(truncatingIfNeeded: $0.integer(1))) }
        return CursorRanges(ranges, newest: newest)
    }

    /// Begins a range if the database is opened for the first time, or is a copy that is opened for the first time.
    static func settle(_ database: SQLiteConnection) throws {
        let identity = try DatabaseIdentity.read(database)
        let last = try Prepared(database, "SELECT database FROM cursor_range ORDER BY key DESC LIMIT 1")
            .first { $0.integer(0) }
        guard last != Int64(identity) else { return }
        try Prepared(database, "INSERT INTO cursor_range (start, database) VALUES (?, ?)")
            .run(.integer(newest(database)), .integer(Int64(identity)))
    }

    /// Reserves the numbers up to `number` for the original. The copy was settled and has given no number yet.
    static func skip(to number: Int64, _ database: SQLiteConnection) throws {
        if try Prepared(database, "UPDATE sqlite_sequence SET seq = ? WHERE name = 'telemetry'")
            .run(.integer(number)) == 0
        {
            try Prepared(database, "INSERT INTO sqlite_sequence (name, seq) VALUES ('telemetry', ?)")
                .run(.integer(number))
        }
        try Prepared(
            database, "UPDATE cursor_range SET start = ? WHERE key = (SELECT max(key) FROM cursor_range)"
        ).run(.integer(number))
    }

    private static func newest(_ database: SQLiteConnection) throws -> Int64 {
        guard try database.hasTable("telemetry") else { return 0 }
        return try Prepared(database, "SELECT seq FROM sqlite_sequence WHERE name = 'telemetry'")
            .first { $0.integer(0) } ?? 0
    }
}
