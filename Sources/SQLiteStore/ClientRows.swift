import BellwetherCore
import BellwetherService
import GRDB

/// A row of table `client`.
struct ClientRow {
    /// The client's number, column `key`.
    let row: Int64
    let version: UInt64
    /// `ClientState.encoded()`.
    let state: [UInt8]

    func client(_ reference: ClientReference) throws(RowFault) -> StoredClient {
        guard let state = ClientState(encoded: state) else { throw .unreadableState(reference) }
        return StoredClient(row: row, version: version, state: state)
    }
}

/// Table `client`: one row a client that has done anything, with its packed state.
struct ClientRows {
    private let select: Prepared
    private let insert: Prepared
    private let update: Prepared
    private let newest: Prepared

    init(_ database: Database) throws {
        select = try Prepared(database, "SELECT key, version, state FROM client WHERE app = ? AND id = ?")
        insert = try Prepared(database, "INSERT INTO client (key, app, id, version, state) VALUES (?, ?, ?, ?, ?)")
        update = try Prepared(database, "UPDATE client SET version = ?, state = ? WHERE key = ? AND version = ?")
        newest = try Prepared(database, "SELECT max(key) FROM client")
    }

    func find(app: Int64, id: String) throws -> ClientRow? {
        try select.first(.integer(app), .text(id)) { row in
            ClientRow(row: row.integer(0), version: UInt64(bitPattern: row.integer(1)), state: row.bytes(2))
        }
    }

    /// The highest number in use; 0 without clients.
    func highestKey() throws -> Int64 {
        try newest.first { $0.integer(0) } ?? 0
    }

    func insert(_ client: StoredClient, app: Int64, id: String) throws {
        try insert.run(
            .integer(client.row), .integer(app), .text(id), .integer(Int64(bitPattern: client.version)),
            .blob(client.state.encoded()))
    }

    /// Compare and set: false when the row's version is not the one before.
    func update(_ client: StoredClient) throws -> Bool {
        let version = Int64(bitPattern: client.version)
        let state = client.state.encoded()
        return try update.run(.integer(version), .blob(state), .integer(client.row), .integer(version &- 1)) == 1
    }
}
