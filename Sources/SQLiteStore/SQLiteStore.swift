public import BellwetherService
import Dispatch
import GRDB
import Synchronization

/// The store in one SQLite file, for one daemon on one machine.
///
/// All writing happens on the serial queue of GRDB's writer connection, in group commits: while one transaction is
/// made durable, what arrives is gathered for the next. Client states come out of a table in memory, which only
/// committed states enter. Reads have connections and queues of their own.
public final class SQLiteStore: Store {
    let database: DatabasePool
    let settings: SQLiteStoreSettings
    let table: ClientTable
    let submissions: BoundedQueue<Submission>
    let loads: BoundedQueue<PendingLoad>
    let telemetryReads: BoundedQueue<PendingTelemetryRead>
    let changes: BoundedQueue<PendingChange>
    let resultReads: BoundedQueue<PendingResults>
    let loadQueue = DispatchQueue(label: "bellwether.store.loads")
    let telemetryQueue = DispatchQueue(label: "bellwether.store.telemetry")
    let resultsQueue = DispatchQueue(label: "bellwether.store.results")
    let counts = Mutex(SQLiteStoreStatistics())
    /// Why the last write failed; nil when it did not.
    let failure = Mutex<String?>(nil)
    let isProbing = Atomic<Bool>(false)
    /// The highest version that a state had whose client was erased.
    let erasedVersion = Mutex<UInt64>(0)
    let isEnforcingRetention = Atomic<Bool>(false)
    let telemetryObserver = Mutex<(@Sendable (Set<String>) -> Void)?>(nil)
    private let folder: LogFolder
    private let lock: DirectoryLock

    /// Opens the database of a data directory, or makes both. Fails with `.unusable` and what to do about it.
    /// - Parameter background: where the log is folded into the file.
    public init(
        directory: String, settings: SQLiteStoreSettings = SQLiteStoreSettings(),
        background: BackgroundQueue = BackgroundQueue()
    ) throws(StoreError) {
        try DatabaseFile.makeDirectory(directory)
        lock = try DirectoryLock(directory: directory)
        let file = DatabaseFile(directory: directory)
        database = try file.open(settings)
        folder = try LogFolder(file, due: settings.foldedPages, queue: background) { [database] in
            database.asyncWriteWithoutTransaction { _ = try? $0.checkpoint(.passive) }
        }
        database.writeWithoutTransaction { [folder] in folder.watch($0) }
        self.settings = settings
        table = ClientTable(bound: settings.clients, absentBound: settings.absentClients)
        submissions = BoundedQueue(countBound: settings.waitingSubmissions, weightBound: settings.waitingEvents)
        loads = BoundedQueue(countBound: settings.waitingReads)
        telemetryReads = BoundedQueue(countBound: settings.waitingReads)
        changes = BoundedQueue(countBound: settings.waitingSubmissions)
        resultReads = BoundedQueue(countBound: settings.waitingResults)
    }

    /// What other users of the machine may do with a data directory and its files, a sentence each.
    public static func accessWarnings(of directory: String) -> [String] {
        let database = DatabaseFile(directory: directory).path
        let files = DatabaseFile.suffixes.map { database + $0 } + [directory + "/secret"]
        return ([directory] + files).compactMap(OwnerOnly.warning)
    }

    public func lookUp(_ client: ClientReference) -> ClientLookup { table.lookUp(client) }

    public func isCurrent(_ mark: ClientMark) -> Bool { table.isCurrent(mark) }

    public func observeTelemetry(_ observer: @escaping @Sendable (Set<String>) -> Void) {
        telemetryObserver.withLock { $0 = observer }
    }

    public var statistics: SQLiteStoreStatistics {
        var statistics = counts.withLock { $0 }
        statistics.queues = [
            submissions.depth("submissions"), changes.depth("changes"), loads.depth("loads"),
            telemetryReads.depth("telemetry"), resultReads.depth("results"),
        ]
        statistics.clients = table.occupancy.known
        return statistics
    }

    /// What is queued is committed and answered, what comes later is refused; then the log is folded into the file.
    /// Not to be called from a completion.
    public func close() {
        guard submissions.close() else { return }
        loads.close()
        telemetryReads.close()
        changes.close()
        resultReads.close()
        database.writeWithoutTransaction { database in
            while submissions.count > 0 { commitNext(database) }
            while changes.count > 0 { commitNextChanges(database) }
        }
        loadQueue.sync { while loads.count > 0 { loadNext() } }
        telemetryQueue.sync { while telemetryReads.count > 0 { readNextTelemetry() } }
        database.interrupt()
        resultsQueue.sync { while resultReads.count > 0 { readNextResults() } }
        folder.close()
        // After the last read, for a reader would keep its part of the log. What cannot be folded is read at the next
        // start.
        database.writeWithoutTransaction { database in
            // Ends the interruption, which the fold would take for its own.
            _ = try? database.execute(sql: "SELECT 1")
            _ = try? database.checkpoint(.truncate)
        }
        try? database.close()
        lock.release()
    }
}
