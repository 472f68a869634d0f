internal import BellwetherBase
internal import BellwetherCore
internal import Surveys

/// The durable data: rows, logs and the published catalog.
///
/// A store stores: it reads and writes rows, compares the versions that a write names, and has no rule of its own. The
/// rules stand above it, as extensions of `Store` in the folders of their subjects: the audit's chain, publishes,
/// tokens, consumers, the outbox, erasure, retention, filters.
///
/// All functions block, and may be called from any thread. A write that has returned is durable. A store knows nothing
/// of batches, caches and threads: `Persistence` has them. It never assumes that it is the only one that writes: each
/// write says which versions of its rows it has read. `StoreContractTests` say what every store has to do.
public protocol Store: AnyObject, Sendable, RecordReading {
    // MARK: Rows

    /// The rows of these names, and which event ids are known, out of one snapshot.
    func read(_ query: RowQuery) throws(StoreError) -> RowReading

    /// The versions of these rows; 0 for one that does not exist.
    func versions(of names: [RowName]) throws(StoreError) -> [UInt64]

    /// Rows by an index, in its order: so many at most.
    func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow]

    /// How many rows an index has, counted up to a limit.
    func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int

    /// Writes each group whose rows have the expected versions, all or nothing, with what stands beside its rows. One
    /// outcome a group. `.rejected`: nothing was written, and the content of one of the groups is the reason.
    ///
    /// A row that did not exist gets a version that no row of its name ever had. A row whose new value is empty
    /// (`RowValue.isEmpty`) is deleted: it has version 0 afterwards.
    func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome]

    /// The turn of a writer that writes values made of rows that it has read.
    var turn: WriteTurn { get }

    // MARK: Logs; and `logs`, `records` of `RecordReading`

    /// Records of the audit after one, oldest first.
    func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord]

    /// Deletes a range, oldest first: so many at most. Answers how many there were.
    func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int

    /// Counts what came back of a recipe's messages.
    func readResults(_ query: ResultsQuery) throws(StoreError) -> ResultsReading

    // MARK: Catalog

    /// The catalog as it was last published, with its head.
    func loadCatalog() throws(StoreError) -> StoredCatalog

    // MARK: Changes

    /// The heads that other processes have moved; nil: this process is the only one that writes (see `ChangeFeed`).
    var shared: (any SharedHeads)? { get }

    /// The store's time, by which leases and retention are judged and records are received; never any I/O. A store of
    /// one process has that of the process.
    var clock: Clock { get }

    // MARK: State

    var status: StoreStatus { get }

    /// Ends reads that take long; they fail.
    func interruptReads()

    func close()
}

/// How a store is.
public struct StoreStatus: Sendable {
    public var health: StoreHealth
    public var timings: StoreTimings

    public init(health: StoreHealth, timings: StoreTimings = StoreTimings()) {
        (self.health, self.timings) = (health, timings)
    }
}

extension Store {
    public var health: StoreHealth { status.health }

    public var timings: StoreTimings { status.timings }

    /// The value of a row; nil where there is none.
    func value(of name: RowName) throws(StoreError) -> RowValue? { try row(name)?.value }

    func row(_ name: RowName) throws(StoreError) -> StoredRow? {
        try read(RowQuery(names: [name])).rows.first?.get() ?? nil
    }

    /// Writes a group, made anew from what stands where another writer came first. Nil: there is nothing to write.
    func commit<Value: Sendable>(
        _ make: () throws(StoreError) -> (result: Value, group: WriteGroup?)
    ) throws(StoreError) -> Value {
        for attempt in 0..<Contention.maximumAttempts {
            Contention.pause(after: attempt)
            let result = try turn.take { () throws(StoreError) -> Value? in
                let (result, group) = try make()
                guard let group else { return result }
                if case .written? = try write([group]).first { return result }
                return nil
            }
            if let result { return result }
        }
        throw .overloaded
    }

    /// The same with entries of the audit, at its end as it is read before the group is made.
    func commitAudited<Value: Sendable>(
        _ make: () throws(StoreError) -> (result: Value, group: WriteGroup?, entries: [AuditEntry])
    ) throws(StoreError) -> Value {
        try commit { () throws(StoreError) in
            let end = try row(.audit)
            let (result, group, entries) = try make()
            guard var group, !entries.isEmpty else { return (result, group) }
            var chain = if case .audit(let chain)? = end?.value { chain } else { AuditChain() }
            group.audit = entries.map { chain.append($0) }
            group.rows.append(RowWrite(name: .audit, expected: end?.version ?? 0, value: .audit(chain)))
            return (result, group)
        }
    }
}

public enum StoreError: Error, Sendable, Hashable {
    /// The write queue is full: try again later.
    case overloaded
    /// The disk is full, read-only or gone. The text is for the log, not for clients.
    case unavailable(String)
    /// The store refuses this content, now and later; other writes may go well. The text is for the log.
    case rejected(String)
    /// Another publish came first.
    case stale
    /// A database that this program cannot use: what is wrong, and what to do.
    case unusable(String)
}

extension StoreError {
    public static let closed = StoreError.unavailable("the store is closed")

    /// The fault, for the log.
    public var reason: String {
        switch self {
        case .unavailable(let reason), .rejected(let reason), .unusable(let reason): reason
        case .overloaded: "too many writes wait"
        case .stale: "the store has changed meanwhile"
        }
    }
}

public enum StoreHealth: Sendable, Hashable {
    case healthy
    case failing(String)
}

/// How long things are kept. Seconds.
public struct RetentionPolicy: Sendable, Hashable {
    public var telemetrySeconds: Int64
    /// The age up to which records are kept longer for a consumer that has not acknowledged them; less than
    /// `telemetrySeconds` counts as that.
    public var telemetryHoldSeconds: Int64
    public var eventIDSeconds: Int64
    /// Webhooks that were given up.
    public var deadWebhookSeconds: Int64 = 30 * 86_400
    /// The time for which deleted runs are kept, without being shown.
    public var deletedRunSeconds: Int64 = 7 * 86_400
    /// An idempotency key holds for 24 hours (docs/reference/http-api.md#idempotency-keys).
    public var idempotencySeconds: Int64 = 86_400
    /// Rows that are deleted in one transaction.
    public var slice = 5_000

    public init(telemetrySeconds: Int64, telemetryHoldSeconds: Int64 = 365 * 86_400, eventIDSeconds: Int64) {
        self.telemetrySeconds = telemetrySeconds
        self.telemetryHoldSeconds = telemetryHoldSeconds
        self.eventIDSeconds = eventIDSeconds
    }
}
