public import BellwetherBase
internal import BellwetherCore
public import BellwetherService
import GRDB
import Glibc

/// A backup that becomes the database of a data directory, which is not in use and has nothing else in it. The backup
/// stays as it is, and may be where nothing can be written.
///
/// The daemon that was lost has given out cursors behind the backup's last. New records begin far behind those: a
/// pipeline that goes on from any of them gets every new record, and none twice.
public struct Restoration {
    /// How many cursors the lost daemon may have given out after the backup.
    private static let skipped: Int64 = 1 << 32
    /// Where the copy is made, for a daemon that finds half of one must not take it for a database.
    private static let draft = "restore.partial"

    private let source: DatabaseQueue
    private let directory: String
    private let lock: DirectoryLock

    /// Makes the directory if it is not there, and locks it while this lives. Fails with `.unusable` and what to do.
    public init(of backup: String, to directory: String) throws(StoreError) {
        source = try DatabaseFile(directory: backup).openAtRest()
        try DatabaseFile.makeDirectory(directory)
        lock = try DirectoryLock(directory: directory)
        self.directory = directory
        let names = try DurableFile.names(in: directory).filter { $0 != DirectoryLock.name }
        guard names.isEmpty else {
            throw .unusable(
                "\(directory) is not empty (it has \(names.prefix(3).joined(separator: ", "))); move it away, or choose another directory"
            )
        }
    }

    /// Copies, checks, brings to this program's schema and notes in the audit that it was restored. `complete` puts the
    /// rest into the directory; after it the database gets its name.
    public func run(
        now: Timestamp, webhooks: RestoredWebhooks = .giveUp, _ progress: (BackupProgress) -> Void,
        complete: () throws -> Void
    ) throws -> BackupFacts {
        let draft = directory + "/" + Self.draft
        guard mkdir(draft, 0o700) == 0 else { throw StoreError.file(draft, "cannot be made") }
        let file = DatabaseFile(directory: draft)
        try DatabaseCopy(source: source, path: file.path).make { progress(.copying($0, of: $1)) }
        progress(.checking)
        let facts = try file.verify()
        try renew(file, facts, webhooks, now)
        try complete()
        try DurableFile.synchronize(file.path)
        try DurableFile.rename(file.path, to: DatabaseFile(directory: directory).path)
        rmdir(draft)
        try DurableFile.synchronize(directory)
        return facts
    }

    private func renew(
        _ file: DatabaseFile, _ facts: BackupFacts, _ webhooks: RestoredWebhooks, _ now: Timestamp
    ) throws {
        let pool = try file.open(SQLiteStoreSettings())
        try pool.write { database in
            let (cursor, overflow) = facts.cursor.number.addingReportingOverflow(Self.skipped)
            guard !overflow else { throw StoreError.unusable("the backup's log has no cursors left") }
            try CursorRangeRows.skip(to: cursor, database)
            if webhooks == .giveUp { try OutboxRows.giveUpAll(at: now, database) }
            let origin = ChangeOrigin(author: ChangeAuthor.daemon, at: now)
            let audit = AuditRows(database)
            var chain = try audit.last().map { AuditChain(after: $0) } ?? AuditChain()
            try audit.append(chain.append(AuditEntry(restoreOf: facts.auditRecords, cursor: cursor, origin)))
        }
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
        // Empty by now; whatever SQLite left of them must not come under the directory's name.
        for suffix in ["-wal", "-shm"] { unlink(file.path + suffix) }
    }
}
