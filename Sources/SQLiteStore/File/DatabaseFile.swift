import BellwetherService
import Glibc
import SQLiteWire

/// The database file of a data directory, and the checks before its use.
struct DatabaseFile {
    /// "BLWR", which marks a file as Bellwether's (SQLite's `application_id`).
    static let applicationID: Int64 = 0x424C_5752

    /// The suffixes of the names of the database, its log and the log's index.
    static let suffixes = ["", "-wal", "-shm"]

    let path: String
    private let directory: String

    init(directory: String) {
        self.directory = directory
        path = directory + "/bellwether.sqlite"
    }

    static func makeDirectory(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .unusable("cannot create the data directory \(path): \(String(cString: strerror(errno)))")
    }

    /// Whether the write-ahead log has content.
    var hasLog: Bool { Self.size(path + "-wal") ?? 0 > 0 }

    /// Opens the database: checked, durable, and with this program's schema.
    func open(_ settings: SQLiteStoreSettings) throws(StoreError) -> SQLitePool {
        do {
            let number = DatabaseIdentity.inFile(path)
            try inspect(number, checkingUpTo: settings.checkedBytes)
            for suffix in Self.suffixes { OwnerOnly.restrict(path + suffix) }
            // By default SQLite makes a database that every user may read. The log gets the permissions of the
            // database.
            OwnerOnly.create(path)
            // One reader for clients, one for telemetry, one for results, one for the publisher.
            let pool = try SQLitePool(path: path, readers: 4)
            try pool.useWriter { database in
                try makeDurable(database)
                try mark(database)
                try DatabaseIdentity.settle(database, known: number)
            }
            try pool.useWriter { try Migrations.apply(to: $0) }
            try pool.useWriter { try CursorRangeRows.settle($0) }
            return pool
        } catch {
            throw unusable(error)
        }
    }

    /// Opens the database for reading only. Another process may write it meanwhile.
    func openForReading() throws(StoreError) -> SQLiteQueue { try openForReading(at: path) }

    /// Opens a database that has no writer, such as a backup. It changes neither the file nor its directory. A file
    /// with a log beside it is no backup, and is read as if it were in use.
    func openAtRest() throws(StoreError) -> SQLiteQueue {
        let isAlone = Self.size(path + "-wal") == nil
        return try isAlone ? openForReading(at: immutableURI, .uriReadOnly) : openForReading(at: path)
    }

    private func openForReading(
        at location: String, _ mode: SQLiteConnection.Access = .fileReadOnly
    ) throws(StoreError) -> SQLiteQueue {
        guard access(path, F_OK) == 0 else { throw .unusable("there is no database \(path)") }
        do {
            try inspect(DatabaseIdentity.inFile(path), at: location, mode)
            return try SQLiteQueue(path: location, mode)
        } catch {
            throw unusable(error)
        }
    }

    /// sqlite.org/uri.html 3.1, 3.3.
    private var immutableURI: String {
        let encoded = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded)?immutable=1"
    }

    /// Opens a second connection for reading, in the process that has the store open. It does not inspect the file:
    /// see `DatabaseIdentity.inFile`.
    func openBesideStore() throws(StoreError) -> SQLiteQueue {
        do { return try SQLiteQueue(path: path, .fileReadOnly) } catch { throw unusable(error) }
    }

    /// Opens a second connection, which only folds the log into the file, with the same durability as the writer.
    func openForFolding() throws(StoreError) -> SQLiteQueue {
        do {
            // The writer waits at most this long when the log must restart and a reader still uses it.
            let queue = try SQLiteQueue(path: path, busyMilliseconds: 50, label: "bellwether.store.log")
            try queue.use { try $0.execute("PRAGMA synchronous = FULL") }
            return queue
        } catch {
            throw unusable(error)
        }
    }

    /// Writes nothing if the file has the mark: a full disk must not prevent reads.
    private func mark(_ database: SQLiteConnection) throws {
        guard try database.integer("PRAGMA application_id") != Self.applicationID else { return }
        try database.execute("PRAGMA application_id = \(Self.applicationID)")
    }

    /// `synchronous` NORMAL would lose acknowledged writes in a power cut, so this function sets it and reads it back.
    /// The writer may cache 8 MiB of pages. SQLite overwrites deleted rows, because an erasure must erase (Debian's
    /// SQLite does so by default).
    private func makeDurable(_ database: SQLiteConnection) throws {
        try database.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA cache_size = -8192;
            PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 67108864;
            """)
        let synchronous = try database.integer("PRAGMA synchronous")
        let journal = try database.text("PRAGMA journal_mode")
        guard synchronous == 2, journal == "wal" else {
            throw StoreError.unusable(
                "\(path) does not accept synchronous=FULL and a write-ahead log; use a local file system")
        }
    }

    /// Inspects an existing file. It changes neither the file nor its log; a connection for writing would fold the log
    /// into the file when it closes. A file of at most `bytes` bytes is checked in full.
    private func inspect(
        _ number: Int32, at location: String? = nil, _ access: SQLiteConnection.Access = .fileReadOnly,
        checkingUpTo bytes: Int64 = 0
    ) throws {
        let size = Self.size(path)
        guard let size, size > 0 else { return try inspectSurroundings(exists: size != nil) }
        let queue = try SQLiteQueue(path: location ?? path, access)
        defer { queue.close() }
        try queue.read { database in
            let applicationID = try database.integer("PRAGMA application_id") ?? 0
            let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
            guard applicationID == Self.applicationID || applicationID == 0 && tables == 0 else {
                throw StoreError.unusable(
                    "\(path) is the database of another program; move it away, or choose another data directory")
            }
            guard try number == 0 || number == DatabaseIdentity.read(database) else {
                throw StoreError.unusable(
                    """
                    \(path)-wal is the write-ahead log of another database; move it away to use \(path) as it is, or \
                    put back the database that belongs to it
                    """)
            }
            guard try !Migrations.areNewer(in: database) else {
                throw StoreError.unusable(
                    "\(path) was written by a newer version of bellwether; run that version, or restore an older backup"
                )
            }
            if size <= bytes { try check(database) }
        }
    }

    /// Inspects the files beside an empty or missing file: the daemon must not silently replace an earlier database.
    private func inspectSurroundings(exists: Bool) throws {
        let fate = exists ? "is empty" : "is not there"
        guard Self.size(path + "-wal") ?? 0 == 0 else {
            throw StoreError.unusable(
                "\(path) \(fate), but its write-ahead log has content; put the database back, or restore a backup elsewhere"
            )
        }
        // A first start that was interrupted also leaves an empty file, but no other file beside it.
        let others = try DurableFile.names(in: directory).filter { !$0.hasPrefix("bellwether.") }
        if let work = DirectoryDraft.Work.allCases.first(where: { others.contains($0.name) }) {
            throw StoreError.unusable(
                """
                a \(work.rawValue) into \(directory) was broken off; run bellwether \(work.rawValue) again, or choose \
                another directory
                """)
        }
        guard !exists || others.isEmpty else {
            throw StoreError.unusable(
                "\(path) \(fate), though this directory was used before; restore a backup, or delete it to begin anew")
        }
    }

    /// The size in bytes; nil if there is no such file.
    private static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    private func check(_ database: SQLiteConnection) throws {
        let verdict = try database.text("PRAGMA quick_check(1)") ?? "no answer"
        guard verdict == "ok" else { throw corrupt(verdict) }
    }

    private func unusable(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: return error
        case let error as SQLiteError:
            let reason = error.message
            switch error.primary {
            case .corrupt: return corrupt(reason)
            case .notADatabase:
                return .unusable("\(path) is not a database; move it away, or choose another data directory")
            case .full: return .unusable("\(path) cannot be opened: the disk is full")
            default: return .unusable("\(path) cannot be opened (\(reason)); check the directory's owner and its disk")
            }
        default: return .unusable("\(path) cannot be opened: \(error)")
        }
    }

    private func corrupt(_ reason: String) -> StoreError {
        .unusable("\(path) is corrupt (\(reason)); restore a backup, or recover it with sqlite3's .recover")
    }
}
