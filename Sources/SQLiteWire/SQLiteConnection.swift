internal import CSQLite

/// One connection to a database file. One thread at a time may use it; other threads may call `interrupt` only.
///
/// As `PostgresConnection`, it opens, prepares, runs and closes, and has no rule of its own.
public final class SQLiteConnection {
    /// How a file is opened.
    public enum Access: Sendable {
        /// Makes the file if there is none.
        case writing
        /// As `writing`, but the file must exist, and each statement that would write fails. Such a reader of a
        /// write-ahead log needs neither the log's file nor its index beforehand.
        case readingOnly
        /// Changes no file, except the index of a write-ahead log that another process uses.
        case fileReadOnly
        /// The path is a URI (sqlite.org/uri.html), opened as `fileReadOnly`.
        case uriReadOnly

        fileprivate var flags: Int32 {
            switch self {
            case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            case .readingOnly: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
            case .fileReadOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
            case .uriReadOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
            }
        }
    }

    public enum Checkpoint: Sendable {
        /// Folds the pages that no reader uses, and waits for nothing.
        case passive
        /// Folds all pages, and leaves an empty log.
        case truncate
    }

    /// Nil after `close`.
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    private var commitBody: ((_ pages: Int) -> Void)?

    /// - Parameter busyMilliseconds: How long a statement waits for a lock of another connection.
    public init(path: String, _ access: Access = .writing, busyMilliseconds: Int32 = 0) throws {
        let code = sqlite3_open_v2(path, &handle, access.flags, nil)
        guard code == SQLITE_OK else {
            let error = failure(code, nil)
            close()
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyMilliseconds)
        if case .readingOnly = access { try execute("PRAGMA query_only = ON") }
    }

    deinit { close() }

    /// Closes the connection. A second call does nothing.
    public func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Ends what the connection is doing with the error `interrupted`. The caller excludes a close at the same time.
    public func interrupt() { if let handle { sqlite3_interrupt(handle) } }

    /// Runs statements that return nothing, one after another.
    public func execute(_ sql: String) throws {
        let code = sqlite3_exec(try open(sql), sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    public var isOpen: Bool { handle != nil }

    /// Whether a transaction is under way. SQLite itself ends one after some errors.
    var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Runs a body in a transaction, which an error of the body or of the commit rolls back.
    public func transaction<Value>(_ begin: Begin = .immediate, _ body: () throws -> Value) throws -> Value {
        try execute(begin.rawValue)
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    public enum Begin: String, Sendable {
        /// The transaction sees the database as it is at its first read.
        case deferred = "BEGIN DEFERRED"
        /// The transaction can write at once.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Calls a body after each commit to a write-ahead log, with the number of pages in the log. The body may call
    /// `checkpoint`.
    public func afterEachCommit(_ body: @escaping (_ pages: Int) -> Void) {
        commitBody = body
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                if let context {
                    Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().commitBody?(Int(pages))
                }
                // Any other code would fail the commit, which is durable.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Folds the write-ahead log into the file. Fails with `busy` if another connection uses the log.
    public func checkpoint(_ kind: Checkpoint) throws {
        let mode =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        let code = sqlite3_wal_checkpoint_v2(try open("checkpoint"), nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, "checkpoint") }
    }

    /// Copies the whole database into another one. `progress` gets the numbers of copied pages and of all pages. An
    /// error that it throws ends the copy.
    public func copy(to target: SQLiteConnection, pagesPerStep: Int32, _ progress: (Int, Int) throws -> Void) throws {
        guard let backup = sqlite3_backup_init(try target.open("backup"), "main", try open("backup"), "main") else {
            throw target.failure(sqlite3_errcode(target.handle), "backup")
        }
        var code = SQLITE_OK
        do {
            defer { sqlite3_backup_finish(backup) }
            while code == SQLITE_OK {
                code = sqlite3_backup_step(backup, pagesPerStep)
                guard code == SQLITE_OK || code == SQLITE_DONE else { break }
                let all = Int(sqlite3_backup_pagecount(backup))
                try progress(all - Int(sqlite3_backup_remaining(backup)), all)
            }
        }
        guard code == SQLITE_DONE else { throw target.failure(code, "backup") }
    }

    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The statement of this text. It is prepared once for the connection.
    func statement(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(try open(sql), sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code, sql) }
        statements[sql] = statement
        return statement
    }

    func failure(_ code: Int32, _ sql: String?) -> SQLiteError {
        let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        return SQLiteError(code: code, message: message.map { String(cString: $0) } ?? "no message", sql: sql)
    }

    private func open(_ sql: String) throws -> OpaquePointer {
        guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed", sql: sql) }
        return handle
    }
}

/// Queries that return one column.
extension SQLiteConnection {
    /// The first column of the first row; nil if there is none.
    public func integer(_ sql: String) throws -> Int64? { try Prepared(self, sql).first { $0.integer(0) } }

    public func text(_ sql: String) throws -> String? { try Prepared(self, sql).first { $0.text(0) } }

    /// The first column of all rows.
    public func texts(_ sql: String) throws -> [String] { try Prepared(self, sql).all { $0.text(0) } }

    public func hasTable(_ name: String) throws -> Bool {
        try Prepared(self, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
            .first(.text(name)) { _ in true } ?? false
    }

    public func hasColumn(_ name: String, of table: String) throws -> Bool {
        try Prepared(self, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?")
            .first(.text(table), .text(name)) { _ in true } ?? false
    }
}
