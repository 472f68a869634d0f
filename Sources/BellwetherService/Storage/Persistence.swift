public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import Dispatch
public import Logging
public import Surveys
internal import Synchronization

/// The layer between the routes and a `Store`: the client table, group commit, and the queues of waiting requests.
///
/// All transactions, and all other writes except publishes, run on one serial thread, in group commits. While one batch
/// is made durable, transactions that arrive are gathered for the next. Reads of clients, of logs and of results have a
/// thread each. Completions may be called on any thread and must not block.
public final class Persistence: Sendable {
    public let store: any Store
    /// The feed of changes in the store.
    public let feed: ChangeFeed
    /// The freshness of every look-up for a decision.
    public let freshness: Freshness
    let table: ClientTable
    private let writes: WorkQueue<TransactionWriter.Pending>
    private let changes: WorkQueue<@Sendable () -> Void>
    private let loads: WorkQueue<PendingLoad>
    private let logReads: WorkQueue<@Sendable () -> Void>
    private let resultReads: WorkQueue<@Sendable (_ isClosed: Bool) -> Void>
    let threads: StorageThreads
    let counts: StorageCounts
    private let scannedRecords: Int
    private let isEnforcingRetention = Atomic<Bool>(false)

    static let silent = Logger(label: "bellwether.store") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameters:
    ///   - threads: the threads that do the work; in place, for tests.
    ///   - logger: logs faults of the program; nil means that none are logged.
    ///   - clock: gives the times of changes that owners see; nil means the store's clock.
    public init(
        _ store: any Store, settings: PersistenceSettings = PersistenceSettings(),
        threads: StorageThreads = .ofTheirOwn,
        logger: Logger? = nil, clock: Clock? = nil
    ) {
        let table = ClientTable(bound: settings.clients, absentBound: settings.absentClients)
        let counts = StorageCounts(logger ?? Self.silent)
        let feed = ChangeFeed(store.shared, clock: clock ?? store.clock)
        freshness = store.shared == nil ? .local : .verified
        let writer = TransactionWriter(store: store, table: table, counts: counts, feed: feed)
        (self.store, self.feed, self.table, self.counts, self.threads) = (store, feed, table, counts, threads)
        scannedRecords = settings.scannedRecords
        let writes = WorkQueue(
            BoundedQueue(countBound: settings.waitingTransactions, weightBound: settings.waitingEvents),
            taking: settings.eventsPerCommit, on: threads.writer
        ) { batch in
            writer.commit(batch)
        }
        self.writes = writes
        changes = WorkQueue(BoundedQueue(countBound: settings.waitingTransactions), taking: 1, on: threads.writer) {
            for change in $0 { change() }
        }
        let reader = ClientLoads(store: store, table: table, freshness: freshness)
        loads = WorkQueue(
            BoundedQueue(countBound: settings.waitingReads), taking: ClientLoads.batchSize(freshness),
            on: threads.loader
        ) { reader.load($0) }
        logReads = WorkQueue(BoundedQueue(countBound: settings.waitingReads), taking: 1, on: threads.logs) {
            for read in $0 { read() }
        }
        resultReads = WorkQueue(BoundedQueue(countBound: settings.waitingResults), taking: 1, on: threads.results) {
            // Each may take seconds, and a stop does not wait for it.
            for read in $0 { read(writes.isClosed) }
        }
    }

    public var statistics: PersistenceStatistics {
        var statistics = counts.statistics
        statistics.queues = [
            writes.depth("submissions"), changes.depth("changes"), loads.depth("loads"), logReads.depth("telemetry"),
            resultReads.depth("results"),
        ]
        statistics.clients = table.occupancy.known
        return statistics
    }

    /// Called after each commit that added webhooks. Set once, before the first write.
    public func observeOutbox(_ observer: @escaping @Sendable () -> Void) { counts.observeOutbox(observer) }

    /// A publish has added webhooks.
    func notePublishedWebhooks() {
        feed.journal.note(.webhooks)
        counts.notifyOutbox()
    }

    /// Completes queued work, refuses later work, and then closes the store. A completion must not call it.
    public func close() {
        guard writes.close() else { return }
        feed.close()
        loads.close()
        logReads.close()
        changes.close()
        resultReads.close()
        threads.wait(threads.writer) { [self] in
            writes.finish()
            changes.finish()
        }
        threads.wait(threads.loader) { [self] in loads.finish() }
        threads.wait(threads.logs) { [self] in logReads.finish() }
        store.interruptReads()
        threads.wait(threads.results) { [self] in resultReads.finish() }
        store.close()
    }
}

/// Look-ups and changes of clients.
extension Persistence {
    /// The client in the table in memory, without I/O; `notLoaded` if the table may be out of date.
    public func lookUp(_ client: ClientReference) -> ClientLookup {
        freshness == .local ? table.lookUp(client) : .notLoaded
    }

    /// The user in the table in memory, in the same way.
    public func lookUp(_ user: UserReference) -> ClientLookup {
        freshness == .local ? table.lookUp(user.tableKey) : .notLoaded
    }

    /// The version of the client's row in the table in memory, without I/O. Nil if the table does not hold the client,
    /// or may be out of date.
    public func version(of client: ClientReference) -> UInt64? {
        freshness == .local ? table.version(of: client) : nil
    }

    /// Notes the settled enrollments that a decision without changes has found.
    func settle(_ rows: ReadRows, _ settled: SettledEnrollments) {
        if settled != .none { table.settle(rows.client, at: rows.version, settled) }
    }

    func load(_ pending: PendingLoad) { if let error = loads.add(pending) { pending.fail(error) } }

    /// Queues a transaction for the next group commit. A full queue fails at once with `.overloaded`.
    public func submit<Value>(
        _ transaction: Transaction<Value>, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        let pending = TransactionWriter.Pending(transaction, completion)
        guard let error = writes.add(pending, weight: transaction.weight) else { return }
        if error == .overloaded { counts.countRefusal() }
        completion(.failure(error))
    }

    /// Erases a client or user like `Store.erase`; the log stays as it is. Later requests of the client or user find an
    /// empty state. The same transaction adds an audit record with the digest (`ClientDigest`).
    public func erase(
        _ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ErasureOutcome, StoreError>) -> Void
    ) {
        typealias Erased = (outcome: ErasureOutcome, tallies: [CommittedTally], haveListsChanged: Bool)
        let inform: @Sendable (Result<Erased, StoreError>) -> Void = { [feed] result in
            guard case .success(let erased) = result else { return completion(result.map(\.outcome)) }
            feed.notify(erased.tallies) {
                guard erased.haveListsChanged else { return completion(.success(erased.outcome)) }
                feed.notifyLists { completion(.success(erased.outcome)) }
            }
        }
        change(inform) { [store, table, feed] () throws(StoreError) -> Erased in
            let aliases = try store.aliases(of: person)
            var changed: Set<RowName> = []
            let outcome = try store.erase(person, knownAs: digest, origin) { changed.formUnion($0) }
            let lists = changed.filter { if case .list = $0 { true } else { false } }
            // This is done before the writer begins its next job.
            table.erase(person.tableKey)
            let others = aliases.map { id in
                switch person {
                case .user: ClientReference(app: person.app, id: id)
                case .client: UserReference(app: person.app, id: id).tableKey
                }
            }
            for key in others { table.forget(key) }
            feed.streams.note(erased: ([person.tableKey] + others).map { RowName(tableKey: $0) })
            feed.journal.note(.answers, of: person.app)
            return (outcome, try store.tallies(changed.subtracting(lists)), !lists.isEmpty)
        }
    }

    /// See `Store.aliases`. Queued with reads of telemetry.
    public func aliases(
        of person: Person, _ completion: @escaping @Sendable (Result<[Identifier], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.aliases(of: person) }
    }

    /// See `Store.lists(with:)`. Queued with reads of telemetry.
    func lists(
        with person: Person, _ completion: @escaping @Sendable (Result<[Identifier], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.lists(with: person) }
    }

    /// See `Store.answers`. Queued with reads of telemetry.
    public func answers(
        of clients: [ClientReference], _ completion: @escaping @Sendable (Result<[SurveyResponse], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.answers(of: clients) }
    }
}

/// Reads of logs, and the consumers of logs.
extension Persistence {
    /// Records of one app after a cursor, oldest first, that match the query's filter.
    public func readTelemetry(
        _ query: TelemetryQuery, _ completion: @escaping @Sendable (Result<TelemetryPage, StoreError>) -> Void
    ) {
        var query = query
        query.scanBound = scannedRecords
        read(completion) { [store, query] () throws(StoreError) in try store.readTelemetry(query) }
    }

    /// Records of the audit after a sequence number, oldest first. Queued with reads of telemetry.
    public func readAudit(
        _ query: AuditQuery, _ completion: @escaping @Sendable (Result<[AuditRecord], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.readAudit(query) }
    }

    /// See `Store.verifyAudit`. Queued with reads of results.
    public func verifyAudit(
        _ completion: @escaping @Sendable (Result<Result<AuditChain, AuditFault>, StoreError>) -> Void
    ) {
        readSlowly(completion) { [store] () throws(StoreError) in try store.verifyAudit() }
    }

    /// Records of the audit that match a search, newest first. Queued with reads of telemetry.
    public func searchAudit(
        _ search: AuditSearch, _ completion: @escaping @Sendable (Result<AuditPage, StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.search(search) }
    }

    /// An app's consumers, by name, or the consumer with this name. Nil if nothing was ever stored for the app.
    public func consumers(
        of app: Identifier, named name: Identifier?,
        _ completion: @escaping @Sendable (Result<[TelemetryConsumer]?, StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.consumers(of: app, named: name) }
    }

    /// See `Store.keepConsumer`.
    public func keepConsumer(
        _ name: Identifier, of app: Identifier, at cursor: TelemetryCursor, onlyExpired: Bool = false,
        _ origin: ChangeOrigin, _ completion: @escaping @Sendable (Result<ConsumerOutcome, StoreError>) -> Void
    ) {
        change(completion) { [store] () throws(StoreError) in
            try store.keepConsumer(name, of: app, at: cursor, onlyExpired: onlyExpired, origin)
        }
    }

    /// Deletes a consumer. Completes with false if there was none.
    public func deleteConsumer(
        _ name: Identifier, of app: Identifier, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        change(completion) { [store] () throws(StoreError) in try store.deleteConsumer(name, of: app, origin) }
    }

    /// Runs of one recipe, newest first. Queued with reads of telemetry.
    public func readRuns(
        _ query: RunQuery, _ completion: @escaping @Sendable (Result<[Run], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.readRuns(query) }
    }

    /// A page of a list of runs, newest first. A search with a filter is queued with reads of results, others with
    /// reads of telemetry.
    public func searchRuns(
        _ query: RunQuery, _ filter: RunFilter,
        _ completion: @escaping @Sendable (Result<RunPage, StoreError>) -> Void
    ) {
        guard !filter.isEmpty else {
            return read(completion) { [store] () throws(StoreError) in try store.searchRuns(query, filter) }
        }
        readSlowly(completion) { [store] () throws(StoreError) in try store.searchRuns(query, filter) }
    }

    /// A page of the table `responses` or `answers`, as a file. Queued with reads of results.
    public func readTable(
        _ read: @escaping @Sendable (any Store) throws(StoreError) -> (file: [UInt8], next: ResponseCursor?),
        _ completion: @escaping @Sendable (Result<(file: [UInt8], next: ResponseCursor?), StoreError>) -> Void
    ) {
        readSlowly(completion) { [store] () throws(StoreError) in try read(store) }
    }

    /// The numbers of runs of an app's recipes, by slug. Queued with reads of results.
    public func runCounts(
        of slugs: [Identifier], in app: Identifier,
        _ completion: @escaping @Sendable (Result<[Identifier: RunCounts], StoreError>) -> Void
    ) {
        readSlowly(completion) { [store] () throws(StoreError) in try store.runCounts(of: slugs, in: app) }
    }

    /// Adds up all runs of a query, page by page. Queued with reads of results.
    public func foldRuns<Value: Sendable>(
        _ query: RunQuery, into value: Value, _ add: @escaping @Sendable (inout Value, Run) -> Void,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        readSlowly(completion) { [store] () throws(StoreError) in
            var value = value
            try store.eachPage(query) { runs in
                for run in runs { add(&value, run) }
                return true
            }
            return value
        }
    }

    /// See `Store.readResults`. Queued with other reads of results.
    public func readResults<Results: RunResults>(
        _ query: RunResultsQuery, into results: Results,
        _ completion: @escaping @Sendable (Result<BrokenDown<Results>, StoreError>) -> Void
    ) {
        readSlowly(completion) { [store] () throws(StoreError) in try store.readBrokenDown(query, into: results) }
    }

    /// A run by its id, also a deleted one. Nil if there is none.
    public func readRun(
        _ run: RunReference, _ completion: @escaping @Sendable (Result<Run?, StoreError>) -> Void
    ) {
        inquire([.run(run)], { .done($0.run(run)) }, completion)
    }

    /// See `Store.readFile`. Queued with reads of telemetry.
    public func readFile(
        _ name: FileName, _ completion: @escaping @Sendable (Result<StoredFile?, StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.readFile(name) }
    }

    /// Computes a value from the present rows; nothing is written. Queued with reads of telemetry.
    public func inquire<Value: Sendable>(
        _ names: [RowName], _ inquiry: @escaping @Sendable (TransactionRows) -> Inquiry<Value>,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        read(completion) { [store, counts] () throws(StoreError) in
            var (missing, rows) = (names, TransactionRows())
            for _ in 0...TransactionRows.maximumRounds {
                let reading = try store.read(RowQuery(names: missing))
                for (name, row) in zip(missing, reading.rows) { rows.enter(name, try row.get()?.value) }
                switch inquiry(rows) {
                case .done(let value) where rows.readUnnamed.isEmpty: return value
                case .done: missing = rows.readUnnamed
                case .needs(let more): missing = more
                }
            }
            counts.addFault("a question asked for rows too often")
            throw .rejected("a question asked for rows too often")
        }
    }

    /// Counts the results of a recipe's messages. It has a thread of its own, because it may take seconds and other
    /// reads take microseconds.
    public func readResults(
        _ query: ResultsQuery, _ completion: @escaping @Sendable (Result<ResultsReading, StoreError>) -> Void
    ) {
        readSlowly(completion) { [store] () throws(StoreError) in try store.readResults(query) }
    }

    /// See `Store.census`. Queued with reads of results.
    func census(_ completion: @escaping @Sendable (Result<SlotCensus, StoreError>) -> Void) {
        readSlowly(completion) { [store] () throws(StoreError) in try store.census() }
    }

    /// Deletes the data that the policy no longer keeps, in slices between which others write. It does nothing if
    /// another run is under way.
    public func enforceRetention(
        _ policy: RetentionPolicy, now: Timestamp, _ completion: @escaping @Sendable () -> Void = {}
    ) {
        guard !isEnforcingRetention.exchange(true, ordering: .acquiringAndReleasing) else { return completion() }
        deleteSlice(policy, now: now, completion)
    }

    private func deleteSlice(_ policy: RetentionPolicy, now: Timestamp, _ completion: @escaping @Sendable () -> Void) {
        change { [self] (result: Result<Bool, StoreError>) in
            if case .success(true) = result { return deleteSlice(policy, now: now, completion) }
            isEnforcingRetention.store(false, ordering: .releasing)
            completion()
        } _: { [store] () throws(StoreError) in
            try store.deleteExpired(policy, now: now)
        }
    }

    func read<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) {
        if let error = logReads.add({ completion(Result(catching: body)) }) { completion(.failure(error)) }
    }

    /// Reads what may take seconds. Nothing is read after the store was closed.
    private func readSlowly<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) {
        let error = resultReads.add { isClosed in
            completion(isClosed ? .failure(.closed) : Result(catching: body))
        }
        if let error { completion(.failure(error)) }
    }

    func change<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) {
        if let error = changes.add({ completion(Result(catching: body)) }) { completion(.failure(error)) }
    }
}

/// The outbox.
extension Persistence {
    /// See `Store.leaseOutbox`.
    func leaseOutbox(
        _ request: OutboxLeaseRequest, _ completion: @escaping @Sendable (Result<OutboxLease, StoreError>) -> Void
    ) {
        change(completion) { [store] () throws(StoreError) in try store.leaseOutbox(request) }
    }

    /// See `Store.finishOutbox`.
    func finishOutbox(
        _ results: [OutboxResult], of owner: Identifier,
        _ completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        change(completion) { [store, feed] () throws(StoreError) in
            try store.finishOutbox(results, of: owner)
            feed.journal.note(.webhooks)
        }
    }

    /// See `Store.retryWebhook`. The webhook is sent as soon as its host has room.
    public func retryWebhook(
        _ id: Identifier, of app: Identifier, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<WebhookRetry, StoreError>) -> Void
    ) {
        let finish: @Sendable (Result<WebhookRetry, StoreError>) -> Void = { [counts] outcome in
            if case .success(.waits) = outcome { counts.notifyOutbox() }
            completion(outcome)
        }
        change(finish) { [store] () throws(StoreError) in try store.retryWebhook(id, of: app, origin) }
    }

    /// An app's webhooks that wait or were given up, newest first. Queued with reads of telemetry.
    public func readOutbox(
        _ query: OutboxQuery, _ completion: @escaping @Sendable (Result<[OutboxRow], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.readOutbox(query) }
    }
}

/// The threads of a `Persistence`.
public struct StorageThreads: Sendable {
    typealias Executor = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

    let writer: Executor
    let loader: Executor
    let logs: Executor
    let results: Executor

    /// Four serial threads of the system. The writer has a lower priority than the threads that serve requests.
    /// Transactions that wait longer are gathered into fewer commits
    /// (docs/decisions/archive/0029-the-writer-thread-runs-at-background-priority.md).
    public static var ofTheirOwn: StorageThreads {
        func thread(_ name: String) -> Executor {
            let queue = DispatchQueue(label: "bellwether.store.\(name)")
            return { queue.async(execute: $0) }
        }
        let writer = thread("writer")
        return StorageThreads(
            writer: { job in
                writer {
                    BackgroundPriority.enter()
                    job()
                }
            }, loader: thread("loads"), logs: thread("telemetry"), results: thread("results"))
    }

    /// All work is done on the calling thread: for tests with one thread.
    public static var inPlace: StorageThreads {
        StorageThreads(writer: { $0() }, loader: { $0() }, logs: { $0() }, results: { $0() })
    }

    /// Runs a job after those that wait, and waits for its end.
    func wait(_ execute: Executor, _ job: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        execute {
            job()
            done.signal()
        }
        done.wait()
    }
}
