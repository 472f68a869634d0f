import BellwetherJSON
import SQLiteWire

/// Table `app`: a number for each app's name, and the values that are stored once for each app.
struct AppRows {
    private let database: SQLiteConnection
    private let select: Prepared
    private let insert: Prepared

    init(_ database: SQLiteConnection) throws {
        self.database = database
        select = try Prepared(database, "SELECT key FROM app WHERE name = ?")
        insert = try Prepared(database, "INSERT INTO app (name) VALUES (?)")
    }

    func find(_ name: Identifier) throws -> Int64? {
        try select.first(.text(name)) { $0.integer(0) }
    }

    /// The app's number. An app without a number gets one.
    func key(_ name: Identifier) throws -> Int64 {
        if let key = try find(name) { return key }
        try insert.run(.text(name))
        return database.lastInsertedRow
    }
}
