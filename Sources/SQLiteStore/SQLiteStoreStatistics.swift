public import BellwetherService

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
