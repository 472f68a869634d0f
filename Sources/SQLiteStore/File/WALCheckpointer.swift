import BellwetherService
import SQLiteWire
import Synchronization

/// Runs a job on some thread after a while.
public typealias Postponement = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

/// Folds the write-ahead log into the database's file, beside the writer, on a background thread.
///
/// By default SQLite does this at the end of a commit. That takes milliseconds of the writer's turn, in which no write
/// is acknowledged; with one processor, no request is served either. Here the writer only folds the pages that were
/// written during the background fold; then the log restarts. The writer folds all pages if the background thread gets
/// no processor time.
final class WALCheckpointer: Sendable {
    struct Progress {
        /// A fold was requested and has not ended.
        private(set) var isUnderWay = false
        /// How many pages the log had at the last fold; 0 since the log restarted.
        private(set) var pages = 0

        /// Whether to request a fold. Called after each commit. Pages that a reader keeps in the log do not request
        /// another fold.
        mutating func isDue(at pages: Int, after due: Int) -> Bool {
            if pages < self.pages { self.pages = 0 }
            guard !isUnderWay, pages - self.pages >= due else { return false }
            self = Progress(isUnderWay: true, pages: pages)
            return true
        }

        mutating func end() { isUnderWay = false }
    }

    /// The pages of the log after which a fold is requested.
    private let due: Int
    /// The writer itself folds a log that has this many times `due` pages.
    private static let patience = 4

    /// Nil after `close`.
    private let connection: Mutex<SQLiteQueue?>
    private let queue: BackgroundQueue
    private let progress = Mutex(Progress())
    /// Runs a job some time later.
    private let postpone: Postponement
    private let isTruncationUnderWay = Atomic<Bool>(false)
    /// Makes the writer fold the remaining pages; does not wait for it.
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

    /// Inspects the log after each commit of a connection. The connection does not keep this object.
    func watch(_ writer: SQLiteConnection) {
        writer.afterEachCommit { [weak self, unowned writer] pages in self?.note(pages, writer) }
    }

    /// Waits for the current fold. No fold starts after it.
    func close() {
        connection.withLock { connection in
            connection?.close()
            connection = nil
        }
    }

    /// Truncates the log to an empty file soon, which removes its content of erased rows. While a reader uses the log,
    /// the truncation is tried again (docs/decisions/0071-an-erasure-empties-the-write-ahead-log.md).
    func truncate() {
        guard !isTruncationUnderWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in tryTruncation() }
    }

    private func tryTruncation() {
        // An erasure from now on requests another truncation.
        isTruncationUnderWay.store(false, ordering: .releasing)
        guard !hasTruncated() else { return }
        guard !isTruncationUnderWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        postpone { [self] in queue.async { self.tryTruncation() } }
    }

    /// True also after `close`: the store leaves an empty log when it closes.
    private func hasTruncated() -> Bool {
        connection.withLock { connection in
            guard let connection else { return true }
            return connection.use { database in
                // This folds most pages without the writer's lock, which the truncation needs.
                _ = try? database.checkpoint(.passive)
                return (try? database.checkpoint(.truncate)) != nil
            }
        }
    }

    private func note(_ pages: Int, _ writer: SQLiteConnection) {
        if pages / Self.patience >= due {
            _ = try? writer.checkpoint(.passive)
        } else if progress.withLock({ $0.isDue(at: pages, after: due) }) {
            queue.async { [self] in fold() }
        }
    }

    private func fold() {
        connection.withLock { connection in
            guard let connection else { return }
            // Pages that cannot be folded now stay in the log, where they are durable too.
            _ = try? connection.use { try $0.checkpoint(.passive) }
            finish()
        }
        progress.withLock { $0.end() }
    }
}
