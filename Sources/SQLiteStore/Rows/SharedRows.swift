import BellwetherJSON
import BellwetherService
import GRDB

/// Table `shared`: small rows of several kinds, each one JSON object: tallies of quotas, leases of jobs, which clients
/// are a user's, lists of a respondent's runs.
struct SharedRows {
    enum Kind: String {
        case tally, lease, alias
        case runList = "runs"
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// - Parameter app: 0: of no app.
    func find(_ kind: Kind, app: Int64, name: String) throws -> StoredRow? {
        try Prepared(database, "SELECT version, body FROM shared WHERE kind = ? AND app = ? AND name = ?")
            .first(.text(kind.rawValue), .integer(app), .text(name)) { row in
                let json = (try? JSONValue(parsing: row.bytes(1), limits: .kept))?.object ?? [:]
                let value: RowValue? =
                    switch kind {
                    case .tally: Tally(json).map { .tally($0) }
                    case .lease: Lease(json).map { .lease($0) }
                    case .alias: .alias
                    case .runList: RunList(json).map { .runList($0) }
                    }
                guard let value else { throw RowFault.unreadable("a \(kind.rawValue)") }
                return StoredRow(version: UInt64(bitPattern: row.integer(0)), value: value)
            }
    }

    func version(_ kind: Kind, app: Int64, name: String) throws -> UInt64? {
        try Prepared(database, "SELECT version FROM shared WHERE kind = ? AND app = ? AND name = ?")
            .first(.text(kind.rawValue), .integer(app), .text(name)) { UInt64(bitPattern: $0.integer(0)) }
    }

    func delete(_ kind: Kind, app: Int64, name: String) throws {
        try Prepared(database, "DELETE FROM shared WHERE kind = ? AND app = ? AND name = ?")
            .run(.text(kind.rawValue), .integer(app), .text(name))
    }

    func write(_ value: RowValue, _ kind: Kind, app: Int64, name: String, version: UInt64) throws {
        let body: JSONObject =
            switch value {
            case .tally(let tally): tally.json
            case .lease(let lease): lease.json
            case .alias: [:]
            case .runList(let list): list.json
            default: throw RowFault.unreadable("a row and a value of another kind")
            }
        try Prepared(
            database, "INSERT OR REPLACE INTO shared (kind, app, name, version, body) VALUES (?, ?, ?, ?, ?)"
        ).run(
            .text(kind.rawValue), .integer(app), .text(name), .integer(Int64(bitPattern: version)),
            .blob(JSONValue.object(body).encoded))
    }

    /// The name of an alias's row. A user's id has no control character.
    static func alias(userID: String, clientID: String) -> String { "\(userID)\u{1F}\(clientID)" }

    func aliases(app: Int64, userID: String) throws -> [String] {
        let start = Self.alias(userID: userID, clientID: "")
        return try Prepared(
            database,
            """
            SELECT substr(name, length(?2) + 1) FROM shared
            WHERE kind = 'alias' AND app = ?1 AND name >= ?2 AND name < ?3 ORDER BY name
            """
        ).all(.integer(app), .text(start), .text("\(userID)\u{20}")) { $0.text(0) }
    }

    func deleteAliases(app: Int64, userID: String) throws -> Int {
        let start = Self.alias(userID: userID, clientID: "")
        return try Prepared(
            database, "DELETE FROM shared WHERE kind = 'alias' AND app = ? AND name >= ? AND name < ?"
        ).run(.integer(app), .text(start), .text("\(userID)\u{20}"))
    }

    /// The users that a client was identified with.
    func aliases(app: Int64, clientID: String) throws -> [String] {
        try Prepared(
            database,
            """
            SELECT substr(name, 1, length(name) - length(?2)) FROM shared
            WHERE kind = 'alias' AND app = ?1 AND substr(name, -length(?2)) = ?2 ORDER BY name
            """
        ).all(.integer(app), .text(Self.alias(userID: "", clientID: clientID))) { $0.text(0) }
    }

    /// Those of a client, whatever users it was identified with.
    func deleteAliases(app: Int64, clientID: String) throws -> Int {
        try Prepared(
            database, "DELETE FROM shared WHERE kind = 'alias' AND app = ?1 AND substr(name, -length(?2)) = ?2"
        ).run(.integer(app), .text(Self.alias(userID: "", clientID: clientID)))
    }
}
