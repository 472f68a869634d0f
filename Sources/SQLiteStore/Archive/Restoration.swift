public import BellwetherBase
internal import BellwetherCore
public import BellwetherService
import Glibc
import SQLiteWire
import StoreTables

/// Restores a backup as the database of a data directory, which must not be in use and must have no other files. The
/// backup is not changed, and may be on a read-only file system.
///
/// The lost daemon gave out cursors after the backup's last one. New records begin far behind those cursors: a pipeline
/// that continues from any of them gets every new record exactly once.
public struct Restoration {
    /// How many cursors the lost daemon may have given out after the backup.
    private static let skipped: Int64 = 1 << 32
    private let source: SQLiteQueue
    private let directory: String
    private let draft: DirectoryDraft

    /// Makes the directory if it does not exist, and locks it while this value lives. A restore that was broken off is
    /// begun anew. Fails with `.unusable` and the remedy.
    public init(of backup: String, to directory: String) throws(StoreError) {
        source = try DatabaseFile(directory: backup).openAtRest()
        draft = try DirectoryDraft(.restore, of: directory)
        self.directory = directory
    }

    /// Copies and checks the backup, migrates it to this program's schema, and records the restore in the audit.
    /// `complete` writes the other files into the directory; then the database gets its name.
    public func run(
        now: Timestamp, webhooks: RestoredWebhooks = .giveUp, _ progress: (BackupProgress) throws -> Void,
        complete: () throws -> Void
    ) throws -> BackupFacts {
        let file = DatabaseFile(directory: draft.path)
        let facts = try DatabaseCopy(source: source, path: file.path).makeVerified(file, progress)
        try renew(file, facts, webhooks, now)
        try complete()
        try DurableFile.synchronize(file.path)
        try DurableFile.rename(file.path, to: DatabaseFile(directory: directory).path)
        rmdir(draft.path)
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
            if webhooks == .giveUp {
                try Prepared(database, OutboxRow.giveUpAll)
                    .run(.integer(now.milliseconds), .text(OutboxRow.restored))
            }
            let origin = ChangeOrigin(author: ChangeAuthor.daemon, at: now)
            let audit = AuditRows(database)
            var chain = try audit.end()
            try audit.append(chain.append(AuditEntry(restoreOf: facts.audit.sequence, cursor: cursor, origin)))
        }
        try pool.useWriter { _ = try $0.checkpoint(.truncate) }
        pool.close()
        // Both are empty by now. A file that SQLite left must not stay beside the database's final name.
        for suffix in ["-wal", "-shm"] { unlink(file.path + suffix) }
    }
}
