import BellwetherJSON
import BellwetherService
import Glibc
import SQLiteWire
import StoreTables

/// A data directory that is the source of a move. It is opened as a daemon opens it: locked, with this program's
/// schema.
final class SQLiteSource: TransferSource {
    let header: TransferHeader
    private let lock: DirectoryLock
    private let pool: SQLitePool

    init(directory: String) throws {
        let file = DatabaseFile(directory: directory)
        guard access(file.path, F_OK) == 0 else { throw StoreError.unusable("there is no database \(file.path)") }
        lock = try DirectoryLock(directory: directory)
        pool = try file.open(SQLiteStoreSettings())
        let secret = try InstallationSecret.readOrMake(in: directory)
        header = try pool.read { database in
            let counters = CounterRows(database)
            return TransferHeader(
                secret: secret, newestRecord: try CursorRangeRows.read(database).newest,
                versionBound: try counters.versionBound(), catalogRevision: try counters.catalogHead().revision,
                auditRecords: try AuditRows(database).end().sequence)
        }
    }

    func read(_ table: StoreTable, _ body: (TransferRows) throws -> Void) throws {
        try pool.read { database in
            var buffer = TransferBuffer()
            _ = try Prepared(database, table.selection).all { row in
                try buffer.add(table.values(row), body)
            }
            try buffer.flush(body)
        }
    }
}

/// A data directory that is the target of a move. The database gets its name at the end.
final class SQLiteTarget: TransferTarget {
    private let pool: SQLitePool

    private init(_ pool: SQLitePool) { self.pool = pool }

    static func fill(
        _ directory: String, from source: any TransferSource, _ progress: (StoreTable, Int) -> Void
    ) throws -> TransferReport {
        let made = try DirectoryDraft(.move, of: directory)
        defer { made.lock.release() }
        let draft = made.path
        do {
            let report = try fill(DatabaseFile(directory: draft), source, progress)
            try InstallationSecret.write(source.header.secret, in: directory)
            try DurableFile.synchronize(draft)
            try DurableFile.rename(
                DatabaseFile(directory: draft).path, to: DatabaseFile(directory: directory).path)
            rmdir(draft)
            try DurableFile.synchronize(directory)
            return report
        } catch {
            DurableFile.removeFolder(draft)
            throw error
        }
    }

    private static func fill(
        _ file: DatabaseFile, _ source: any TransferSource, _ progress: (StoreTable, Int) -> Void
    ) throws -> TransferReport {
        let pool = try file.open(SQLiteStoreSettings())
        // The range that `open` began must come after the ranges of the source. `settle` begins it again.
        try pool.write { try $0.execute("DELETE FROM cursor_range") }
        let report = try StoreTransfer.copy(source, to: SQLiteTarget(pool), progress)
        try pool.write { database in
            let header = source.header
            let counters = CounterRows(database)
            try counters.setCatalogHead(CatalogHead(revision: header.catalogRevision))
            try counters.begin(above: header.versionBound)
            try CursorRangeRows.settle(database)
            try CursorRangeRows.skip(to: header.newestRecord, database)
        }
        try pool.useWriter { _ = try $0.checkpoint(.truncate) }
        pool.close()
        for suffix in ["-wal", "-shm"] { unlink(file.path + suffix) }
        _ = try file.verify()
        try DurableFile.synchronize(file.path)
        return report
    }

    func write(_ rows: TransferRows, to table: StoreTable) throws {
        try pool.write { database in
            let statements = try table.insertions.map { try Prepared(database, $0) }
            for row in rows {
                let values = table.bound(row)
                for statement in statements { try statement.run(values) }
            }
        }
    }

    func count(_ table: StoreTable) throws -> Int {
        try pool.read { database in
            try Prepared(database, "SELECT count(*) FROM (\(table.selection))").first { Int($0.integer(0)) } ?? 0
        }
    }
}

extension StoreTable {
    /// Reads the columns of all rows, with names where this store has numbers.
    fileprivate var selection: String {
        switch self {
        case .app:
            """
            SELECT name, revision, expired_cursor, CASE WHEN expired_cursor > 0 THEN coalesce(expired_until,
                (SELECT received_at FROM telemetry WHERE app = app.key ORDER BY cursor LIMIT 1),
                9223372036854775807) END
            FROM app ORDER BY key
            """
        case .event:
            """
            SELECT a.name, c.id, t.id, t.at FROM client c JOIN app a ON a.key = c.app
            JOIN event_id t ON t.client = c.key
            """
        case .runFile:
            """
            SELECT a.name, r.id, f.sha256 FROM run_file t JOIN run r ON r.key = t.run JOIN file f ON f.key = t.file
            JOIN app a ON a.key = r.app
            """
        default:
            """
            SELECT \(columns.map { Dialect.sqlite.expression($0.name, of: self) }.joined(separator: ", "))
            FROM \(Dialect.sqlite.source(self)) \(order)
            """
        }
    }

    /// The insertions of one row, whose values are ?1, ?2, … in the order of `columns`.
    fileprivate var insertions: [String] {
        let app = { (place: Int) in "(SELECT key FROM app WHERE name = ?\(place))" }
        let client = "(SELECT key FROM client WHERE app = \(app(1)) AND id = ?2)"
        switch self {
        case .event: return ["INSERT INTO event_id (client, id, at) VALUES (\(client), ?3, ?4)"]
        case .runFile:
            return [
                """
                INSERT INTO run_file (run, file) VALUES (
                    (SELECT key FROM run WHERE app = \(app(1)) AND id = ?2),
                    (SELECT key FROM file WHERE app = \(app(1)) AND sha256 = ?3))
                """
            ]
        case .document:
            return (TableStatements.sqlite[.document]?[.upsert] ?? []).map {
                $0.replacing("SELECT ?1", with: "SELECT \(app(1))")
            }
        default:
            let values = columns.enumerated().map { place, column in
                switch column.name {
                case "app" where self == .small: "CASE WHEN ?2 = '' THEN 0 ELSE \(app(2)) END"
                case "app": app(place + 1)
                case "client": client
                default: "?\(place + 1)"
                }
            }
            let names = columns.map(\.name).joined(separator: ", ")
            return ["INSERT INTO \(Dialect.sqlite.name(self)) (\(names)) VALUES (\(values.joined(separator: ", ")))"]
        }
    }

    fileprivate func values(_ row: SQLRow) -> [TransferValue] {
        columns.enumerated().map { place, column in
            return switch column.kind {
            case .integer: row.optionalInteger(place).map { .integer($0) } ?? .null
            case .text: row.optionalText(place).map { .text($0) } ?? .null
            case .bytes where self == .event: .bytes(EventIDKey(stored: row.bytes(place)).id)
            case .bytes, .document: .bytes(row.bytes(place))
            }
        }
    }

    fileprivate func bound(_ row: [TransferValue]) -> [SQLValue] {
        zip(columns, row).map { column, value in
            switch (value, column.kind) {
            case (.null, _): .null
            case (.integer(let number), _): .integer(number)
            case (.text(let text), _): .text(text)
            case (.bytes(let bytes), .document): .utf8(bytes)
            case (.bytes(let bytes), _) where self == .event:
                .blob(EventIDKey(Identifier(String(decoding: bytes, as: UTF8.self))).bytes)
            case (.bytes(let bytes), _): .blob(bytes)
            }
        }
    }
}
