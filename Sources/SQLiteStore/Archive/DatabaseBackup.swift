public import BellwetherService
import SQLiteWire

/// A backup of a data directory's database. A daemon may write the database meanwhile. The backup takes no lock and
/// changes nothing in the original.
public struct DatabaseBackup {
    /// The process that has the database open.
    enum Owner { case otherProcess, thisProcess }

    private let source: SQLiteQueue

    /// Fails with `.unusable` and what to do about it.
    public init(of directory: String) throws(StoreError) { try self.init(of: directory, openIn: .otherProcess) }

    init(of directory: String, openIn owner: Owner) throws(StoreError) {
        let file = DatabaseFile(directory: directory)
        source =
            switch owner {
            case .otherProcess: try file.openForReading()
            case .thisProcess: try file.openBesideStore()
            }
    }

    /// Writes the database into an existing directory that has none, then checks it page by page. The copy has
    /// everything that was committed before the call.
    public func write(
        to directory: String, _ progress: (BackupProgress) throws -> Void
    ) throws(StoreError) -> BackupFacts {
        let file = DatabaseFile(directory: directory)
        do {
            let facts = try DatabaseCopy(source: source, path: file.path).makeVerified(file, progress)
            source.close()
            try DurableFile.synchronize(file.path)
            try DurableFile.synchronize(directory)
            return facts
        } catch {
            throw StoreError(error)
        }
    }
}

extension DatabaseCopy {
    /// Makes the copy, verifies it, and compares it with the original.
    func makeVerified(_ file: DatabaseFile, _ progress: (BackupProgress) throws -> Void) throws -> BackupFacts {
        let rows = try make { try progress(.copying($0, of: $1)) }
        try progress(.checking)
        let facts = try file.verify()
        guard facts.rows == rows else { throw StoreError.unusable("\(path) has other rows than its original") }
        return facts
    }
}

extension DatabaseFile {
    /// Reads the whole file, which no other process has open, and returns its facts. Throws if the file is damaged, or
    /// is not a database of Bellwether.
    func verify() throws -> BackupFacts {
        // Opened for writing, because SQLite then removes its shared-memory file; a reader would leave it.
        let queue = try SQLiteQueue(path: path)
        let facts = try queue.use { database in
            let faults = try database.texts("PRAGMA integrity_check(10)")
            guard faults == ["ok"] else {
                throw StoreError.unusable("\(path) is corrupt (\(faults.first ?? "no answer"))")
            }
            guard try database.integer("PRAGMA application_id") == Self.applicationID else {
                throw StoreError.unusable("\(path) is no database of bellwether")
            }
            return try BackupFacts(database)
        }
        queue.close()
        return facts
    }
}

extension BackupFacts {
    fileprivate init(_ database: SQLiteConnection) throws {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        let bytes = pages * (try database.integer("PRAGMA page_size") ?? 0)
        let ranges = try CursorRangeRows.read(database)
        var (last, fault): (AuditChain, AuditFault?) = (AuditChain(), nil)
        // An early version had no audit.
        if try database.hasTable("audit") {
            let audit = AuditRows(database)
            last = try audit.last().map { AuditChain(after: $0) } ?? last
            if case .failure(let found) = try AuditArchive.follow(audit) { fault = found }
        }
        self.init(
            bytes: bytes, cursor: ranges.cursor(ranges.newest), audit: last, auditFault: fault,
            rows: try database.rowsOfTables())
    }
}
