public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import BellwetherService
internal import SQLiteStore
internal import SQLiteWire
internal import Synchronization

/// An SQLite store in memory, whose failures tests choose.
///
/// Closing does not delete its content, so that a test can open a copy.
public final class TestStore: Store {
    /// The way in which processes share the store.
    public enum Sharing: Sendable {
        case ofOneProcess
        /// Processes poll the store for changes.
        case asked
        /// The store also notifies after each commit.
        case notifying
    }

    private struct State {
        var isClosed = false
        var failure: StoreError?
        /// The failure of writes only.
        var writeFailure: StoreError?
        /// The write by another process that runs before the next write.
        var meddler: (@Sendable () -> Void)?
        /// The store's time; nil means the time of the process.
        var time: Timestamp?
        var observers: [@Sendable () -> Void] = []
        var results: ResultsReading?
        var tokenUses = 0
        var rowsRead = 0
    }

    /// An empty database. Its copy is made in less than a millisecond, its schema in 30.
    private static let empty = makeStore()

    private let database: SQLiteStore
    private let sharing: Sharing
    private let state = Mutex(State())
    /// The turns of this process, and of the other process that writes in `beforeNextWrite`.
    private let turns = (own: WriteTurn(), other: WriteTurn())
    private let isOther = Atomic<Bool>(false)
    public var turn: WriteTurn { isOther.load(ordering: .relaxed) ? turns.other : turns.own }

    /// - Parameter fault: SQL that gives the store a fault, such as a trigger.
    public init(sharing: Sharing = .ofOneProcess, fault: String? = nil) {
        database = Self.makeStore(copying: Self.empty)
        self.sharing = sharing
        guard let fault else { return }
        do { try database.database.useWriter { try $0.execute(fault) } } catch { preconditionFailure("\(error)") }
    }

    /// Another store with the same content.
    public init(copying other: TestStore) {
        database = Self.makeStore(copying: other.database)
        sharing = other.sharing
    }

    private static func makeStore(copying other: SQLiteStore? = nil) -> SQLiteStore {
        do { return try SQLiteStore(inMemoryCopying: other) } catch { preconditionFailure("\(error)") }
    }

    private func access<Value>(_ body: (SQLiteStore) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let failure = state.withLock { $0.isClosed ? .closed : $0.failure }
        if let failure { throw failure }
        return try body(database)
    }

    public var status: StoreStatus {
        StoreStatus(health: state.withLock { $0.failure } == nil ? .healthy : .failing("as the test wants"))
    }

    public func interruptReads() {}
    public func close() { state.withLock { $0.isClosed = true } }
}

/// What tests set and read.
extension TestStore {
    /// The number of writes of a token's last use.
    public var tokenUses: Int { state.withLock { $0.tokenUses } }

    /// The number of rows that were read.
    public var rowsRead: Int { state.withLock { $0.rowsRead } }

    /// The stored state of a client.
    public func state(of client: ClientReference) -> [UInt8]? {
        guard case .client(let state)? = value(of: .client(client)) else { return nil }
        return state.encoded()
    }

    private func value(of name: RowName) -> RowValue? {
        (try? database.read(RowQuery(names: [name])).rows.first?.get())??.value
    }

    /// All records, each as one line.
    public var records: [String] {
        let logs = (try? database.logs(LogQuery(app: nil)).logs) ?? []
        let rows = logs.flatMap { log in
            (try? database.records(RecordRange(app: log.app, after: 0, limit: .max)).rows) ?? []
        }
        return rows.sorted { $0.cursor.number < $1.cursor.number }
            .map { "\($0.at) \($0.clientID) \($0.category).\($0.name) \($0.extra)" }
    }

    /// Lets all calls fail with this error from now on; nil lets them succeed again.
    public func fail(_ error: StoreError?) { state.withLock { $0.failure = error } }

    /// Lets writes of rows, but not reads, fail from now on; nil lets them succeed again.
    public func failWrites(_ error: StoreError?) { state.withLock { $0.writeFailure = error } }

    /// Sets a write by another process, which runs just before the next write.
    public func beforeNextWrite(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.meddler = body } }

    /// Deletes the records of all apps up to a number.
    public func expire(upTo cursor: Int64) {
        for log in (try? database.logs(LogQuery(app: nil)).logs) ?? [] {
            _ = try? database.delete(.records(app: log.app, through: cursor, until: nil), limit: .max)
        }
    }

    /// Adds a record to the log, as if a request had recorded it.
    public func log(_ record: TelemetryRecord, of app: Identifier = "app") {
        var group = WriteGroup()
        group.records = [.init(app: app, record: record, receivedAt: record.at)]
        _ = try? database.write([group])
    }

    /// Sets the results that are read from now on.
    public func answerResults(_ reading: ResultsReading) { state.withLock { $0.results = reading } }

    /// Stops the store's clock at a time, until the next call.
    public func set(time now: Timestamp) { state.withLock { $0.time = now } }
}

/// Rows.
extension TestStore {
    public func read(_ query: RowQuery) throws(StoreError) -> RowReading {
        state.withLock { $0.rowsRead += query.names.count }
        return try access { database throws(StoreError) in try database.read(query) }
    }

    public func versions(of names: [RowName]) throws(StoreError) -> [UInt64] {
        try access { database throws(StoreError) in try database.versions(of: names) }
    }

    public func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] {
        try access { database throws(StoreError) in try database.find(index, limit: limit) }
    }

    public func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int {
        try access { database throws(StoreError) in try database.count(index, limit: limit) }
    }

    public func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        if let meddle = state.withLock({ $0.meddler.take() }) {
            isOther.store(true, ordering: .relaxed)
            meddle()
            isOther.store(false, ordering: .relaxed)
        }
        let outcomes = try access { database throws(StoreError) in
            if let failure = state.withLock({ $0.writeFailure }) { throw failure }
            let uses = groups.flatMap(\.rows).filter(isUse).count
            let outcomes = try database.write(groups)
            state.withLock { $0.tokenUses += uses }
            return outcomes
        }
        if sharing == .notifying { for observer in state.withLock({ $0.observers }) { observer() } }
        return outcomes
    }

    /// Whether the row changes the last use of a token.
    private func isUse(_ row: RowWrite) -> Bool {
        guard case .token(let new)? = row.value, case .token(let old)? = value(of: row.name) else { return false }
        return new.token.lastUsedAt != old.token.lastUsedAt
    }
}

/// Logs and the catalog.
extension TestStore {
    public func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs {
        try access { database throws(StoreError) in try database.logs(query) }
    }

    public func records(_ range: RecordRange) throws(StoreError) -> RecordPage {
        try access { database throws(StoreError) in try database.records(range) }
    }

    public func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] {
        try access { database throws(StoreError) in try database.readAudit(query) }
    }

    public func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int {
        try access { database throws(StoreError) in try database.delete(range, limit: limit) }
    }

    public func readResultRows<Value>(
        _ query: ResultsQuery, _ body: (any ResultRows) throws -> Value
    ) throws(StoreError) -> Value {
        try access { database throws(StoreError) in
            // `readResults` makes a `ResultsReading` of the rows.
            if let reading = state.withLock({ $0.results }) as? Value { return reading }
            return try database.readResultRows(query, body)
        }
    }

    public func census() throws(StoreError) -> SlotCensus {
        try access { database throws(StoreError) in try database.census() }
    }

    public func loadCatalog() throws(StoreError) -> StoredCatalog {
        try access { database throws(StoreError) in try database.loadCatalog() }
    }
}

/// The heads of the store, for tests in which several processes share it.
extension TestStore: SharedHeads {
    public var shared: (any SharedHeads)? { sharing == .ofOneProcess ? nil : self }

    public var clock: Clock { Clock { [self] in state.withLock { $0.time } ?? Clock.system.now() } }

    public var clockDifference: ClockDifference { .none }

    public func heads() throws(StoreError) -> StoreHeads {
        try access { database throws(StoreError) in
            let tokens = try database.find(.tokens, limit: .max).compactMap { row in
                if case .success(.token(let token)) = row.value { token } else { nil }
            }
            return StoreHeads(
                catalog: CatalogHead(revision: try database.versions(of: [.catalog])[0]), tokens: TokenHead(tokens),
                newestRecord: try database.logs(LogQuery(app: nil)).ranges.newest)
        }
    }

    public func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(observer) } }
}

extension StoredCatalog {
    /// The catalog of a store after these changes.
    public init(_ changes: [CatalogChange]) {
        let store = TestStore()
        var group = WriteGroup()
        group.catalog = changes
        do {
            _ = try store.write([group])
            self = try store.loadCatalog()
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
