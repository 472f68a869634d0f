import BellwetherService
import Glibc
import SQLiteWire

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

    func read(_ table: TransferTable, _ body: (TransferRows) throws -> Void) throws {
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
        _ directory: String, from source: any TransferSource, _ progress: (TransferTable, Int) -> Void
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
        _ file: DatabaseFile, _ source: any TransferSource, _ progress: (TransferTable, Int) -> Void
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

    func write(_ rows: TransferRows, to table: TransferTable) throws {
        try pool.write { database in
            let statements = try table.insertions.map { try Prepared(database, $0) }
            for row in rows {
                let values = table.bound(row)
                for statement in statements { try statement.run(values) }
            }
        }
    }

    func count(_ table: TransferTable) throws -> Int {
        try pool.read { database in
            try Prepared(database, "SELECT count(*) FROM (\(table.selection))").first { Int($0.integer(0)) } ?? 0
        }
    }
}

extension TransferTable {
    /// Columns of `columns`.
    fileprivate var selection: String {
        switch self {
        case .app:
            """
            SELECT name, revision, expired_cursor, CASE WHEN expired_cursor > 0 THEN coalesce(expired_until,
                (SELECT received_at FROM telemetry WHERE app = app.key ORDER BY cursor LIMIT 1),
                9223372036854775807) END
            FROM app ORDER BY key
            """
        case .client: Self.joined("id, version, state", "client", "t.key")
        case .user: Self.joined("id, version, state", "user", "t.key")
        case .event:
            """
            SELECT a.name, c.id, t.id, t.at FROM client c JOIN app a ON a.key = c.app
            JOIN event_id t ON t.client = c.key
            """
        case .answer:
            """
            SELECT a.name, c.id, t.message, t.id, t.request_id, t.option_index, t.option_string_id, t.text, t.locale,
                t.revision, t.submitted_at, t.experiment, t.branch
            FROM response t JOIN app a ON a.key = t.app JOIN client c ON c.key = t.client ORDER BY t.key
            """
        case .reply:
            """
            SELECT t.token, t.path, t.name, t.digest, t.status, t.body, t.entity_tag, t.at, a.name, t.client_id,
                t.user_id, t.run
            FROM idempotency t LEFT JOIN app a ON a.key = t.app ORDER BY t.key
            """
        case .small:
            """
            SELECT t.kind, coalesce(a.name, ''), t.name, t.version, t.body, t.client_id
            FROM shared t LEFT JOIN app a ON a.key = t.app WHERE t.app = 0 OR a.key IS NOT NULL
            """
        case .webhook:
            """
            SELECT t.id, t.version, a.name, t.url, t.host, t.secret_name, t.body, t.client_id, t.user_id,
                t.created_at, t.attempts, t.next_attempt, t.owner, t.dead_at, t.last_failure
            FROM outbox t JOIN app a ON a.key = t.app ORDER BY t.key
            """
        case .run:
            Self.joined(
                """
                id, version, slug, user_id, client_id, merged_user, status, is_dev, created_at, updated_at, submitted_at,
                deleted_at, body
                """, "run", "t.key")
        case .currentRun: Self.joined("slug, respondent, version, run", "current_run", "t.app")
        case .file: Self.joined("sha256, type, content", "file", "t.key")
        case .runFile:
            """
            SELECT a.name, r.id, f.sha256 FROM run_file t JOIN run r ON r.key = t.run JOIN file f ON f.key = t.file
            JOIN app a ON a.key = r.app
            """
        case .document:
            """
            SELECT a.name, '', t.revision, t.source, t.text, t.published_at, '' FROM manifest t
            JOIN app a ON a.key = t.app
            UNION ALL SELECT a.name, t.locale, t.revision, t.source, t.text, t.published_at, '' FROM strings t
            JOIN app a ON a.key = t.app
            """
        case .draft: Self.joined("locale, revision, source, text, published_at, author", "draft", "t.app")
        case .recipe: Self.joined("slug, state, revision, in_force, state_since", "recipe", "t.app")
        case .revision:
            Self.joined("slug, revision, source, text, published_at, author", "recipe_revision", "t.rowid")
        case .message: Self.joined("key, revision, text", "message", "t.rowid")
        case .record: Self.joined("collection, id, last_modified, slug, revision, paused", "record", "t.app")
        case .telemetry:
            """
            SELECT t.cursor, a.name, t.received_at, t.at, t.client_id, t.category, t.name, t.extra, t.experiment,
                t.branch, t.message
            FROM telemetry t JOIN app a ON a.key = t.app ORDER BY t.cursor
            """
        case .range: "SELECT start, database FROM cursor_range ORDER BY key"
        case .audit: "SELECT sequence, text, hash FROM audit ORDER BY sequence"
        }
    }

    private static func joined(_ columns: String, _ table: String, _ order: String) -> String {
        let list = columns.split { $0 == "," || $0.isWhitespace }.map { "t.\($0)" }.joined(separator: ", ")
        return "SELECT a.name, \(list) FROM \(table) t JOIN app a ON a.key = t.app ORDER BY \(order)"
    }

    /// The insertions of one row, whose values are ?1, ?2, … in the order of `columns`.
    fileprivate var insertions: [String] {
        switch self {
        case .app: [insertion(into: "app")]
        case .client: [insertion(into: "client", [0: Self.app(0)])]
        case .user: [insertion(into: "user", [0: Self.app(0)])]
        case .event:
            ["INSERT INTO event_id (client, id, at) VALUES (\(Self.client), ?3, ?4)"]
        case .answer: [insertion(into: "response", [0: Self.app(0), 1: Self.client])]
        case .reply: [insertion(into: "idempotency", [8: Self.app(8)])]
        case .small:
            [insertion(into: "shared", [1: "CASE WHEN ?2 = '' THEN 0 ELSE \(Self.app(1)) END"])]
        case .webhook: [insertion(into: "outbox", [2: Self.app(2)])]
        case .run, .currentRun, .file, .draft, .recipe, .message, .record:
            [insertion(into: self == .currentRun ? "current_run" : rawValue, [0: Self.app(0)])]
        case .revision: [insertion(into: "recipe_revision", [0: Self.app(0)])]
        case .runFile:
            [
                """
                INSERT INTO run_file (run, file) VALUES (
                    (SELECT key FROM run WHERE app = \(Self.app(0)) AND id = ?2),
                    (SELECT key FROM file WHERE app = \(Self.app(0)) AND sha256 = ?3))
                """
            ]
        case .document:
            // This store keeps no author of a document in force.
            [
                """
                INSERT INTO manifest (app, revision, source, text, published_at)
                SELECT \(Self.app(0)), ?3, ?4, ?5, ?6 WHERE ?2 = '' AND ?7 IS NOT NULL
                """,
                """
                INSERT INTO strings (app, locale, revision, source, text, published_at)
                SELECT \(Self.app(0)), ?2, ?3, ?4, ?5, ?6 WHERE ?2 <> '' AND ?7 IS NOT NULL
                """,
            ]
        case .telemetry: [insertion(into: "telemetry", [1: Self.app(1)])]
        case .range: [insertion(into: "cursor_range")]
        case .audit: [insertion(into: "audit")]
        }
    }

    private func insertion(into table: String, _ replaced: [Int: String] = [:]) -> String {
        let values = columns.indices.map { replaced[$0] ?? "?\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", "))) VALUES (\(values))"
    }

    private static func app(_ column: Int) -> String { "(SELECT key FROM app WHERE name = ?\(column + 1))" }

    private static let client = "(SELECT key FROM client WHERE app = \(app(0)) AND id = ?2)"

    fileprivate func values(_ row: SQLRow) -> [TransferValue] {
        columns.enumerated().map { place, column in
            let place = Int32(place)
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
                .blob(EventIDKey(String(decoding: bytes, as: UTF8.self)).bytes)
            case (.bytes(let bytes), _): .blob(bytes)
            }
        }
    }
}
