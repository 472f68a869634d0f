internal import BellwetherJSON
internal import Logging
internal import Synchronization

/// The bounds of a `Persistence`. The defaults serve a small server.
public struct PersistenceSettings: Sendable {
    /// The maximum number of clients in memory; see `ClientTable`.
    public var clients = ClientTable.defaultBound
    public var absentClients = ClientTable.defaultAbsentBound
    /// The maximum number of transactions that wait for a commit. Further ones fail with `.overloaded`.
    public var waitingTransactions = 10_000
    /// The maximum number of events (or changes without events) that wait, over all transactions.
    public var waitingEvents = 200_000
    /// The maximum number of events in one commit. The next commit waits for them, and they are lost together if it
    /// fails.
    public var eventsPerCommit = 20_000
    /// The maximum number of reads of each kind that wait.
    public var waitingReads = 10_000
    /// The maximum number of queries for results that wait; each may take seconds.
    public var waitingResults = 32
    /// The maximum number of records that one read with a filter examines (some 80 ms for 100,000).
    public var scannedRecords = 100_000

    public init() {}
}

/// The counts of writes since the start.
public struct PersistenceStatistics: Sendable, Hashable {
    /// Writes of batches that were committed.
    public var commits = 0
    /// The writes and reads of batches that failed.
    public var failures = 0
    /// Transactions that were committed.
    public var submissions = 0
    public var telemetryRecords = 0
    /// Faults of the program: commits that differ from their transactions, and transactions that requested rows too
    /// often. None of them was acknowledged.
    public var faults = 0
    /// Rows that a recount has corrected, and runs whose references to files it has renewed.
    public var corrections = 0
    /// Transactions refused because too many waited.
    public var refusals = 0
    /// The number of transactions in each write that was committed.
    public var batchSizes = Histogram(bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000])
    /// The elements that wait now; transactions first.
    public var queues: [QueueDepth] = []
    /// The number of clients in memory now.
    public var clients = 0

    public init() {}

    /// The number of transactions that wait now.
    public var waiting: Int { queues.first?.waiting ?? 0 }
}

/// The counts and logs of a `Persistence`, and the observer of new webhooks.
final class StorageCounts: Sendable {
    private let counts = Mutex(PersistenceStatistics())
    private let logger: Logger
    private let observers = Mutex(Observers())

    init(_ logger: Logger = Persistence.silent) { self.logger = logger }

    /// The function is in a structure, because a lock around a bare function wraps the function once more at each
    /// access. A call would then go through all the wrappers.
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
        var apps: Set<Identifier> = []
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

    /// Notifies the observer that a webhook waits.
    func notifyOutbox() {
        if let observer = observers.withLock({ $0.outbox }) { observer() }
    }

    func addFailure() { counts.withLock { $0.failures += 1 } }

    /// A tally that a recount has corrected.
    func addCorrection(of name: RowName, from before: Tally, to after: Tally) {
        guard case .tally(let app, let key) = name else { return }
        counts.withLock { $0.corrections += 1 }
        logger.error(
            "a count of places was wrong, and is corrected",
            metadata: [
                "app": "\(app)", "message": "\(key)", "before": "\(before.json)", "after": "\(after.json)",
            ])
    }

    /// A run without a reference to one of its files, which a recount has found.
    func addReference(of run: RunReference, isMended: Bool) {
        counts.withLock { $0.corrections += 1 }
        let what = isMended ? "a run did not refer to its files, and does again" : "a file of a run is lost"
        logger.error("\(what)", metadata: ["app": "\(run.app)", "run": "\(run.id)"])
    }

    /// A fault of the program, with a sentence for the log.
    func addFault(_ reason: String) {
        counts.withLock { $0.faults += 1 }
        logger.error("a write is refused: the program is at fault", metadata: ["reason": "\(reason)"])
    }
}
