import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Dispatch
import SQLiteWire
import StoreSupport
import TestSupport

@testable import BellwetherService
@testable import SQLiteStore

/// A store on a real file. Its functions wait for the results.
final class StoreUnderTest: Sendable {
    let directory: TemporaryDirectory
    let store: SQLiteStore
    let persistence: Persistence

    init(
        _ directory: TemporaryDirectory? = nil, settings: SQLiteStoreSettings = .init(),
        queues: PersistenceSettings = .init(), background: BackgroundQueue = BackgroundQueue(),
        postpone: @escaping Postponement = SQLiteStore.inASecond
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        store = try SQLiteStore(
            directory: directory.path, settings: settings, background: background, postpone: postpone)
        persistence = Persistence(store, settings: queues)
    }

    deinit { persistence.close() }

    /// Closes this store and opens the same files again.
    func reopened(settings: SQLiteStoreSettings = .init()) throws -> StoreUnderTest {
        persistence.close()
        return try StoreUnderTest(directory, settings: settings)
    }

    @discardableResult
    func submit(_ changes: ClientChange<EventTally>...) async throws -> [EventTally] {
        try await withCheckedContinuation { done in
            persistence.submit(Transaction(changes)) { done.resume(returning: $0) }
        }.get()
    }

    func load(_ client: ClientReference) async throws -> ClientState? {
        let held = try await withCheckedContinuation { done in
            persistence.load(client) { done.resume(returning: $0) }
        }.get()
        return held.stored
    }

    /// The number of displays that `displays` has counted for the client; nil if the client is unknown.
    func displayCount(of client: ClientReference) async throws -> UInt32? {
        try await load(client)?.ledger["m"].displayCount
    }

    func telemetry(
        _ app: Identifier = StoreUnderTest.app, after: TelemetryCursor = .start, limit: Int = 1000,
        filter: TelemetryFilter = TelemetryFilter()
    ) async throws -> TelemetryPage {
        try await telemetry(TelemetryQuery(app: app, after: after, limit: limit, filter: filter))
    }

    func telemetry(_ query: TelemetryQuery) async throws -> TelemetryPage {
        try await withCheckedContinuation { done in
            persistence.readTelemetry(query) { done.resume(returning: $0) }
        }.get()
    }

    /// The cursor with a number.
    func cursor(_ number: Int64) throws -> TelemetryCursor {
        try store.database.read { try CursorRangeRows.read($0).cursor(number) }
    }

    func audit(after: Int64 = 0, limit: Int = 10_000) async throws -> [AuditRecord] {
        try await withCheckedContinuation { done in
            persistence.readAudit(AuditQuery(after: after, limit: limit)) { done.resume(returning: $0) }
        }.get()
    }

    func enforceRetention(_ policy: RetentionPolicy, now: Timestamp) async {
        await withCheckedContinuation { done in persistence.enforceRetention(policy, now: now) { done.resume() } }
    }

    /// Blocks the writer until the gate is opened.
    func holdWriter(_ gate: Gate) { persistence.threads.writer { gate.wait() } }

    /// Waits until the writer has finished its earlier work.
    func finishWrites() {
        persistence.threads.wait(persistence.threads.writer) {}
        store.database.useWriter { _ in }
    }

    /// Runs a statement on the writer's own connection.
    func write(_ sql: String) throws {
        try store.database.useWriter { try $0.execute(sql) }
    }

    /// The client's number in the database's tables.
    func key(of client: ClientReference) throws -> Int64? {
        try store.database.read { database in
            let app = try AppRows(database).find(client.app)
            return try app.flatMap { try ClientRows(database).key(app: $0, id: client.id) }
        }
    }

    func count(_ table: String) throws -> Int {
        Int(try store.database.read { try $0.integer("SELECT count(*) FROM \(table)") } ?? -1)
    }

    /// Submits all changes while the writer is blocked, so that they form one batch. Returns the results in the same
    /// order.
    func submitTogether(_ submissions: [[ClientChange<EventTally>]]) async -> [Result<[EventTally], StoreError>] {
        let gate = Gate()
        holdWriter(gate)
        return await withCheckedContinuation { done in
            let answers = ResultCollector(count: submissions.count) { done.resume(returning: $0) }
            for (position, changes) in submissions.enumerated() {
                persistence.submit(Transaction(changes)) { answers.add($0, at: position) }
            }
            gate.open()
        }
    }
}

extension StoreUnderTest {
    static let app: Identifier = "firefox-ios"
    static let now = Timestamp(seconds: 1_790_000_000)

    static func client(_ id: String, app: Identifier = StoreUnderTest.app) -> ClientReference {
        ClientReference(app: app, id: Identifier(id))
    }

    /// Counts each event that is not a duplicate as a display of message `m`.
    static func displays(
        _ client: ClientReference, ids: [Identifier?] = [nil], at now: Timestamp = now
    ) -> ClientChange<EventTally> {
        ClientChange(client: client, eventIDs: ids, now: now) { state, input in
            var tally = EventTally()
            for isDuplicate in input.isDuplicate {
                if isDuplicate { tally.duplicates += 1 } else { tally.accepted += 1 }
            }
            state.ledger["m"].displayCount += UInt32(tally.accepted)
            return ChangeOutcome(result: tally)
        }
    }

    /// Appends records to the log without a change of the client.
    static func records(
        _ names: [String], client: ClientReference = client("c"), at: Timestamp? = nil, now: Timestamp = now
    ) -> ClientChange<EventTally> {
        ClientChange(client: client, now: now) { _, _ in
            let records = names.map { name in
                TelemetryRecord(
                    at: at ?? now, clientID: client.id, category: "messaging", name: Identifier(name),
                    extra: ["n": .string(name)])
            }
            return ChangeOutcome(records: records, result: EventTally())
        }
    }
}

/// Blocks threads until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { _ = semaphore.signal() }
}

extension SQLiteStore {
    /// Publishes with an author and a time that no test of the audit reads.
    func publish(_ changes: [CatalogChange]) throws(StoreError) {
        try publish(changes, by: "test", at: Timestamp(seconds: 0))
    }

    func publish(_ changes: [CatalogChange], by author: String, at now: Timestamp) throws(StoreError) {
        _ = try publish(changes, expecting: loadCatalog().head, by: author, at: now)
    }

    func reply(to claim: IdempotencyClaim) throws -> StoredReply? {
        guard case .reply(let reply, _)? = try read(RowQuery(names: [.reply(claim.key)])).rows.first?.get()?.value
        else { return nil }
        return reply
    }

    func changeTokens(_ changes: [TokenChange]) throws(StoreError) {
        try changeTokens(changes, expecting: nil, by: "test", at: Timestamp(seconds: 0))
    }
}

extension TemporaryDirectory {
    var database: String { path + "/bellwether.sqlite" }
}
