import BellwetherService
import GRDB

/// Table `cursor_range`: which database gave which numbers of the log.
///
/// A row is a database's identity, and the number after which it began to give numbers; its range ends where the next
/// row's begins. The last row is this database's. The others are its originals': databases that it was copied from, and
/// that may have gone on after it was. Numbers up to the first row's were given before there were identities.
struct CursorRanges {
    private let ranges: [(start: Int64, database: Int32)]
    /// The highest number ever given; 0 for a log that never had a record.
    let newest: Int64

    init(_ database: Database) throws {
        newest = try Self.newest(database)
        // A backup may be of an older program's database, and is read as it is.
        guard try database.tableExists("cursor_range") else {
            ranges = []
            return
        }
        ranges = try Prepared(database, "SELECT start, database FROM cursor_range ORDER BY key")
            .all { (start: $0.integer(0), database: Int32(truncatingIfNeeded: $0.integer(1))) }
    }

    /// The cursor of a number that was given here, or in an original.
    func cursor(_ number: Int64) -> TelemetryCursor {
        TelemetryCursor(number: number, database: ranges.last { $0.start < number }?.database)
    }

    /// Why a cursor is none of this log; nil where it is, be its record kept or not.
    func fault(of cursor: TelemetryCursor) -> CursorFault? {
        guard cursor != .start else { return nil }
        guard let database = cursor.database else {
            return cursor.number <= ranges.first?.start ?? newest ? nil : .foreign
        }
        guard let index = ranges.firstIndex(where: { $0.database == database }), cursor.number > ranges[index].start
        else { return .foreign }
        let end = index + 1 < ranges.count ? ranges[index + 1].start : newest
        return cursor.number <= end ? nil : .beyondEnd
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
