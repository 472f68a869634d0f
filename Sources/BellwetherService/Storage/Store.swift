public import BellwetherBase
public import BellwetherCore
public import Surveys

/// What is kept: rows, logs and the published catalog.
///
/// All functions block, and may be called from any thread. What has returned is durable. A store knows nothing of
/// batches, caches and threads: `Persistence` has them. It never assumes that it is the only one that writes: each
/// write says which versions of its rows it has read. `StoreContractTests` say what every store has to do.
public protocol Store: AnyObject, Sendable {
    // MARK: Rows

    /// The rows of these names, and which event ids are known, out of one snapshot.
    func read(_ query: RowQuery) throws(StoreError) -> RowReading

    /// The versions of these rows; 0 for one that does not exist.
    func versions(of names: [RowName]) throws(StoreError) -> [UInt64]

    /// Writes each group whose rows have the expected versions, all or nothing, its records and event ids with it. One
    /// outcome a group. `.rejected`: nothing was written, and the content of one of the groups is the reason.
    ///
    /// A row that did not exist gets a version that no row of its name ever had. A row whose new value is empty
    /// (`RowValue.isEmpty`) is deleted: it has version 0 afterwards.
    func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome]

    /// Removes the row of a client or user with the answers, runs, aliases, event ids, webhooks and stored replies, and
    /// appends to the audit that it was done, in one transaction. Runs of users and their webhooks stay when a client
    /// is erased, and lose its id. Clients of an erased user lose what they have answered, and are nobody's. Nothing of
    /// what is removed is in any file soon after.
    func erase(
        _ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin
    ) throws(StoreError) -> ErasureOutcome

    /// The clients that were identified with a user, or the users that a client was identified with, in byte order.
    func aliases(of person: Person) throws(StoreError) -> [String]

    /// What clients have answered to microsurveys, in the order of the clients.
    func answers(of clients: [ClientReference]) throws(StoreError) -> [SurveyResponse]

    /// Deletes a part of what the policy no longer keeps. True: there is more.
    func deleteExpired(_ policy: RetentionPolicy, now: Timestamp) throws(StoreError) -> Bool

    // MARK: Logs

    /// Records of one app after a cursor, oldest first, that the query's filter means.
    func readTelemetry(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage

    /// Counts what came back of a recipe's messages.
    func readResults(_ query: ResultsQuery) throws(StoreError) -> ResultsReading

    /// Records of the audit after one, oldest first.
    func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord]

    /// Keeps a consumer's cursor, which may go back as far as records are kept; the start is where they begin now. The
    /// audit tells of new consumers, not of what they acknowledge.
    func keepConsumer(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin
    ) throws(StoreError) -> ConsumerOutcome

    /// An app's consumers, by name, or the one of a name. Nil: nothing was ever stored of the app.
    func consumers(of app: String, named name: String?) throws(StoreError) -> [TelemetryConsumer]?

    /// Nothing is kept for the consumer any more. False: there was none.
    func deleteConsumer(_ name: String, of app: String, _ origin: ChangeOrigin) throws(StoreError) -> Bool

    // MARK: Outbox

    /// Gives rows that are due to a daemon until its lease ends, in one transaction: no two daemons get a row while a
    /// lease holds.
    func leaseOutbox(_ request: OutboxLeaseRequest) throws(StoreError) -> OutboxLease

    /// Enters what became of attempts, where the owner's lease has not passed to another daemon.
    func finishOutbox(_ results: [OutboxResult], of owner: String) throws(StoreError)

    /// An app's webhooks that wait or were given up, newest first.
    func readOutbox(_ query: OutboxQuery) throws(StoreError) -> [OutboxRow]

    // MARK: Runs

    /// Runs of one recipe, newest first.
    func readRuns(_ query: RunQuery) throws(StoreError) -> [Run]

    /// A file that a run refers to which is not deleted. A file is kept as long as a run refers to it. Nil: there is
    /// none.
    func readFile(_ name: FileName) throws(StoreError) -> StoredFile?

    // MARK: Catalog

    /// The catalog as it was last published, with its head.
    func loadCatalog() throws(StoreError) -> StoredCatalog

    /// Makes the changes and the audit's records of them durable, if the head is still the expected one; answers the
    /// new head. `.stale`: another publish came first; nothing was written. The author: see `ChangeAuthor`.
    func publish(
        _ changes: [CatalogChange], expecting head: CatalogHead, by author: String, at now: Timestamp
    ) throws(StoreError) -> CatalogHead

    /// Every token that the daemon made, in that order; long ago revoked ones may be missing.
    func loadTokens() throws(StoreError) -> StoredTokens

    /// Makes changes of tokens durable, with the audit's records of them, if the head is still the expected one;
    /// answers the new head. `.stale`: another change came first; nothing was written. Where no head is expected it
    /// stays as it is.
    @discardableResult
    func changeTokens(
        _ changes: [TokenChange], expecting head: TokenHead?, by author: String, at now: Timestamp
    ) throws(StoreError) -> TokenHead

    /// All revisions of a recipe, oldest first.
    func revisions(of slug: String, in app: String) throws(StoreError) -> [StoredDocument]

    // MARK: Changes

    /// What other processes have moved; nil: this process is the only one that writes (see `ChangeFeed`).
    var shared: (any SharedHeads)? { get }

    /// The store's time, by which leases and retention are judged and records are received; never any I/O. A store of
    /// one process has that of the process.
    var clock: Clock { get }

    // MARK: State

    var health: StoreHealth { get }

    var timings: StoreTimings { get }

    /// Ends reads that take long; they fail.
    func interruptReads()

    func close()
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
    /// Webhooks that were given up.
    public var deadWebhookSeconds: Int64 = 30 * 86_400
    /// What was deleted is kept for so long, and is not shown.
    public var deletedRunSeconds: Int64 = 7 * 86_400
    /// An idempotency key holds for 24 hours (docs/reference/http-api.md#idempotency-keys).
    public var idempotencySeconds: Int64 = 86_400

    public init(telemetrySeconds: Int64, telemetryHoldSeconds: Int64 = 365 * 86_400, eventIDSeconds: Int64) {
        self.telemetrySeconds = telemetrySeconds
        self.telemetryHoldSeconds = telemetryHoldSeconds
        self.eventIDSeconds = eventIDSeconds
    }
}
