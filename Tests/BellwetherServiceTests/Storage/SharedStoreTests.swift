import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// Several daemons over one store. Each has its own caches, and none may trust them without a check.
@Suite struct SharedStoreTests {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let cap: UInt32 = 5
    let client = ClientReference(app: "app", id: "c")

    /// Counts a display unless the cap is reached.
    private func display(_ client: ClientReference, ids: [Identifier?] = [nil]) -> ClientChange<EventTally> {
        ClientChange(client: client, eventIDs: ids, now: Self.now) { state, input in
            var tally = EventTally()
            for isDuplicate in input.isDuplicate {
                if isDuplicate || state.ledger["m"].displayCount >= Self.cap {
                    tally.duplicates += 1
                } else {
                    tally.accepted += 1
                    state.ledger["m"].displayCount += 1
                }
            }
            return ChangeOutcome(result: tally)
        }
    }

    private func tally(_ result: Result<[EventTally], StoreError>?) throws -> EventTally {
        guard let tally = try result?.get().first else {
            throw Failure("not applied")
        }
        return tally
    }

    private func submit(_ changes: [ClientChange<EventTally>], to node: Persistence) async throws -> EventTally {
        try tally(
            await withCheckedContinuation { done in
                node.submit(Transaction(changes)) { done.resume(returning: $0) }
            })
    }

    @Test(arguments: StoreKind.allCases)
    func aStaleCacheLosesAndTheTransactionIsAppliedAgain(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let nodes = (0..<2).map { _ in Persistence(test.store) }
        for round in 0..<10 {
            let tally = try await submit([display(client)], to: nodes[round % 2])
            #expect(tally.accepted == (round < Int(Self.cap) ? 1 : 0))
        }
        let state = try await withCheckedContinuation { done in
            Persistence(test.store).load(client) { done.resume(returning: $0) }
        }.get().stored
        #expect(state?.ledger["m"].displayCount == Self.cap)
    }

    /// All nodes write at once: no cap is exceeded, and an id counts once, whichever node gets it.
    @Test(arguments: StoreKind.allCases)
    func manyNodesNeverExceedACap(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let nodes = (0..<4).map { _ in Persistence(test.store) }
        let clients = (0..<5).map { ClientReference(app: "app", id: "c\($0)") }
        let change = { (number: Int) in display(clients[number % clients.count], ids: ["id-\(number)"]) }
        let results = await withCheckedContinuation { done in
            let answers = ResultCollector<[EventTally]>(count: nodes.count * 40) { done.resume(returning: $0) }
            for (index, node) in nodes.enumerated() {
                for number in 0..<40 {
                    node.submit(Transaction([change(number)])) { answers.add($0, at: index * 40 + number) }
                }
            }
        }
        let accepted = try results.reduce(0) { try $0 + tally($1).accepted }
        #expect(accepted == clients.count * Int(Self.cap))
        for client in clients {
            let row = try test.store.read(RowQuery(names: [.client(client)])).rows.first?.get()
            guard case .client(let state)? = row?.value else { return #expect(Bool(false), "no client") }
            #expect(state.ledger["m"].displayCount == Self.cap)
        }
    }

    /// A publisher that finds a newer publish of another node serves it, whatever the result of its own edit is.
    @Test(arguments: StoreKind.allCases, [false, true])
    func aPublisherServesWhatAnotherHasStored(_ kind: StoreKind, isRefused: Bool) async throws {
        let test = try ContractStore(kind)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let publishers = (0..<2).map { _ in Publisher(store: test.store, clock: .system, logger: logger) }
        let served = Mutex<Set<Identifier>>([])
        for publisher in publishers { _ = try publisher.start(FileCatalog()) }
        publishers[1].connect { snapshot, done in
            served.withLock { $0.formUnion(snapshot.apps.keys) }
            done()
        }
        var request = PublishRequest(app: "app", change: .putManifest(Array(SampleManifest.with().text.utf8)))
        guard case .stored = await publish(request, publishers[0]) else { throw Failure("not stored") }
        if isRefused { request.precondition = { $0 == nil } }
        switch await publish(request, publishers[1]) {
        case .stored(let receipt): #expect(!isRefused && receipt.effect == .unchanged)
        case .refused(.preconditionFailed): #expect(isRefused)
        case let outcome: Issue.record("\(outcome)")
        }
        #expect(served.withLock { $0 } == ["app"])
    }

    private func publish(_ request: PublishRequest, _ publisher: Publisher) async -> PublishOutcome {
        await withCheckedContinuation { done in
            publisher.publish(request) { _ in
                (200, [])
            } completion: {
                done.resume(returning: $0)
            }
        }
    }

    /// Two publishers edit after the same head: the second one loads the catalog again, and both changes are stored.
    @Test(arguments: StoreKind.allCases)
    func aPublisherThatComesSecondEditsAgain(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let publishers = (0..<2).map { _ in Publisher(store: test.store, clock: .system, logger: logger) }
        for publisher in publishers { _ = try publisher.start(FileCatalog()) }
        for (index, publisher) in publishers.enumerated() {
            let manifest = Array(SampleManifest.with().text.utf8)
            let request = PublishRequest(app: "app\(index)", change: .putManifest(manifest))
            let outcome = await publish(request, publisher)
            guard case .stored = outcome else { return #expect(Bool(false), "\(outcome)") }
        }
        let catalog = try test.store.loadCatalog()
        #expect(catalog.apps.map(\.name).sorted() == ["app0", "app1"])
    }
}
