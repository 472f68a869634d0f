public import BellwetherBase
public import BellwetherCore
public import BellwetherService
import Dispatch
import GRDB
public import Surveys
import Synchronization

/// The store in one SQLite file, for one daemon on one machine.
///
/// All writes go through GRDB's one writer connection, in turn; reads have connections of their own. A commit is
/// durable when it returns: `synchronous` is FULL.
public final class SQLiteStore: Store {
    let database: DatabasePool
    private let settings: SQLiteStoreSettings
    private let measured = Mutex(StoreTimings())
    /// Why the last write failed; nil when it did not.
    private let failure = Mutex<String?>(nil)
    private let isProbing = Atomic<Bool>(false)
    private let hasClosed = Atomic<Bool>(false)
    private let folder: WALCheckpointer
    private let lock: DirectoryLock

    /// Opens the database of a data directory, or makes both. Fails with `.unusable` and what to do about it.
    /// - Parameters:
    ///   - background: where the log is folded into the file.
    ///   - postpone: when it is tried again to empty the log, where somebody reads it.
    public init(
        directory: String, settings: SQLiteStoreSettings = SQLiteStoreSettings(),
        background: BackgroundQueue = BackgroundQueue(), postpone: @escaping Postponement = SQLiteStore.inASecond
    ) throws(StoreError) {
        try DatabaseFile.makeDirectory(directory)
        lock = try DirectoryLock(directory: directory)
        let file = DatabaseFile(directory: directory)
        let hadLog = file.hasLog
        database = try file.open(settings)
        folder = try WALCheckpointer(file, due: settings.foldedPages, queue: background, postpone: postpone) {
            [database] in
            database.asyncWriteWithoutTransaction { _ = try? $0.checkpoint(.passive) }
        }
        database.writeWithoutTransaction { [folder] in folder.watch($0) }
        self.settings = settings
        // A daemon that was killed may have left there what it had erased.
        if hadLog { folder.truncate() }
    }

    public static let inASecond: Postponement = { job in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1, execute: job)
    }

    /// What other users of the machine may do with a data directory and its files, a sentence each.
    public static func accessWarnings(of directory: String) -> [String] {
        let database = DatabaseFile(directory: directory).path
        let files = DatabaseFile.suffixes.map { database + $0 } + [directory + "/secret"]
        return ([directory] + files).compactMap(OwnerOnly.warning)
    }

    public var timings: StoreTimings { measured.withLock { $0 } }

    public func interruptReads() { database.interrupt() }

    /// After the last transaction the log is folded into the file.
    public func close() {
        guard !hasClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        folder.close()
        // After the last read, for a reader would keep its part of the log. What cannot be folded is read at the next
        // start.
        database.writeWithoutTransaction { database in
            // Ends an interruption, which the fold would take for its own.
            _ = try? database.execute(sql: "SELECT 1")
            _ = try? database.checkpoint(.truncate)
        }
        try? database.close()
        lock.release()
    }

    private func reading<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        guard !hasClosed.load(ordering: .acquiring) else { throw .closed }
        do { return try database.read(body) } catch { throw StoreError(error) }
    }

    /// One transaction. What fails for its content says nothing of the store's health.
    private func writing<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        guard !hasClosed.load(ordering: .acquiring) else { throw .closed }
        do {
            let value = try database.writeWithoutTransaction { database in
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                return value
            }
            failure.withLock { $0 = nil }
            guard let value else { throw StoreError.unavailable("a transaction ended without a result") }
            return value
        } catch {
            let error = StoreError(error)
            if case .unavailable = error { failure.withLock { $0 = "\(error)" } }
            throw error
        }
    }
}

/// Rows.
extension SQLiteStore {
    public func read(_ query: RowQuery) throws(StoreError) -> RowReading {
        try reading { try StoredRows($0).read(query) }
    }

    public func versions(of names: [RowName]) throws(StoreError) -> [UInt64] {
        try reading { database in
            let rows = try StoredRows(database)
            return try names.map { try rows.version(of: $0) }
        }
    }

    public func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        let begin = DispatchTime.now().uptimeNanoseconds
        var written = begin
        let outcomes = try writing { database in
            let rows = try StoredRows(database)
            var apps = AppKeys()
            let outcomes = try groups.map { try rows.write($0, apps: &apps) }
            if let newest = groups.flatMap(\.outbox).map(\.createdAt).max() {
                try OutboxRows(database).bound(settings.pendingWebhooks, at: newest)
            }
            written = DispatchTime.now().uptimeNanoseconds
            return outcomes
        }
        let end = DispatchTime.now().uptimeNanoseconds
        measured.withLock { timings in
            timings.batchSeconds.observe(Double(end - begin) / 1e9)
            timings.commitSeconds.observe(Double(end - written) / 1e9)
        }
        return outcomes
    }

    public func erase(
        _ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin
    ) throws(StoreError) -> ErasureOutcome {
        let outcome = try writing { database in
            guard let rows = try ErasureRows(database, app: person.app) else { return ErasureOutcome.unknownApp }
            guard try rows.erase(person) else { return .nothing }
            try CounterRows(database).beginEpoch()
            try AuditRows(database).append(AuditEntry(erasureOf: person, knownAs: digest, origin))
            return .erased
        }
        // The log has all that was erased, until it begins anew.
        if outcome == .erased { folder.truncate() }
        return outcome
    }

    public func aliases(of person: Person) throws(StoreError) -> [String] {
        try reading { database in
            guard let app = try AppRows(database).find(person.app) else { return [] }
            return switch person {
            case .client(let client): try SharedRows(database).aliases(app: app, clientID: client.id)
            case .user(let user): try SharedRows(database).aliases(app: app, userID: user.id)
            }
        }
    }

    public func answers(of clients: [ClientReference]) throws(StoreError) -> [SurveyResponse] {
        try reading { database in
            let rows = try StoredRows(database)
            return try clients.flatMap { try rows.answers(of: $0) }
        }
    }

    /// Each kind of row has a transaction of its own, and a slice of it that holds nobody up for long.
    public func deleteExpired(_ policy: RetentionPolicy, now: Timestamp) throws(StoreError) -> Bool {
        for step in RetentionStep.all(policy, now: now) {
            let deleted = try writing { try step.deleteSlice($0, limit: settings.retentionSlice) }
            if deleted >= settings.retentionSlice { return true }
        }
        return false
    }
}

/// Logs.
extension SQLiteStore {
    public func readTelemetry(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage {
        try reading { try TelemetryRows.page(query, scanning: settings.scannedRecords, $0) }
    }

    public func readResults(_ query: ResultsQuery) throws(StoreError) -> ResultsReading {
        try reading { try ResultRows.read(query, $0) }
    }

    public func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] {
        try reading { try AuditRows($0).page(query) }
    }

    public func keepConsumer(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin
    ) throws(StoreError) -> ConsumerOutcome {
        try writing { try ConsumerRows($0).keep(name, of: app, at: cursor, origin) }
    }

    public func consumers(of app: String, named name: String?) throws(StoreError) -> [TelemetryConsumer]? {
        try reading { try ConsumerRows($0).all(of: app, named: name) }
    }

    public func deleteConsumer(_ name: String, of app: String, _ origin: ChangeOrigin) throws(StoreError) -> Bool {
        try writing { try ConsumerRows($0).delete(name, of: app, origin) }
    }
}

/// Runs.
extension SQLiteStore {
    public func readRuns(_ query: RunQuery) throws(StoreError) -> [Run] { try reading { try RunRows($0).page(query) } }

    public func readFile(_ name: FileName) throws(StoreError) -> StoredFile? {
        try reading { try FileRows($0).find(name) }
    }
}

/// The outbox.
extension SQLiteStore {
    public func leaseOutbox(_ request: OutboxLeaseRequest) throws(StoreError) -> OutboxLease {
        try writing { try OutboxRows($0).lease(request) }
    }

    public func finishOutbox(_ results: [OutboxResult], of owner: String) throws(StoreError) {
        try writing { database in
            let rows = OutboxRows(database)
            for result in results { try rows.finish(result, of: owner) }
        }
    }

    public func readOutbox(_ query: OutboxQuery) throws(StoreError) -> [OutboxRow] {
        try reading { try OutboxRows($0).page(query) }
    }
}

/// The catalog and the tokens.
extension SQLiteStore {
    public func loadCatalog() throws(StoreError) -> StoredCatalog { try reading { try CatalogRows.load($0) } }

    public func revisions(of slug: String, in app: String) throws(StoreError) -> [StoredDocument] {
        try reading { try CatalogRows.revisions(of: slug, in: app, $0) }
    }

    public func publish(
        _ changes: [CatalogChange], expecting head: CatalogHead, by author: String, at now: Timestamp
    ) throws(StoreError) -> CatalogHead {
        try writing { database in
            let counters = CounterRows(database)
            guard try counters.catalogHead() == head else { throw StoreError.stale }
            let rows = try CatalogRows(database)
            let audit = ChangeAudit(database, author: author, now: now)
            for change in changes {
                // First, for it reads what the change is about to replace.
                try audit.record(change)
                try rows.apply(change)
            }
            let next = CatalogHead(revision: head.revision &+ 1)
            try counters.setCatalogHead(next)
            return next
        }
    }

    public func loadTokens() throws(StoreError) -> StoredTokens {
        try reading { StoredTokens(head: try CounterRows($0).tokenHead(), tokens: try TokenRows($0).load()) }
    }

    @discardableResult
    public func changeTokens(
        _ changes: [TokenChange], expecting head: TokenHead?, by author: String, at now: Timestamp
    ) throws(StoreError) -> TokenHead {
        try writing { database in
            let counters = CounterRows(database)
            var current = try counters.tokenHead()
            if let head {
                guard current == head else { throw StoreError.stale }
                current = TokenHead(revision: head.revision &+ 1)
                try counters.setTokenHead(current)
            }
            let audit = ChangeAudit(database, author: author, now: now)
            for change in changes {
                try audit.record(change)
                try TokenRows(database).apply(change)
            }
            return current
        }
    }
}

/// Changes: all of them are this process'.
extension SQLiteStore {
    public var shared: (any SharedHeads)? { nil }

    public var clock: Clock { .system }
}

/// Health.
extension SQLiteStore {
    /// As the last write went. A failing store tries a small write whenever its health is asked for, so that it is
    /// found healthy again though no client's write reaches it.
    public var health: StoreHealth {
        guard !hasClosed.load(ordering: .acquiring) else { return .failing("the store is closed") }
        guard let reason = failure.withLock({ $0 }) else { return .healthy }
        probe()
        return .failing(reason)
    }

    private func probe() {
        guard !isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        database.asyncWriteWithoutTransaction { [self] database in
            defer { isProbing.store(false, ordering: .releasing) }
            do {
                // Needs pages, as a write that matters would, and leaves them free for it.
                try database.inTransaction(.immediate) {
                    try database.execute(sql: "INSERT INTO probe VALUES (zeroblob(16384))")
                    try database.execute(sql: "DELETE FROM probe")
                    return .commit
                }
                failure.withLock { $0 = nil }
            } catch {
                failure.withLock { $0 = "\(StoreError(error))" }
            }
        }
    }
}

extension RetentionStep {
    /// The steps of a policy, in order.
    fileprivate static func all(_ policy: RetentionPolicy, now: Timestamp) -> [RetentionStep] {
        [
            .telemetry(
                before: now.adding(seconds: -policy.telemetrySeconds),
                unacknowledgedBefore: now.adding(seconds: -max(policy.telemetrySeconds, policy.telemetryHoldSeconds)),
                now: now),
            .eventIDs(before: now.adding(seconds: -policy.eventIDSeconds)),
            .replies(before: now.adding(seconds: -policy.idempotencySeconds)),
            .deadWebhooks(before: now.adding(seconds: -policy.deadWebhookSeconds)),
            .runs(deletedBefore: now.adding(seconds: -policy.deletedRunSeconds)),
        ]
    }
}
