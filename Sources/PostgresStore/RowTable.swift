import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import StoreTables

/// A table of named rows, many of which one statement reads or writes.
struct RowTable: Hashable {
    /// Nil for the heads of the audit and the catalog.
    let table: StoreTable?

    init(_ table: StoreTable?) { self.table = table }

    /// The tables, in the order in which a write locks them.
    static let all: [RowTable] = [
        .client, .user, .answer, .reply, .run, .currentRun, .small, .webhook, .file, .document, .draft, .recipe,
        .revision, nil,
    ].map { RowTable($0) }

    var name: String { table.map(Dialect.postgres.name) ?? "head" }

    private var keyColumns: [StoreTable.Column] { table.map { Array($0.columns.prefix($0.keyCount)) } ?? [] }

    /// The columns of a row's name. All are compared as texts, except the number of a revision.
    var keys: [String] { table == nil ? ["name"] : keyColumns.map(\.name) }

    private var version: String { table?.version ?? "t.version" }

    /// The names as rows of `u`: columns `k0`, `k1`, …, and the position `n`, from 1. The parameters are one array for
    /// each column.
    var names: String {
        let arrays = keys.map { _ in "?::text[]" }.joined(separator: ", ")
        let columns = keys.indices.map { "k\($0)" }.joined(separator: ", ")
        return "unnest(\(arrays)) WITH ORDINALITY AS u(\(columns), n)"
    }

    /// The condition that a row of `t` has the name in `u`.
    var match: String {
        guard table != nil else { return "t.name = u.k0" }
        return keyColumns.enumerated().map { index, column in
            "t.\(column.name) = u.k\(index)\(column.kind == .integer ? "::int8" : "")"
        }.joined(separator: " AND ")
    }

    /// The keys of rows, as the parameters of `names`.
    func arrays(_ keys: [[Identifier]]) -> [PostgresValue] {
        self.keys.indices.map { column in .texts(keys.map { $0[column] }) }
    }

    /// Reads the versions of the rows that exist, with their positions.
    func versions(_ keys: [[Identifier]], locking: Bool = false) -> PostgresStatement {
        let order = self.keys.map { "t.\($0)" }.joined(separator: ", ")
        return .numbering(
            "SELECT u.n, \(version) FROM \(names) JOIN \(name) t ON \(match)"
                + (locking ? " ORDER BY \(order) FOR UPDATE OF t" : ""), arrays(keys))
    }

    /// Reads the rows that exist, with their positions and versions.
    func rows(_ keys: [[Identifier]]) -> PostgresStatement {
        let head = "LEFT JOIN audit a ON t.name = 'audit' AND a.sequence = (SELECT max(sequence) FROM audit)"
        let columns = table?.selection(.postgres) ?? "t.version, a.hash"
        return .numbering(
            """
            SELECT u.n, \(version), \(columns) FROM \(names) JOIN \(name) t ON \(match) \
            \(table?.joins(.postgres) ?? head)
            """, arrays(keys))
    }

    func deletion(of keys: [[Identifier]]) -> PostgresStatement {
        .numbering("DELETE FROM \(name) t USING \(names) WHERE \(match)", arrays(keys))
    }

    /// The value of a row whose columns begin at this position.
    func value(_ row: PostgresRow, at place: Int, _ keys: [Identifier]) throws -> RowValue {
        if let table { return try table.value(row, at: place, keys) }
        guard keys[0] == "audit" else { return .catalog }
        // The version is the highest number that was ever given, even if records at the end were removed.
        let hash = row.isNull(place + 1) ? AuditChain().hash : row.bytes(place + 1)
        return .audit(AuditChain(sequence: row.integer(place), hash: hash))
    }
}
