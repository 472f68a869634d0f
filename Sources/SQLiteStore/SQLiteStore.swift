import BellwetherBase
import BellwetherCore
public import BellwetherService
import Dispatch
package import SQLiteWire
import StoreTables
import Surveys
import Synchronization

/// The store in one SQLite file, for one daemon on one machine.
///
/// All writes go through one writer connection, one after another; reads have their own connections. A commit is
/// durable when it returns: `synchronous` is FULL.
public final class SQLiteStore: Store {
    public let turn = WriteTurn()
    package let database: SQLitePool
    private let measured = Mutex(StoreTimings())
    /// The reason why the last write failed; nil if it succeeded.
    private let failure = Mutex<String?>(nil)
    private let isProbing = Atomic<Bool>(false)
    private let hasClosed = Atomic<Bool>(false)
    /// Nil in memory, as `lock` is.
    private let folder: WALCheckpointer?
    private let lock: DirectoryLock?

    /// Opens the database of a data directory, or makes both. Fails with `.unusable` and the remedy.
    /// - Parameters:
    ///   - background: The queue on which the log is folded into the file.
    ///   - postpone: Schedules the next attempt to empty a log that a reader still uses.
    public init(
        directory: String, settings: SQLiteStoreSettings = SQLiteStoreSettings(),
        background: BackgroundQueue = BackgroundQueue(), postpone: @escaping Postponement = SQLiteStore.inASecond
    ) throws(StoreError) {
        try DatabaseFile.makeDirectory(directory)
        lock = try DirectoryLock(directory: directory)
        let file = DatabaseFile(directory: directory)
        let hadLog = file.hasLog
        database = try file.open(settings)
        let folder = try WALCheckpointer(file, due: settings.foldedPages, queue: background, postpone: postpone) {
            [database] in
            database.useWriterLater { _ = try? $0.checkpoint(.passive) }
        }
        database.useWriter { folder.watch($0) }
        self.folder = folder
        // The log of a daemon that was killed may still have data that the daemon had erased.
        if hadLog { folder.truncate() }
    }

    /// Makes a store in memory, empty or with the content of another one. It is lost with the process.
    package init(inMemoryCopying other: SQLiteStore?) throws {
        database = try SQLitePool(inMemoryCopying: other?.database)
        (folder, lock) = (nil, nil)
        guard other == nil else { return }
        try database.useWriter { database in
            // The identity, which tests know.
            try database.execute("PRAGMA user_version = 1")
            try Migrations.apply(to: database)
            try CursorRangeRows.settle(database)
        }
    }

    public static let inASecond: Postponement = { job in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1, execute: job)
    }

    /// The rights of other users of the machine to a data directory and its files, a sentence each.
    public static func accessWarnings(of directory: String) -> [String] {
        let database = DatabaseFile(directory: directory).path
        let files = DatabaseFile.suffixes.map { database + $0 } + [directory + "/secret"]
        return ([directory] + files).compactMap(OwnerOnly.warning)
    }

    public func interruptReads() { database.interrupt() }

    /// Closes the store. After the last transaction the log is folded into the file.
    public func close() {
        guard !hasClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        folder?.close()
        // This comes after the last read, because a reader would keep its part of the log. Pages that cannot be folded
        // are read at the next start.
        database.useWriter { database in
            // This ends an interruption, which would otherwise interrupt the fold.
            _ = try? database.execute("SELECT 1")
            _ = try? database.checkpoint(.truncate)
        }
        database.close()
        lock?.release()
    }

    private func reading<Value>(_ body: (SQLiteConnection) throws -> Value) throws(StoreError) -> Value {
        guard !hasClosed.load(ordering: .acquiring) else { throw .closed }
        do { return try database.read(body) } catch { throw StoreError(error) }
    }

    /// Runs one transaction. A failure that its content caused does not change the store's health.
    private func writing<Value>(_ body: (SQLiteConnection) throws -> Value) throws(StoreError) -> Value {
        guard !hasClosed.load(ordering: .acquiring) else { throw .closed }
        do {
            let value = try database.write(body)
            failure.withLock { $0 = nil }
            return value
        } catch {
            let error = StoreError(error)
            if case .unavailable = error { failure.withLock { $0 = error.reason } }
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

    public func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] {
        try reading { try $0.find(index, limit: limit) }
    }

    public func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int {
        try reading { try $0.count(index, limit: limit) }
    }

    public func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        let begin = DispatchTime.now().uptimeNanoseconds
        var written = begin
        let outcomes = try writing { database in
            let rows = try StoredRows(database)
            var apps = AppKeys()
            let outcomes = try groups.map { try rows.write($0, apps: &apps) }
            written = DispatchTime.now().uptimeNanoseconds
            return outcomes
        }
        let end = DispatchTime.now().uptimeNanoseconds
        measured.withLock { timings in
            timings.batchSeconds.observe(Double(end - begin) / 1e9)
            timings.commitSeconds.observe(Double(end - written) / 1e9)
        }
        // The log still has the erased data until it restarts.
        if groups.contains(where: \.isErasure) { folder?.truncate() }
        return outcomes
    }
}

/// Logs.
extension SQLiteStore {
    public func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs {
        try reading { try LogReading($0).logs(query) }
    }

    public func records(_ range: RecordRange) throws(StoreError) -> RecordPage {
        try reading { try LogReading($0).records(range) }
    }

    public func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] {
        try reading { try AuditRows($0).page(query) }
    }

    public func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int {
        try writing { try range.delete($0, limit: limit) }
    }

    public func readResultRows<Value>(
        _ query: ResultsQuery, _ body: (any ResultRows) throws -> Value
    ) throws(StoreError) -> Value {
        try reading { try body(SQLResultRows(query, $0)) }
    }

    public func census() throws(StoreError) -> SlotCensus { try reading { try $0.census() } }

    public func loadCatalog() throws(StoreError) -> StoredCatalog { try reading { try $0.loadCatalog() } }
}

/// Changes: only this process makes them.
extension SQLiteStore {
    public var shared: (any SharedHeads)? { nil }

    public var clock: Clock { .system }
}

/// Health.
extension SQLiteStore {
    /// The result of the last write. A failing store tries a small write at each health check: it becomes healthy again
    /// even if no client's write reaches it.
    public var status: StoreStatus { StoreStatus(health: currentHealth, timings: measured.withLock { $0 }) }

    private var currentHealth: StoreHealth {
        guard !hasClosed.load(ordering: .acquiring) else { return .failing("the store is closed") }
        guard let reason = failure.withLock({ $0 }) else { return .healthy }
        probe()
        return .failing(reason)
    }

    private func probe() {
        guard !isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        database.useWriterLater { [self] database in
            defer { isProbing.store(false, ordering: .releasing) }
            do {
                // The probe needs pages, as a real write does, and frees them again.
                try database.transaction {
                    try database.execute("INSERT INTO probe VALUES (zeroblob(16384))")
                    try database.execute("DELETE FROM probe")
                }
                failure.withLock { $0 = nil }
            } catch {
                failure.withLock { $0 = StoreError(error).reason }
            }
        }
    }
}
