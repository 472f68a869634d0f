import BellwetherService
import GRDB
import Glibc

/// The database file of a data directory, and what it must be before it is used.
struct DatabaseFile {
    /// "BLWR": marks the file as ours (SQLite's `application_id`).
    static let applicationID: Int64 = 0x424C_5752

    let path: String

    init(directory: String) { path = directory + "/bellwether.sqlite" }

    static func makeDirectory(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .unusable("cannot create the data directory \(path): \(String(cString: strerror(errno)))")
    }

    /// The database, durable, checked and brought to this program's schema.
    func open(_ settings: SQLiteStoreSettings) throws(StoreError) -> DatabasePool {
        do {
            try inspect()
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try makeDurable(database)
                try check(database, settings)
                try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            }
            try Migrations.migrator.migrate(pool)
            return pool
        } catch {
            throw unusable(error)
        }
    }

    /// The database as another process may be writing it, for reading only.
    func openForReading() throws(StoreError) -> DatabaseQueue {
        guard access(path, F_OK) == 0 else { throw .unusable("there is no database \(path)") }
        do {
            try inspect()
            return try DatabaseQueue(path: path, configuration: readingConfiguration)
        } catch {
            throw unusable(error)
        }
    }

    private var readingConfiguration: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return configuration
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "bellwether.store"
        configuration.busyMode = .timeout(5)
        // One for clients, one for telemetry, one for results, one for the publisher.
        configuration.maximumReaderCount = 4
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// GRDB sets `synchronous` to NORMAL after `prepareDatabase` (platform-notes.md 4), which would lose acknowledged
    /// writes with the power: so it is set here, and read back. The writer may keep 8 MiB of pages, and folds the log
    /// into the file after as much. What is deleted is overwritten (Debian's SQLite does that anyway): an erasure erases.
    private func makeDurable(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA cache_size = -8192;
                PRAGMA secure_delete = ON;
                PRAGMA wal_autocheckpoint = 2000;
                PRAGMA journal_size_limit = 67108864;
                """)
        let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode")
        guard synchronous == 2, journal == "wal" else {
            throw StoreError.unusable(
                "\(path) does not accept synchronous=FULL and a write-ahead log; use a local file system")
        }
    }

    /// Looks at an existing file without changing a byte of it.
    private func inspect() throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return }
        try DatabaseQueue(path: path, configuration: readingConfiguration).read { database in
            let applicationID = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard applicationID == Self.applicationID || tables == 0 else {
                throw StoreError.unusable(
                    "\(path) is the database of another program; move it away, or choose another data directory")
            }
            guard try !Migrations.migrator.hasBeenSuperseded(database) else {
                throw StoreError.unusable(
                    "\(path) was written by a newer version of bellwether; run that version, or restore an older backup"
                )
            }
        }
    }

    private func check(_ database: Database, _ settings: SQLiteStoreSettings) throws {
        var status = stat()
        guard stat(path, &status) == 0, Int64(status.st_size) <= settings.checkedBytes else { return }
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
        guard verdict == "ok" else { throw corrupt(verdict) }
    }

    private func unusable(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: return error
        case let error as DatabaseError:
            let reason = error.message ?? "SQLite \(error.extendedResultCode.rawValue)"
            switch error.resultCode {
            case .SQLITE_CORRUPT: return corrupt(reason)
            case .SQLITE_NOTADB:
                return .unusable("\(path) is not a database; move it away, or choose another data directory")
            case .SQLITE_FULL: return .unusable("\(path) cannot be opened: the disk is full")
            default: return .unusable("\(path) cannot be opened (\(reason)); check the directory's owner and its disk")
            }
        default: return .unusable("\(path) cannot be opened: \(error)")
        }
    }

    private func corrupt(_ reason: String) -> StoreError {
        .unusable("\(path) is corrupt (\(reason)); restore a backup, or recover it with sqlite3's .recover")
    }
}
