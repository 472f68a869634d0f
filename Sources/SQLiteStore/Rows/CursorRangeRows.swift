import BellwetherService
import GRDB

/// Table `cursor_range`: which database gave which numbers of the log (`CursorRanges`). A row is a database's identity,
/// and the number after which it began to give numbers. The last row is this database's.
enum CursorRangeRows {
    static func read(_ database: Database) throws -> CursorRanges {
        let newest = try newest(database)
        // A backup may be of an older program's database, and is read as it is.
        guard try database.tableExists("cursor_range") else { return CursorRanges([], newest: newest) }
        let ranges = try Prepared(database, "SELECT start, database FROM cursor_range ORDER BY key")
            .all { (start: $0.integer(0), database: Int32(truncatingIfNeeded: $0.integer(1))) }
        return CursorRanges(ranges, newest: newest)
    }

    /// Begins a range where the database was never opened before, or is a copy that was not.
    static func settle(_ database: Database) throws {
        let identity = try DatabaseIdentity.read(database)
        let last = try Prepared(database, "SELECT database FROM cursor_range ORDER BY key DESC LIMIT 1")
            .first { $0.integer(0) }
        guard last != Int64(identity) else { return }
        try Prepared(database, "INSERT INTO cursor_range (start, database) VALUES (?, ?)")
            .run(.integer(newest(database)), .integer(Int64(identity)))
    }

    /// Leaves the numbers up to one to the original of a copy that was settled and has given none yet.
    static func skip(to number: Int64, _ database: Database) throws {
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

    private static func newest(_ database: Database) throws -> Int64 {
        guard try database.tableExists("telemetry") else { return 0 }
        return try Prepared(database, "SELECT seq FROM sqlite_sequence WHERE name = 'telemetry'")
            .first { $0.integer(0) } ?? 0
    }
}
