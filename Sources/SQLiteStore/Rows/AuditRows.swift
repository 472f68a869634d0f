import BellwetherService
import SQLiteWire
import StoreTables

/// Table `audit`: the chain of records of every change (docs/reference/http-api.md#audit). It only grows.
struct AuditRows {
    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    /// Appends a record. The table only accepts records at its end.
    func append(_ record: AuditRecord) throws {
        try Prepared(database, "INSERT INTO audit (sequence, text, hash) VALUES (?, ?, ?)")
            .run(.integer(record.sequence), .utf8(record.text), .blob(record.hash))
    }

    /// The chain that the next record continues. Its number follows the highest one that was ever given, so records
    /// that were removed at the end stay missing.
    func end() throws -> AuditChain {
        let chain = try last().map { AuditChain(after: $0) } ?? AuditChain()
        return AuditChain(sequence: max(chain.sequence, try written()), hash: chain.hash)
    }

    func last() throws -> AuditRecord? {
        try Prepared(database, "SELECT sequence, text, hash FROM audit ORDER BY sequence DESC LIMIT 1")
            .first { AuditRecord($0, at: 0) }
    }

    func page(_ query: AuditQuery) throws -> [AuditRecord] {
        try Prepared(database, "SELECT sequence, text, hash FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?")
            .all(.integer(query.after), .integer(Int64(max(0, query.limit)))) { AuditRecord($0, at: 0) }
    }

    /// How many records were ever written, including deleted ones.
    func written() throws -> Int64 {
        try Prepared(database, "SELECT seq FROM sqlite_sequence WHERE name = 'audit'").first { $0.integer(0) } ?? 0
    }
}
