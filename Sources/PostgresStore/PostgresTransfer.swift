internal import BellwetherService
internal import PostgresWire
internal import StoreTables

/// A database that is the source of a move. All reads use one snapshot.
final class PostgresSource: TransferSource {
    private static let seconds = 600.0

    let header: TransferHeader
    private let connection: PostgresConnection

    init(_ database: Database) throws {
        connection = try database.connect()
        guard let installation = try database.installation(connection) else {
            throw StoreError.unusable("\(database.address.text): the database is empty; there is nothing to move")
        }
        // A connected daemon could write rows that the move would miss.
        try database.checkNoDaemons(connection)
        _ = try connection.run(
            [PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")], seconds: Self.seconds)
        let numbers = PostgresStatement(
            """
            SELECT (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM cursor),
                (SELECT last_value FROM epoch), (SELECT version FROM head WHERE name = 'catalog'),
                (SELECT version FROM head WHERE name = 'audit')
            """)
        let row = try connection.run([numbers], seconds: Self.seconds)[0][0]
        header = TransferHeader(
            secret: installation.secret, newestRecord: row.integer(0),
            versionBound: GroupWriting.firstVersion(UInt64(clamping: row.integer(1)) + 1),
            catalogRevision: UInt64(clamping: row.integer(2)), auditRecords: row.integer(3))
    }

    func read(_ table: StoreTable, _ body: (TransferRows) throws -> Void) throws {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let rows = "SELECT \(columns) FROM \(Dialect.postgres.name(table)) \(table.order)"
        let declaration = "DECLARE transfer NO SCROLL CURSOR FOR \(rows)"
        _ = try connection.run([PostgresStatement(declaration)], seconds: Self.seconds)
        let fetch = PostgresStatement("FETCH \(table == .file ? 8 : StoreTransfer.maximumRows) FROM transfer")
        while true {
            let rows = try connection.run([fetch], seconds: Self.seconds)[0]
            guard rows.count > 0 else { break }
            var buffer = TransferBuffer()
            for index in 0..<rows.count { try buffer.add(table.values(rows[index]), body) }
            try buffer.flush(body)
        }
        _ = try connection.run([PostgresStatement("CLOSE transfer")], seconds: Self.seconds)
    }
}

/// An empty database that is filled in one transaction. Its rows become visible with the commit; a move that fails
/// leaves nothing behind.
final class PostgresTarget: TransferTarget {
    private static let seconds = 600.0

    private let connection: PostgresConnection

    private init(_ connection: PostgresConnection) { self.connection = connection }

    static func fill(
        _ database: Database, from source: any TransferSource, _ progress: (StoreTable, Int) -> Void
    ) throws -> TransferReport {
        let connection = try database.connect()
        guard try !database.isMade(connection) else {
            throw StoreError.unusable(
                "\(database.address.text): the database has a store; only an empty one can be moved to")
        }
        let target = PostgresTarget(connection)
        let identity = Database.newIdentity()
        do {
            try target.run([PostgresStatement("BEGIN")])
            try target.run(database.creation(secret: source.header.secret, identity: identity))
            let report = try StoreTransfer.copy(source, to: target, progress)
            try target.run(finish(source.header, report, identity) + [PostgresStatement("COMMIT")])
            // Without this, the server would use plans for empty tables, which are slow.
            try target.run([PostgresStatement("ANALYZE")])
            return report
        } catch let error as PostgresError where error.isOfExistence {
            throw StoreError.unusable("\(database.address.text): a daemon has just made a store there")
        } catch let error as PostgresError where error.isOfRights {
            throw StoreError.unusable("the user may not make tables in the database; make it the database's owner")
        }
    }

    private static func finish(
        _ header: TransferHeader, _ report: TransferReport, _ identity: Int64
    ) -> [PostgresStatement] {
        let heads = [
            ("audit", report.audit.sequence), ("catalog", Int64(clamping: header.catalogRevision)), ("tokens", 1),
        ]
        var statements = heads.map { name, version in
            PostgresStatement.numbering("UPDATE head SET version = ? WHERE name = ?", .integer(version), .text(name))
        }
        let epoch = Int64(clamping: header.versionBound / GroupWriting.firstVersion(1)) + 1
        statements.append(.numbering("SELECT setval('epoch', ?)", .integer(epoch)))
        if header.newestRecord > 0 {
            statements.append(.numbering("SELECT setval('cursor', ?)", .integer(header.newestRecord)))
        }
        statements.append(Database.range(of: identity, after: header.newestRecord))
        return statements
    }

    func write(_ rows: TransferRows, to table: StoreTable) throws {
        let columns = table.columns
        let arrays = columns.map { "?::\($0.kind.postgresType)[]" }.joined(separator: ", ")
        let names = columns.map(\.name).joined(separator: ", ")
        let values = columns.indices.map { column in columns[column].kind.array(rows.map { $0[column] }) }
        let list = columns.indices.map { "u.c\($0)" }.joined(separator: ", ")
        let aliases = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        // The rows are inserted in their order, because `reply`, `outbox` and `cursor_range` number them.
        let sql = """
            INSERT INTO \(Dialect.postgres.name(table)) (\(names)) SELECT \(list)
            FROM unnest(\(arrays)) WITH ORDINALITY AS u(\(aliases), n) ORDER BY u.n
            """
        try run([.numbering(sql, values)])
    }

    func count(_ table: StoreTable) throws -> Int {
        let statement = PostgresStatement("SELECT count(*) FROM \(Dialect.postgres.name(table))")
        return Int(try connection.run([statement], seconds: Self.seconds)[0][0].integer(0))
    }

    private func run(_ statements: [PostgresStatement]) throws {
        _ = try connection.run(statements, seconds: Self.seconds)
    }
}

extension StoreTable {
    fileprivate func values(_ row: PostgresRow) -> [TransferValue] {
        columns.enumerated().map { place, column in
            guard !row.isNull(place) else { return .null }
            return switch column.kind {
            case .integer: .integer(row.integer(place))
            case .text: .text(row.text(place))
            case .bytes, .document: .bytes(row.bytes(place))
            }
        }
    }
}

extension StoreTable.Kind {
    var postgresType: String {
        switch self {
        case .integer: "int8"
        case .text: "text"
        case .bytes, .document: "bytea"
        }
    }

    fileprivate func array(_ values: [TransferValue]) -> PostgresValue {
        switch self {
        case .integer: .integers(values.map { if case .integer(let number) = $0 { number } else { nil } })
        case .text: .texts(values.map { if case .text(let text) = $0 { text } else { nil } })
        case .bytes, .document: .byteArrays(values.map { if case .bytes(let bytes) = $0 { bytes } else { nil } })
        }
    }
}
