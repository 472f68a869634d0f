import BellwetherCore
import BellwetherService
import SQLiteWire

/// A row of table `client`.
struct ClientRow {
    let version: UInt64
    /// `ClientState.encoded()`.
    let state: [UInt8]
}

/// Table `client`: one row for each client that was ever active, with its packed state. Table `user` has the same
/// columns.
struct ClientRows {
    private let database: SQLiteConnection
    private let table: String
    private let select: Prepared
    private let selectKey: Prepared
    private let selectVersion: Prepared
    private let insert: Prepared
    private let update: Prepared

    init(_ database: SQLiteConnection, table: String = "client") throws {
        (self.database, self.table) = (database, table)
        select = try Prepared(database, "SELECT version, state FROM \(table) WHERE app = ? AND id = ?")
        selectKey = try Prepared(database, "SELECT key FROM \(table) WHERE app = ? AND id = ?")
        selectVersion = try Prepared(database, "SELECT version FROM \(table) WHERE app = ? AND id = ?")
        insert = try Prepared(
            database,
            "INSERT INTO \(table) (app, id, version, state) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING key")
        update = try Prepared(
            database,
            "UPDATE \(table) SET version = ?, state = ? WHERE app = ? AND id = ? AND version = ? RETURNING key")
    }

    func find(app: Int64, id: String) throws -> ClientRow? {
        try select.first(.integer(app), .text(id)) { row in
            ClientRow(version: row.version(0), state: row.bytes(1))
        }
    }

    /// The client's number in other tables.
    func key(app: Int64, id: String) throws -> Int64? {
        try selectKey.first(.integer(app), .text(id)) { $0.integer(0) }
    }

    func version(app: Int64, id: String) throws -> UInt64? {
        try selectVersion.first(.integer(app), .text(id)) { $0.version(0) }
    }

    /// Compares and sets; returns the client's number. Nil if the row's version is not the expected one; 0 expects no
    /// row.
    func write(_ row: ClientRow, app: Int64, id: String, expecting version: UInt64) throws -> Int64? {
        let next = SQLValue.version(row.version)
        guard version != 0 else {
            return try insert.first(.integer(app), .text(id), next, .blob(row.state)) { $0.integer(0) }
        }
        let expected = SQLValue.version(version)
        return try update.first(next, .blob(row.state), .integer(app), .text(id), expected) { $0.integer(0) }
    }

    func delete(key: Int64) throws { try Prepared(database, "DELETE FROM \(table) WHERE key = ?").run(.integer(key)) }
}
