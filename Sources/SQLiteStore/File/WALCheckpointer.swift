import BellwetherService
import GRDB
import GRDBSQLite
import Synchronization

/// Runs a job on some thread after a while.
public typealias Postponement = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

/// Folds the write-ahead log into the database's file beside the writer, on a thread that gives way.
///
/// SQLite by itself does so at the end of a commit: milliseconds of the writer's turn, in which nothing is acknowledged
/// and, where there is one processor, nothing answered. Here the writer only folds what was written while most was
/// folded, after which the log begins anew; and all of it where the thread that gives way does not get its turn.
final class WALCheckpointer: Sendable {
    struct Progress {
        /// A fold is asked for and has not ended.
        private(set) var isUnderWay = false
        /// How many pages of the log the last fold found; 0 since it began anew.
        private(set) var pages = 0

        /// After each commit: whether a fold is to be asked for. Not again for what a reader keeps from being
        /// forgotten.
        mutating func isDue(at pages: Int, after due: Int) -> Bool {
            if pages < self.pages { self.pages = 0 }
            guard !isUnderWay, pages - self.pages >= due else { return false }
            self = Progress(isUnderWay: true, pages: pages)
            return true
        }

        mutating func end() { isUnderWay = false }
    }

    /// Pages of the log.
    private let due: Int
    /// The writer folds by itself what has grown to so many times as much.
    private static let patience = 4

    /// Nil once it is closed.
    private let connection: Mutex<DatabaseQueue?>
    private let queue: BackgroundQueue
    private let progress = Mutex(Progress())
    /// Runs a job some time later.
    private let postpone: Postponement
    private let isTruncationUnderWay = Atomic<Bool>(false)
    /// Has the writer fold what is left; does not wait for it.
    private let finish: @Sendable () -> Void

    init(
        _ file: DatabaseFile, due: Int, queue: BackgroundQueue, postpone: @escaping Postponement,
        finish: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        connection = Mutex(try file.openForFolding())
        self.due = due
        self.queue = queue
        self.postpone = postpone
        self.finish = finish
    }

    /// Looks at the log after each commit of a connection, which this must outlive.
    func watch(_ writer: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { context, writer, name, pages in
                if let context {
                    Unmanaged<WALCheckpointer>.fromOpaque(context).takeUnretainedValue().note(Int(pages), writer, name)
                }
                // Anything else would fail the commit, which is durable.
                return SQLITE_OK
            }, context)
    }

    /// Waits for the fold that is under way; there are none after it.
    func close() {
        connection.withLock { connection in
            try? connection?.close()
            connection = nil
        }
    }

    /// Has the log begin anew as an empty file, soon: what it has of erased rows is gone then. As long as a reader uses
    /// it, that is tried again (docs/decisions/0071-an-erasure-empties-the-write-ahead-log.md).
    func truncate() {
        guard !isTruncationUnderWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in tryTruncation() }
    }

    private func tryTruncation() {
        // An erasure from now on requests it again.
        isTruncationUnderWay.store(false, ordering: .releasing)
        guard !hasTruncated() else { return }
        guard !isTruncationUnderWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        postpone { [self] in queue.async { self.tryTruncation() } }
    }

    /// True also where it is closed: the store's end leaves an empty log.
    private func hasTruncated() -> Bool {
        connection.withLock { connection in
            guard let connection else { return true }
            return connection.writeWithoutTransaction { database in
                // Most is folded without the writer's lock, which the rest needs.
                _ = try? database.checkpoint(.passive)
                return (try? database.checkpoint(.truncate)) != nil
            }
        }
    }

    private func note(_ pages: Int, _ writer: OpaquePointer?, _ name: UnsafePointer<CChar>?) {
        if pages / Self.patience >= due {
            sqlite3_wal_checkpoint_v2(writer, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        } else if progress.withLock({ $0.isDue(at: pages, after: due) }) {
            queue.async { [self] in fold() }
        }
    }

    private func fold() {
        connection.withLock { connection in
            guard let connection else { return }
            // Pages that cannot be folded now stay in the log, where they are as durable.
            _ = try? connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
            finish()
        }
        progress.withLock { $0.end() }
    }
}
