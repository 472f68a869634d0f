internal import BellwetherBase
internal import BellwetherService
internal import Dispatch
internal import PostgresWire
internal import Synchronization

/// The heads of the database, and the database's time.
///
/// The heads are polled; a notification triggers an earlier poll. It may never arrive: a connection pooler delivers
/// none.
final class StoreHeadsReader: SharedHeads {
    static let channel = "bellwether"

    /// The time limit of a poll. The result of a longer poll would be older than a second.
    private static let seconds = 0.9
    /// The clock follows the database's clock if they differ by more than this. Each poll measures the difference, but
    /// not exactly.
    private static let toleratedNanoseconds: Int64 = 20_000_000
    private static let statement = PostgresStatement(
        """
        SELECT (SELECT version FROM head WHERE name = 'catalog'), (SELECT version FROM head WHERE name = 'tokens'),
            (SELECT max(cursor) FROM telemetry), (extract(epoch FROM clock_timestamp()) * 1000000)::int8,
            (SELECT renewals FROM lineage), (SELECT timeline FROM lineage) = \(Lineage.timeline)
        """)

    private let pool: ConnectionPool
    private let loadTokens: @Sendable () throws(StoreError) -> TokenHead
    /// The head of the tokens, with its version in the database.
    private let tokens = Mutex<(version: Int64, head: TokenHead)?>(nil)
    private let offset = Atomic<Int64>(0)
    private let isClosed = Atomic<Bool>(false)

    init(_ pool: ConnectionPool, loadTokens: @escaping @Sendable () throws(StoreError) -> TokenHead) {
        (self.pool, self.loadTokens) = (pool, loadTokens)
    }

    /// The number of nanoseconds by which the database's clock is ahead of the process's clock.
    private var clockOffset: Int64 { offset.load(ordering: .relaxed) }

    var clockDifference: ClockDifference { ClockDifference(nanoseconds: clockOffset) }

    var clock: Clock {
        Clock(nanoseconds: { [self] in Clock.system.nanoseconds() + offset.load(ordering: .relaxed) })
    }

    func heads() throws(StoreError) -> StoreHeads {
        do {
            let row = try pool.use { connection in
                let begin = Clock.system.nanoseconds()
                let row = try connection.run([Self.statement], seconds: Self.seconds)[0][0]
                measure(row.integer(3) * 1000, begin, Clock.system.nanoseconds())
                // Behind a connection pooler, the server can change while the connection stays the same.
                guard row.integer(4) == connection.mark, row.integer(5) != 0 else { throw StoreError.stale }
                return (catalog: row.integer(0), tokens: row.integer(1), record: row.integer(2))
            }
            return StoreHeads(
                catalog: CatalogHead(revision: UInt64(clamping: row.catalog)), tokens: try tokenHead(row.tokens),
                newestRecord: row.record)
        } catch {
            pool.forget()
            throw StoreError(error)
        }
    }

    /// A rule above the store defines the head of the tokens. So it is computed from the tokens, if their version has
    /// changed.
    private func tokenHead(_ version: Int64) throws(StoreError) -> TokenHead {
        if let known = tokens.withLock({ $0 }), known.version == version { return known.head }
        let head = try loadTokens()
        tokens.withLock { $0 = (version, head) }
        return head
    }

    private func measure(_ time: Int64, _ begin: Int64, _ end: Int64) {
        let found = time - (begin + (end - begin) / 2)
        guard abs(found - clockOffset) > Self.toleratedNanoseconds + (end - begin) / 2 else { return }
        offset.store(found, ordering: .relaxed)
    }

    func observe(_ observer: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "bellwether.store.notifications").async { [self] in
            while !isClosed.load(ordering: .relaxed) {
                do { try listen(observer) } catch { pause() }
            }
        }
    }

    private func listen(_ observer: () -> Void) throws {
        let connection = try pool.open()
        _ = try connection.run([PostgresStatement("LISTEN \(Self.channel)")], seconds: Self.seconds)
        while !isClosed.load(ordering: .relaxed) {
            if try connection.waitForNotification(seconds: 0.5) { observer() }
        }
    }

    /// Waits before the next attempt to connect.
    private func pause() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.5) }

    func close() { isClosed.store(true, ordering: .relaxed) }
}
