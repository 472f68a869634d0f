public import BellwetherBase
public import BellwetherCore

/// What is kept: client states, telemetry, answers and the published catalog, in the words of the domain.
///
/// A write is reported done only after it is durable. Completions may be called on any thread and must not block.
/// The whole of a batch is one transaction; an event is applied once, whatever is sent again.
public protocol Store: AnyObject, Sendable {
    /// The client as the table in memory has it; never any I/O.
    func lookUp(_ client: ClientReference) -> ClientLookup

    /// Whether nothing was written of a client since it was looked up; never any I/O.
    func isCurrent(_ mark: ClientMark) -> Bool

    /// Reads a client that the table does not hold, and puts it there. Nil: the client was never seen.
    func load(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<ClientState?, StoreError>) -> Void)

    /// Queues a write for the next group commit. A full queue fails at once with `.overloaded`.
    func submit(_ submission: Submission)

    /// Records of one app after a cursor, oldest first, that the query's filter means.
    func readTelemetry(
        _ query: TelemetryQuery, _ completion: @escaping @Sendable (Result<TelemetryPage, StoreError>) -> Void)

    /// Counts what came back of a recipe's messages, off the event loops.
    func readResults(
        _ query: ResultsQuery, _ completion: @escaping @Sendable (Result<ResultsReading, StoreError>) -> Void)

    /// Keeps a consumer's place, which may go back as far as records are kept; the start is where they begin now. The
    /// audit tells of new consumers, not of what they acknowledge.
    func keepConsumer(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ConsumerOutcome, StoreError>) -> Void)

    /// An app's consumers, by name, or the one of a name. Nil: nothing was ever stored of the app.
    func consumers(
        of app: String, named name: String?,
        _ completion: @escaping @Sendable (Result<[TelemetryConsumer]?, StoreError>) -> Void)

    /// Nothing is kept for the consumer any more. False: there was none.
    func deleteConsumer(
        _ name: String, of app: String, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

    /// Removes a client's state, answers and event ids; the log stays as it is. What the client sends afterwards finds
    /// an empty state. The audit tells of it in the same transaction, by the digest (`ClientDigest`).
    func erase(
        _ client: ClientReference, knownAs digest: [UInt8], _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ErasureOutcome, StoreError>) -> Void)

    /// Called after each commit that added telemetry, with the apps concerned. Set once, before the first write.
    func observeTelemetry(_ observer: @escaping @Sendable (Set<String>) -> Void)

    /// The catalog as it was last published. Blocks; for the start.
    func loadCatalog() throws(StoreError) -> StoredCatalog

    /// Makes the changes and the audit's records of them durable in one transaction. Blocks until then; for the
    /// publisher's thread. The author: see `ChangeAuthor`.
    func publish(_ changes: [CatalogChange], by author: String, at now: Timestamp) throws(StoreError)

    /// Every token that the daemon made, in that order; long ago revoked ones may be missing. Blocks; for the
    /// register's thread.
    func loadTokens() throws(StoreError) -> [StoredToken]

    /// Records of the audit after one, oldest first.
    func readAudit(
        _ query: AuditQuery, _ completion: @escaping @Sendable (Result<[AuditRecord], StoreError>) -> Void)

    /// All revisions of a recipe, oldest first. Blocks; for the publisher's thread.
    func revisions(of slug: String, in app: String) throws(StoreError) -> [StoredDocument]

    /// The reply kept under an idempotency key. Blocks; for the publisher's thread.
    func reply(to claim: IdempotencyClaim) throws(StoreError) -> StoredReply?

    /// Deletes what the policy no longer keeps, in slices that hold nobody up for long.
    func enforceRetention(_ policy: RetentionPolicy, now: Timestamp)

    var health: StoreHealth { get }

    /// Finishes what is queued, then closes.
    func close()
}

public enum StoreError: Error, Sendable, Hashable {
    /// The write queue is full: try again later.
    case overloaded
    /// The disk is full, read-only or gone. The text is for the log, not for clients.
    case unavailable(String)
    /// A database that this program cannot use: what is wrong, and what to do.
    case unusable(String)
}

public enum StoreHealth: Sendable, Hashable {
    case healthy
    case failing(String)
}

/// How long things are kept. Seconds.
public struct RetentionPolicy: Sendable, Hashable {
    public var telemetrySeconds: Int64
    /// What a consumer has not acknowledged is kept longer, up to this age; less than `telemetrySeconds` counts as
    /// that.
    public var telemetryHoldSeconds: Int64
    public var eventIDSeconds: Int64
    /// An idempotency key holds for 24 hours (docs/reference/http-api.md#idempotency-keys).
    public var idempotencySeconds: Int64 = 86_400

    public init(telemetrySeconds: Int64, telemetryHoldSeconds: Int64 = 365 * 86_400, eventIDSeconds: Int64) {
        self.telemetrySeconds = telemetrySeconds
        self.telemetryHoldSeconds = telemetryHoldSeconds
        self.eventIDSeconds = eventIDSeconds
    }
}
