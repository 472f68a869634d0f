internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import StoreTables

/// Reads rows by their names, with one statement for each table that has any of them.
struct RowReader {
    /// The positions of rows in a request, by table.
    struct Places {
        /// The tables, in the order in which they are locked.
        private(set) var tables: [(table: RowTable, keys: [[Identifier]], positions: [Int])] = []

        /// - Parameter isSorted: whether rows are sorted by keys, so that all writers lock and insert rows in one
        ///   order.
        init(_ names: [RowName], isSorted: Bool = false) {
            var found: [RowTable: [(keys: [Identifier], position: Int)]] = [:]
            for (position, name) in names.enumerated() {
                let address = RowAddress(name)
                found[RowTable(address.table), default: []].append((address.keys, position))
            }
            for table in RowTable.all {
                guard var rows = found[table] else { continue }
                if isSorted { rows.sort { $0.keys.lexicographicallyPrecedes($1.keys) } }
                tables.append((table, rows.map(\.keys), rows.map(\.position)))
            }
        }
    }

    let connection: PostgresConnection
    let seconds: Double

    func read(_ query: RowQuery) throws -> RowReading {
        let places = Places(query.names)
        var statements = places.tables.map { $0.table.rows($0.keys) }
        statements += query.eventIDs.map(Self.known)
        let answers = try snapshot(statements)
        var rows = [Result<StoredRow?, StoreError>](repeating: .success(nil), count: query.names.count)
        for ((table, keys, positions), answer) in zip(places.tables, answers) {
            let mark = VersionMark(connection, table.table)
            for index in 0..<answer.count {
                let row = answer[index]
                let address = Int(row.integer(0)) - 1
                rows[positions[address]] = readable { try Self.stored(row, of: table, keys[address], mark) }
            }
        }
        let known = zip(query.eventIDs, answers.dropFirst(places.tables.count)).map { ids, answer in
            var isKnown = [Bool](repeating: false, count: ids.ids.count)
            for index in 0..<answer.count { isKnown[Int(answer[index].integer(0)) - 1] = true }
            return isKnown
        }
        return RowReading(rows: rows, knownIDs: known)
    }

    func versions(of names: [RowName]) throws -> [UInt64] {
        let places = Places(names)
        let answers = try connection.run(places.tables.map { $0.table.versions($0.keys) }, seconds: seconds)
        var versions = [UInt64](repeating: 0, count: names.count)
        for ((table, _, positions), answer) in zip(places.tables, answers) {
            let mark = VersionMark(connection, table.table)
            for index in 0..<answer.count {
                versions[positions[Int(answer[index].integer(0)) - 1]] = mark.told(answer[index].version(1))
            }
        }
        return versions
    }

    /// Runs statements in one snapshot.
    func snapshot(_ statements: [PostgresStatement]) throws -> [PostgresRows] {
        guard statements.count > 1 else { return try connection.run(statements, seconds: seconds) }
        let begin = PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let answers = try connection.run([begin] + statements + [PostgresStatement("COMMIT")], seconds: seconds)
        return Array(answers.dropFirst().dropLast())
    }

    /// A head of version 0 counts as no row.
    private static func stored(
        _ row: PostgresRow, of table: RowTable, _ keys: [Identifier], _ mark: VersionMark
    ) throws -> StoredRow? {
        let version = mark.told(row.version(1))
        if table.table == nil, version == 0 { return nil }
        return StoredRow(version: version, value: try table.value(row, at: 2, keys))
    }

    private static func known(_ ids: EventIDs) -> PostgresStatement {
        .numbering(
            """
            SELECT u.n FROM unnest(?::bytea[]) WITH ORDINALITY AS u(id, n)
            JOIN event_id t ON t.app = ? AND t.client = ? AND t.id = u.id
            """, .byteArrays(ids.ids.map { Array($0.utf8) }), .text(ids.client.app), .text(ids.client.id))
    }
}

extension PostgresValue {
    static func version(_ version: UInt64) -> PostgresValue { .integer(Int64(bitPattern: version)) }
}
