internal import BellwetherBase
internal import BellwetherCore
internal import Surveys

/// The durable data: rows, logs and the published catalog.
///
/// A store reads and writes rows, compares the versions that a write names, and has no rule of its own. The rules are
/// extensions of `Store` in the folders of their subjects: the audit's chain, publishes, tokens, consumers, the outbox,
/// erasure, retention, filters.
///
/// All functions block, and may be called from any thread. A write that has returned is durable. A store has no
/// batches, caches and threads: `Persistence` has them. A store never assumes that it has only one writer: each write
/// names the versions of the rows that it has read. `StoreContractTests` define the behaviour of every store.
public protocol Store: AnyObject, DataReading {
    // MARK: Rows; and `find` of `DataReading`

    /// The rows of these names, and the event ids that are known, from one snapshot.
    func read(_ query: RowQuery) throws(StoreError) -> RowReading

    /// The versions of these rows; 0 for one that does not exist.
    func versions(of names: [RowName]) throws(StoreError) -> [UInt64]

    /// The number of rows of an index, counted up to a limit.
    func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int

    /// Writes each group whose rows have the expected versions, completely or not at all, with its records and files.
    /// Returns one outcome for each group. Throws `.rejected` if nothing was written because of the content of a group.
    ///
    /// A row that did not exist gets a version that no row of its name ever had. A row whose new value is empty
    /// (`RowValue.isEmpty`) is deleted; afterwards it has version 0.
    func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome]

    /// The turn of writers that compute their values from rows that they have read.
    var turn: WriteTurn { get }

    // MARK: Logs; and `logs`, `records` of `RecordReading`

    /// Records of the audit after a sequence number, oldest first.
    func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord]

    /// Deletes a range, oldest first, up to a limit. Returns the number of rows that were deleted.
    func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int

    /// Reads the rows that results count, in one state of the store.
    func readResultRows<Value>(
        _ query: ResultsQuery, _ body: (any ResultRows) throws -> Value
    ) throws(StoreError) -> Value

    /// The slots and files that runs have and the rows that count them, from one state of the store. It may take
    /// seconds.
    func census() throws(StoreError) -> SlotCensus

    // MARK: Changes

    /// The heads, which other processes move, too; nil if this process is the only writer (see `ChangeFeed`).
    var shared: (any SharedHeads)? { get }

    /// The store's time, without I/O. Leases and retention are judged by it, and records are received at it. A store of
    /// one process uses the process's clock.
    var clock: Clock { get }

    // MARK: State

    var status: StoreStatus { get }

    /// Cancels long reads; they fail.
    func interruptReads()

    func close()
}

/// The state of a store.
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

    /// The value of a row; nil if there is none.
    func value(of name: RowName) throws(StoreError) -> RowValue? { try row(name)?.value }

    func row(_ name: RowName) throws(StoreError) -> StoredRow? {
        try read(RowQuery(names: [name])).rows.first?.get() ?? nil
    }

    /// Verifies the audit's chain from its first record to the highest number that was given before the call.
    public func verifyAudit() throws(StoreError) -> Result<AuditChain, AuditFault> {
        guard case .audit(let end)? = try value(of: .audit) else { return .success(AuditChain()) }
        return try AuditChain.verify(upTo: end.sequence) { query throws(StoreError) in try readAudit(query) }
    }

    /// Makes a group and writes it. If another writer came first, it makes the group again from the present rows. A
    /// group of nil means that there is nothing to write.
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

    /// Does the same with entries of the audit. It reads the end of the audit before the group is made.
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
    /// The disk is full, read-only or missing. The text is for the log, not for clients.
    case unavailable(String)
    /// The store refuses this content, now and later; other writes may succeed. The text is for the log.
    case rejected(String)
    /// Another publish came first.
    case stale
    /// This program cannot use the database. The text states the fault and the remedy.
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

/// The times for which data is kept, in seconds.
public struct RetentionPolicy: Sendable, Hashable {
    public var telemetrySeconds: Int64
    /// The age up to which records are kept longer for a consumer that has not acknowledged them. It is at least
    /// `telemetrySeconds`.
    public var telemetryHoldSeconds: Int64
    public var eventIDSeconds: Int64
    /// The time for which webhooks that were given up are kept.
    public var deadWebhookSeconds: Int64 = 30 * 86_400
    /// The time for which deleted runs are kept, without being shown.
    public var deletedRunSeconds: Int64 = 7 * 86_400
    /// The time for which an idempotency key is valid (docs/reference/http-api.md#idempotency-keys).
    public var idempotencySeconds: Int64 = 86_400
    /// The maximum number of rows that are deleted in one transaction.
    public var slice = 5_000

    public init(telemetrySeconds: Int64, telemetryHoldSeconds: Int64 = 365 * 86_400, eventIDSeconds: Int64) {
        self.telemetrySeconds = telemetrySeconds
        self.telemetryHoldSeconds = telemetryHoldSeconds
        self.eventIDSeconds = eventIDSeconds
    }
}
