import SQLiteWire

/// Brings a database to the schema of this program: it takes the steps of `SchemaHistory` that are missing.
enum Migrations {
    /// Takes the steps that the database has not taken, each in a transaction. A database with all of them is not
    /// written: a full disk must not prevent reads.
    /// - Parameter last: The name of the last step; nil for all steps.
    static func apply(to database: SQLiteConnection, upTo last: String? = nil) throws {
        let (taken, steps) = (try names(in: database), SchemaHistory.steps)
        let end = last.flatMap { last in steps.firstIndex { $0.name == last } } ?? steps.count - 1
        for step in steps[...end] where !taken.contains(step.name) {
            try database.transaction {
                try database.execute("CREATE TABLE IF NOT EXISTS \(table) (identifier TEXT NOT NULL PRIMARY KEY)")
                try database.execute(step.sql)
                try Prepared(database, "INSERT INTO \(table) (identifier) VALUES (?)").run(.text(step.name))
            }
        }
    }

    /// Whether a newer version of the program has taken steps that this version does not know.
    static func areNewer(in database: SQLiteConnection) throws -> Bool {
        !(try names(in: database)).isSubset(of: SchemaHistory.steps.map(\.name))
    }

    /// The table of the steps that a database has taken. Its name is that of the library that once took them.
    private static let table = "grdb_migrations"

    private static func names(in database: SQLiteConnection) throws -> Set<String> {
        guard try database.hasTable(table) else { return [] }
        return Set(try database.texts("SELECT identifier FROM \(table)"))
    }
}
