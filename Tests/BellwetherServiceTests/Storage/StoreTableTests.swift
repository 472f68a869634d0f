import BellwetherService
import PostgresSupport
import PostgresWire
import SQLiteStore
import SQLiteWire
import StoreTables
import TestSupport
import Testing

/// The columns of `StoreTable` are those of the tables that the stores' migrations make.
@Suite struct StoreTableTests {
    private struct Column: Hashable, CustomStringConvertible {
        let name: String
        let type: String
        let isOptional: Bool
        /// The position in the key, from 1; 0 for other columns.
        let key: Int

        var description: String { "\(name) \(type)\(isOptional ? "?" : "") \(key)" }
    }

    private static func described(_ table: StoreTable, _ type: (StoreTable.Column) -> String) -> Set<Column> {
        Set(
            table.columns.enumerated().map { place, column in
                Column(
                    name: column.name, type: type(column), isOptional: column.isOptional,
                    key: place < table.keyCount ? place + 1 : 0)
            })
    }

    @Test func `PostgreSQL's tables have these columns, and beside them only numbers of their own`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        try server.openStore(uri).close()
        let connection = try PostgresConnection(PostgresAddress(uri))
        for table in StoreTable.allCases {
            let name = Dialect.postgres.name(table)
            let statement = PostgresStatement(
                """
                SELECT a.attname::text, format_type(a.atttypid, NULL), NOT a.attnotnull,
                    coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0)
                FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
                WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped
                """, .text(name))
            let columns = try connection.run([statement], seconds: 10)[0].map { row in
                Column(
                    name: row.text(0), type: row.text(1), isOptional: row.integer(2) != 0, key: Int(row.integer(3)))
            }
            let expected = Self.described(table) { column in
                switch column.kind {
                case .integer: "bigint"
                case .text: "text"
                case .bytes, .document: "bytea"
                }
            }
            let found = Set(columns.filter { $0.name != "key" || table == .message })
            #expect(found == expected, "\(name): \(found.symmetricDifference(expected))")
        }
    }

    @Test func `SQLite's tables have these columns, and numbers for names`() throws {
        let directory = try TemporaryDirectory()
        try SQLiteStore(directory: directory.path).close()
        let database = try SQLiteConnection(path: directory.path + "/bellwether.sqlite", .fileReadOnly)
        for table in StoreTable.allCases where table != .document {
            let name = Dialect.sqlite.name(table)
            let columns = try Prepared(database, "SELECT name, type, \"notnull\" FROM pragma_table_info(?)")
                .all(.text(name)) { "\($0.text(0)) \($0.text(1))\($0.integer(2) == 0 ? "?" : "")" }
            let expected = table.columns.map { column in
                let isNumber = column.kind == .integer || column.name == "app" || Self.numbers[table] == column.name
                let type = isNumber ? "INTEGER" : column.kind == .bytes ? "BLOB" : "TEXT"
                return "\(column.name) \(type)\(column.isOptional ? "?" : "")"
            }
            guard table != .runFile else {
                #expect(Set(columns) == ["run INTEGER", "file INTEGER"])
                continue
            }
            let others = ["event": ["app INTEGER"], "telemetry": [], "audit": []][table.rawValue] ?? []
            let found = Set(columns.filter { !$0.hasPrefix("key INTEGER") }.map(Self.keyColumn))
            let wanted = Set(expected).subtracting(others)
            #expect(found == wanted, "\(name): \(found.symmetricDifference(wanted))")
        }
    }

    private static let numbers: [StoreTable: String] = [.event: "client", .answer: "client"]

    /// A primary key that is a row's number is never NULL, though SQLite does not say so.
    private static func keyColumn(_ column: String) -> String {
        ["cursor INTEGER?": "cursor INTEGER", "sequence INTEGER?": "sequence INTEGER"][column] ?? column
    }
}
