import BellwetherJSON
import BellwetherService
import SQLiteWire

/// Table `shared`: small rows of several kinds (`SmallRow`), each one JSON object. App 0 means that the row belongs to
/// no app. `client_id` is the client of an alias.
struct SharedRows {
    /// The columns of one row, in the order in which `found` reads them.
    static let columns = "kind, name, version, body"

    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    func find(_ row: SmallRow, app: Int64) throws -> StoredRow? {
        try Prepared(database, "SELECT version, body FROM shared WHERE kind = ? AND app = ? AND name = ?")
            .first(.text(row.kind.rawValue), .integer(app), .text(row.key)) {
                StoredRow(version: $0.version(0), value: try Self.value(row.kind, $0.bytes(1)))
            }
    }

    func version(_ row: SmallRow, app: Int64) throws -> UInt64? {
        try Prepared(database, "SELECT version FROM shared WHERE kind = ? AND app = ? AND name = ?")
            .first(.text(row.kind.rawValue), .integer(app), .text(row.key)) { $0.version(0) }
    }

    func delete(_ row: SmallRow, app: Int64) throws {
        try Prepared(database, "DELETE FROM shared WHERE kind = ? AND app = ? AND name = ?")
            .run(.text(row.kind.rawValue), .integer(app), .text(row.key))
    }

    func write(_ body: JSONObject, _ row: SmallRow, app: Int64, version: UInt64) throws {
        try Prepared(
            database,
            "INSERT OR REPLACE INTO shared (kind, app, name, version, body, client_id) VALUES (?, ?, ?, ?, ?, ?)"
        ).run(
            .text(row.kind.rawValue), .integer(app), .text(row.key), .version(version),
            .blob(JSONValue.object(body).encoded), .text(row.clientID))
    }

    /// - Parameter app: the app's name; empty for rows of no app.
    static func found(_ row: SQLRow, app: String) throws -> FoundRow {
        guard let kind = SmallRow.Kind(rawValue: row.text(0)),
            let name = SmallRow.name(kind, app: app, key: row.text(1))
        else { throw RowFault.unreadable("the name of a row") }
        return FoundRow(name: name, version: row.version(2), value: readable { try value(kind, row.bytes(3)) })
    }

    private static func value(_ kind: SmallRow.Kind, _ body: [UInt8]) throws -> RowValue {
        let json = (try? JSONValue(parsing: body, limits: .kept))?.object ?? [:]
        guard let value = SmallRow.value(kind, json) else { throw RowFault.unreadable("a \(kind.rawValue)") }
        return value
    }
}
