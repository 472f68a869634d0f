internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
internal import Dispatch
internal import PostgresWire
internal import StoreTables
internal import Surveys
internal import Synchronization

/// The store in a PostgreSQL database, for several daemons on several machines.
///
/// Each function uses a connection only while it runs (`ConnectionPool`). A write that has returned is durable: the
/// store refuses to connect to a server that could lose it.
public final class PostgresStore: Store {
    private static let readSeconds = 5.0
    static let scanSeconds = 30.0
    /// The maximum number of attempts of a write that another transaction or a lost connection interrupts.
    private static let attempts = 8
    private static let readAttempts = 3
    private static let firstPauseMilliseconds = 2
    /// The number of writes after which old rows of table `batch` are deleted. A writer queries its row within seconds.
    private static let writesPerCleaning = 500

    public let turn = WriteTurn()
    private let pool: ConnectionPool
    private let heads: StoreHeadsReader
    private let measured = Mutex(StoreTimings())
    /// The reason why the last write failed; nil if it did not fail.
    private let failure = Mutex<String?>(nil)
    private let isProbing = Atomic<Bool>(false)
    private let writes = Atomic<Int>(0)
    /// The apps that are known to have a row. The row of an app is never deleted.
    private let apps = Mutex<Set<Identifier>>([])
    let installation: Database.Installation
    private let durability: StoreDurability

    init(_ database: Database) throws(StoreError) {
        let pool = ConnectionPool {
            let connection = try database.connect()
            try Lineage.follow(connection)
            return connection
        }
        self.pool = pool
        durability = database.durability
        do { installation = try database.settle(try database.connect()) } catch { throw StoreError(error) }
        heads = StoreHeadsReader(pool) { () throws(StoreError) in
            let rows: [FoundRow]
            do {
                rows = try pool.use { connection in
                    try PostgresSession(connection: connection, seconds: Self.scanSeconds)
                        .findRows(.tokens, limit: .max)
                }
            } catch { throw StoreError(error) }
            return TokenHead(rows.compactMap { if case .success(.token(let token)) = $0.value { token } else { nil } })
        }
        // Reads the database's time. If the server is slow, a later poll reads it.
        _ = try? heads.heads()
    }

    public func interruptReads() { pool.interruptReads() }

    public func close() {
        heads.close()
        pool.close()
    }

    /// Repeats a read if its connection was lost, or if another transaction conflicted with it.
    private func reading<Value>(_ body: (PostgresConnection) throws -> Value) throws(StoreError) -> Value {
        var last: any Error = StoreError.closed
        for attempt in 0..<Self.readAttempts {
            if attempt > 0 { Self.pause(attempt) }
            do {
                return try pool.use(isReading: true, body)
            } catch let error as PostgresError where error.isOfServer {
                pool.forget()
                last = error
            } catch let error as PostgresError where error.isOfConcurrency {
                last = error
            } catch {
                throw StoreError(error)
            }
        }
        throw StoreError(last)
    }
}

/// Reads and writes of rows.
extension PostgresStore {
    /// Reads with statements that both stores have.
    private func scanning<Value>(
        seconds: Double = scanSeconds, _ body: (PostgresSession) throws -> Value
    ) throws(StoreError) -> Value {
        try reading { try body(PostgresSession(connection: $0, seconds: seconds)) }
    }

    public func read(_ query: RowQuery) throws(StoreError) -> RowReading {
        try reading { try RowReader(connection: $0, seconds: Self.readSeconds).read(query) }
    }

    public func versions(of names: [RowName]) throws(StoreError) -> [UInt64] {
        try reading { try RowReader(connection: $0, seconds: Self.readSeconds).versions(of: names) }
    }

    public func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] {
        try scanning { try $0.findRows(index, limit: limit) }
    }

    public func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int {
        try scanning { try $0.count(index, limit: limit) }
    }

    public func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        let begin = DispatchTime.now().uptimeNanoseconds
        do throws(StoreError) {
            let outcomes = try attempt(groups)
            failure.withLock { $0 = nil }
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
            measured.withLock { timings in
                timings.batchSeconds.observe(seconds)
                timings.commitSeconds.observe(seconds)
            }
            return outcomes
        } catch {
            if case .unavailable = error { failure.withLock { $0 = error.reason } }
            throw error
        }
    }

    private func attempt(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        var last: any Error = StoreError.overloaded
        for attempt in 0..<Self.attempts {
            if attempt > 0 { Self.pause(attempt) }
            let batch = WriteBatch()
            let writing = GroupWriting(groups, batch: batch.id, durability: durability)
            do {
                return try pool.use { try finish(writing, $0) }
            } catch let error as PostgresError where error.isOfServer {
                pool.forget()
                last = error
                guard let outcomes = writing.outcomes else { continue }
                if try isCommitted(batch) { return outcomes }
            } catch let error as PostgresError where error.isOfConcurrency {
                last = error
            } catch {
                throw StoreError(error)
            }
        }
        throw StoreError(last)
    }

    private func finish(_ write: GroupWriting, _ connection: PostgresConnection) throws -> [WriteOutcome] {
        let (outcomes, new) = try write.write(on: connection) { app in apps.withLock { $0.contains(app) } }
        if !new.isEmpty { apps.withLock { $0.formUnion(new) } }
        if writes.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: Self.writesPerCleaning) {
            // A failure here is ignored, because this statement is not part of the write.
            _ = try? connection.run([WriteBatch.cleaning], seconds: Self.readSeconds)
        }
        return outcomes
    }

    /// Whether a write whose result was lost was committed.
    private func isCommitted(_ batch: WriteBatch) throws(StoreError) -> Bool {
        var last: any Error = StoreError.closed
        for attempt in 0..<Self.attempts {
            if attempt > 0 { Self.pause(attempt + 3) }
            do {
                return try pool.use { try batch.isCommitted($0) }
            } catch let error as PostgresError {
                pool.forget()
                last = error
            } catch {
                last = error
            }
        }
        throw StoreError(last)
    }

    /// Waits for a random time that grows with each attempt, so that conflicting writers do not conflict again.
    private static func pause(_ attempt: Int) {
        let bound = firstPauseMilliseconds << min(attempt, 8)
        let milliseconds = Int.random(in: bound / 2...bound)
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
    }
}

/// Access to the logs and the catalog.
extension PostgresStore {
    public func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs {
        try reading { try LogReader(connection: $0).logs(query) }
    }

    public func records(_ range: RecordRange) throws(StoreError) -> RecordPage {
        try reading { try LogReader(connection: $0).records(range) }
    }

    public func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] {
        try reading { try LogReader(connection: $0).audit(query) }
    }

    public func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int {
        do { return try pool.use { try range.delete($0, limit: limit) } } catch { throw StoreError(error) }
    }

    public func readResultRows<Value>(
        _ query: ResultsQuery, _ body: (any ResultRows) throws -> Value
    ) throws(StoreError) -> Value {
        try scanning(seconds: 60) { try $0.snapshot { try body(SQLResultRows(query, $0)) } }
    }

    public func census() throws(StoreError) -> SlotCensus {
        try scanning(seconds: 300) { try $0.snapshot { try $0.census() } }
    }

    public func loadCatalog() throws(StoreError) -> StoredCatalog {
        try scanning { try $0.snapshot { try $0.loadCatalog() } }
    }
}

/// The heads and the clock that all daemons share.
extension PostgresStore {
    public var shared: (any SharedHeads)? { heads }

    public var clock: Clock { heads.clock }
}

/// The health of the store.
extension PostgresStore {
    /// The status that the last write left. If that write failed, each call also starts a small write.
    public var status: StoreStatus { StoreStatus(health: health(), timings: measured.withLock { $0 }) }

    private func health() -> StoreHealth {
        guard let reason = failure.withLock({ $0 }) else { return .healthy }
        probe()
        return .failing(reason)
    }

    private func probe() {
        guard !isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            defer { isProbing.store(false, ordering: .releasing) }
            do {
                try pool.use { connection in
                    let settings = try connection.run([durability.question], seconds: Self.readSeconds)[0][0]
                    if let fault = durability.fault(settings) { throw StoreError.unavailable(fault) }
                    _ = try WriteBatch().isCommitted(connection)
                }
                failure.withLock { $0 = nil }
            } catch {
                pool.forget()
                failure.withLock { $0 = StoreError(error).reason }
            }
        }
    }
}
