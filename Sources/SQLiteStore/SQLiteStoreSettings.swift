public import BellwetherService

/// The bounds of a store. The defaults serve a small server.
public struct SQLiteStoreSettings: Sendable {
    /// Clients held in memory; see `ClientTable`.
    public var clients = ClientTable.defaultBound
    public var absentClients = ClientTable.defaultAbsentBound
    /// Submissions that may wait for a commit; beyond, they fail with `.overloaded`.
    public var waitingSubmissions = 10_000
    /// Events (or changes without events) that may wait, over all submissions.
    public var waitingEvents = 200_000
    /// Events in one transaction: what the next waits for, and what is lost together when it fails.
    public var eventsPerCommit = 20_000
    /// Pages of the write-ahead log after which it is folded into the file. 500 are 2 MiB: a fold is one write to the disk,
    /// behind which the next commit waits.
    public var foldedPages = 500
    /// Reads that may wait, of each kind.
    public var waitingReads = 10_000
    /// Records of a log that one read with a filter looks at (some 80 ms for 100,000).
    public var scannedRecords = 100_000
    /// Questions for results that may wait; each may take seconds.
    public var waitingResults = 32
    /// Rows that retention deletes in one transaction.
    public var retentionSlice = 5_000
    /// A database up to this size is checked in full when it is opened (some 2 s a GB); a larger one as it is read.
    public var checkedBytes: Int64 = 256 << 20

    public init() {}
}

/// What a store has done since it was opened.
public struct SQLiteStoreStatistics: Sendable, Hashable {
    /// Transactions of submissions that were committed.
    public var commits = 0
    /// Transactions of submissions that failed.
    public var failures = 0
    public var submissions = 0
    public var changes = 0
    public var telemetryRecords = 0
    /// Submissions refused because too many waited.
    public var refusals = 0
    /// Submissions in a transaction that was committed.
    public var batchSizes = Histogram(bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000])
    /// Seconds that COMMIT took: to write the log and have the disk say that it is there.
    public var commitSeconds = Histogram(bounds: StoreTiming.bounds)
    /// Seconds of a whole transaction, from BEGIN to COMMIT.
    public var batchSeconds = Histogram(bounds: StoreTiming.bounds)
    /// What waits now; submissions first.
    public var queues: [QueueDepth] = []
    /// Clients held in memory now.
    public var clients = 0

    public init() {}

    /// Submissions that wait now.
    public var waiting: Int { queues.first?.waiting ?? 0 }
}
