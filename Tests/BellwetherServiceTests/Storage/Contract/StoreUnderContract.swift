import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Dispatch
import PostgresSupport
import SQLiteStore
import StoreSupport
import TestSupport

@testable import BellwetherService

/// A store of a kind with a `Persistence` over it. Its functions wait for the results.
final class StoreUnderContract: Sendable {
    let store: any Store
    let persistence: Persistence
    private let directory: TemporaryDirectory?
    private let uri: String?

    convenience init(_ kind: StoreKind, queues: PersistenceSettings = .init()) throws {
        switch kind {
        case .sqlite:
            let directory = try TemporaryDirectory()
            self.init(try SQLiteStore(directory: directory.path), directory, queues)
        case .memory: self.init(TestStore(), nil, queues)
        case .postgres:
            let server = try PostgresServer.shared.get()
            let uri = try server.emptySchema()
            self.init(try server.openStore(uri), nil, queues, uri: uri)
        }
    }

    private init(
        _ store: any Store, _ directory: TemporaryDirectory?, _ queues: PersistenceSettings, uri: String? = nil
    ) {
        (self.store, self.directory, self.uri) = (store, directory, uri)
        persistence = Persistence(store, settings: queues)
    }

    deinit { persistence.close() }

    /// Closes this store and opens it again.
    func reopened() throws -> StoreUnderContract {
        persistence.close()
        if let memory = store as? TestStore {
            return StoreUnderContract(TestStore(copying: memory), nil, .init())
        }
        if let uri {
            return StoreUnderContract(try PostgresServer.shared.get().openStore(uri), nil, .init(), uri: uri)
        }
        guard let directory else { throw Failure("a store without a directory") }
        return StoreUnderContract(try SQLiteStore(directory: directory.path), directory, .init())
    }

    @discardableResult
    func submit(_ changes: ClientChange<EventTally>...) async throws -> [EventTally] {
        try await withCheckedContinuation { done in
            persistence.submit(Transaction(changes)) { done.resume(returning: $0) }
        }.get()
    }

    /// Submits the change under an idempotency key.
    func submit(
        _ change: ClientChange<EventTally>, under write: IdempotentWrite<EventTally>
    ) async throws -> Claimed<EventTally> {
        try await withCheckedContinuation { done in
            persistence.submit(Transaction(change, idempotency: write)) { done.resume(returning: $0) }
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
        _ app: Identifier = StoreUnderContract.app, after: TelemetryCursor = .start, limit: Int = 1000,
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
        try store.logs(LogQuery(app: nil)).ranges.cursor(number)
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

extension StoreUnderContract {
    static let app: Identifier = "firefox-ios"
    static let now = Timestamp(seconds: 1_790_000_000)

    static func client(_ id: String, app: Identifier = StoreUnderContract.app) -> ClientReference {
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

extension Store {
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

/// Calls for consumers and erasures that wait for the results.
extension StoreUnderContract {
    @discardableResult
    func keep(
        _ name: String, _ number: Int64, of app: Identifier = StoreUnderContract.app, at now: Timestamp = now
    ) async throws -> ConsumerOutcome {
        try await keep(name, at: cursor(number), of: app, now: now)
    }

    @discardableResult
    func keep(
        _ name: String, at cursor: TelemetryCursor, of app: Identifier = StoreUnderContract.app, now: Timestamp = now
    ) async throws -> ConsumerOutcome {
        try await withCheckedContinuation { done in
            persistence.keepConsumer(Identifier(name), of: app, at: cursor, origin(now)) { done.resume(returning: $0) }
        }.get()
    }

    func consumers(
        of app: Identifier = StoreUnderContract.app, named name: String? = nil
    ) async throws -> [TelemetryConsumer]? {
        try await withCheckedContinuation { done in
            persistence.consumers(of: app, named: name.map { Identifier($0) }) { done.resume(returning: $0) }
        }.get()
    }

    func deleteConsumer(_ name: String, of app: Identifier = StoreUnderContract.app) async throws -> Bool {
        try await withCheckedContinuation { done in
            persistence.deleteConsumer(Identifier(name), of: app, origin(Self.now)) { done.resume(returning: $0) }
        }.get()
    }

    func erase(_ client: ClientReference) async throws -> ErasureOutcome {
        try await withCheckedContinuation { done in
            persistence.erase(.client(client), knownAs: client.id.utf8.reversed(), origin(Self.now)) {
                done.resume(returning: $0)
            }
        }.get()
    }

    private func origin(_ now: Timestamp) -> ChangeOrigin { ChangeOrigin(author: "test", at: now) }
}
