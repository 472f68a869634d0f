internal import Logging
internal import Synchronization

/// The bounds of a `Persistence`. The defaults serve a small server.
public struct PersistenceSettings: Sendable {
    /// Clients held in memory; see `ClientTable`.
    public var clients = ClientTable.defaultBound
    public var absentClients = ClientTable.defaultAbsentBound
    /// Transactions that may wait for a commit; beyond, they fail with `.overloaded`.
    public var waitingTransactions = 10_000
    /// Events (or changes without events) that may wait, over all transactions.
    public var waitingEvents = 200_000
    /// Events in one commit: what the next waits for, and what is lost together when it fails.
    public var eventsPerCommit = 20_000
    /// Reads that may wait, of each kind.
    public var waitingReads = 10_000
    /// Questions for results that may wait; each may take seconds.
    public var waitingResults = 32
    /// Records that one read with a filter looks at (some 80 ms for 100,000).
    public var scannedRecords = 100_000

    public init() {}
}

/// The counts of writes since the start.
public struct PersistenceStatistics: Sendable, Hashable {
    /// Writes of batches that were committed.
    public var commits = 0
    /// Writes and reads of batches that failed.
    public var failures = 0
    /// Transactions that were committed.
    public var submissions = 0
    public var telemetryRecords = 0
    /// Commits that were not what their transactions wanted, and transactions that asked for rows too often: faults of
    /// the program. Nothing of them was acknowledged.
    public var faults = 0
    /// Transactions refused because too many waited.
    public var refusals = 0
    /// Transactions in a write that was committed.
    public var batchSizes = Histogram(bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000])
    /// The elements that wait now; transactions first.
    public var queues: [QueueDepth] = []
    /// Clients held in memory now.
    public var clients = 0

    public init() {}

    /// Transactions that wait now.
    public var waiting: Int { queues.first?.waiting ?? 0 }
}

/// The counts and logs of a `Persistence`, and the observer of new webhooks.
final class StorageCounts: Sendable {
    private let counts = Mutex(PersistenceStatistics())
    private let logger: Logger
    private let observers = Mutex(Observers())

    init(_ logger: Logger = Persistence.silent) { self.logger = logger }

    /// In a structure: a lock around a bare function wraps the function once more at each access, and a call of it goes
    /// through all the wrappers.
    private struct Observers {
        var outbox: (@Sendable () -> Void)?
    }

    var statistics: PersistenceStatistics { counts.withLock { $0 } }

    func observeOutbox(_ observer: @escaping @Sendable () -> Void) { observers.withLock { $0.outbox = observer } }

    func countRefusal() { counts.withLock { $0.refusals += 1 } }

    /// A write that was committed.
    struct Commit {
        var transactions = 0
        var records = 0
        /// Apps whose logs have grown.
        var apps: Set<String> = []
        /// Rows of the outbox.
        var webhooks = 0
    }

    func add(_ commit: Commit) {
        counts.withLock { counts in
            counts.commits += 1
            counts.telemetryRecords += commit.records
            counts.submissions += commit.transactions
            counts.batchSizes.observe(Double(commit.transactions))
        }
        if commit.webhooks > 0 { notifyOutbox() }
    }

    /// Says that a webhook waits.
    func notifyOutbox() {
        if let observer = observers.withLock({ $0.outbox }) { observer() }
    }

    func addFailure() { counts.withLock { $0.failures += 1 } }

    /// A fault of the program, with a sentence for the log.
    func addFault(_ reason: String) {
        counts.withLock { $0.faults += 1 }
        logger.error("a write is refused: the program is at fault", metadata: ["reason": "\(reason)"])
    }
}
