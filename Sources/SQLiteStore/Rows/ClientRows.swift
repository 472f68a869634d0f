import BellwetherCore
import BellwetherJSON
import BellwetherService
import SQLiteWire

/// A row of table `client`.
struct ClientRow {
    let version: UInt64
    /// `ClientState.encoded()`.
    let state: [UInt8]
}

/// Table `client`: one row for each client that was ever active, with its packed state.
struct ClientRows {
    private let selectKey: Prepared
    private let insert: Prepared
    private let update: Prepared

    init(_ database: SQLiteConnection) throws {
        selectKey = try Prepared(database, "SELECT key FROM client WHERE app = ? AND id = ?")
        insert = try Prepared(
            database,
            "INSERT INTO client (app, id, version, state) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING key")
        update = try Prepared(
            database,
            "UPDATE client SET version = ?, state = ? WHERE app = ? AND id = ? AND version = ? RETURNING key")
    }

    /// The client's number in other tables.
    func key(app: Int64, id: Identifier) throws -> Int64? {
        try selectKey.first(.integer(app), .text(id)) { $0.integer(0) }
    }

    /// Compares and sets; returns the client's number. Nil if the row's version is not the expected one; 0 expects no
    /// row.
    func write(_ row: ClientRow, app: Int64, id: Identifier, expecting version: UInt64) throws -> Int64? {
        let next = SQLValue.version(row.version)
        guard version != 0 else {
            return try insert.first(.integer(app), .text(id), next, .blob(row.state)) { $0.integer(0) }
        }
        let expected = SQLValue.version(version)
        return try update.first(next, .blob(row.state), .integer(app), .text(id), expected) { $0.integer(0) }
    }
}
