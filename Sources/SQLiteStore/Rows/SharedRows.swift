import BellwetherJSON
import BellwetherService
import GRDB

/// Table `shared`: rows that no respondent owns, each one JSON object: tallies of quotas, leases of jobs.
struct SharedRows {
    enum Kind: String {
        case tally, lease
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
                    }
                guard let value else { throw RowFault.unreadable("a \(kind.rawValue)") }
                return StoredRow(version: UInt64(bitPattern: row.integer(0)), value: value)
            }
    }

    func write(_ value: RowValue, _ kind: Kind, app: Int64, name: String, version: UInt64) throws {
        let body: JSONObject =
            switch value {
            case .tally(let tally): tally.json
            case .lease(let lease): lease.json
            default: throw RowFault.unreadable("a row and a value of another kind")
            }
        try Prepared(
            database, "INSERT OR REPLACE INTO shared (kind, app, name, version, body) VALUES (?, ?, ?, ?, ?)"
        ).run(
            .text(kind.rawValue), .integer(app), .text(name), .integer(Int64(bitPattern: version)),
            .blob(JSONValue.object(body).encoded))
    }
}
