internal import BellwetherService

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
    /// Pages of the write-ahead log after which it is folded into the file. 500 are 2 MiB: a fold is one write to the
    /// disk, behind which the next commit waits.
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
