import BellwetherCore
import BellwetherJSON
import Dispatch
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Random changes of two lists at two daemons over one store. Now and then a change of the other daemon, or an erasure,
/// is written just before a change is. Whatever happens, the lists are those of the same requests one after another
/// (docs/reference/audiences.md#lists).
@Suite struct ListModelTests {
    /// A fault in the store, put in on purpose: it writes as if each row still had the version that was read.
    enum Fault { case comparesNothing }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `No id is lost, and none comes back`(_ seed: UInt64) async throws {
        let found = try await ListWorld(seed: seed).differences()
        #expect(found == [], "\(found)")
    }

    @Test func `A write that compares no versions is found`() async throws {
        var found = 0
        for seed in 0..<40 as Range<UInt64> where found == 0 {
            found = try await ListWorld(seed: seed, fault: .comparesNothing).differences().count
        }
        #expect(found > 0)
    }
}

/// Two daemons over one store, and a model of its lists.
private final class ListWorld {
    private enum Step: Sendable {
        case change(ListChange)
        case erase(Int)
    }

    private static let app: Identifier = "sample"
    private static let names: [Identifier] = ["first", "second"]
    private static let rounds = 30

    private let store = TestStore(sharing: .asked)
    private let nodes: [Publisher]
    private let stores: [any Store]
    private let key: ListKey
    private var random: SeededGenerator
    private var model: [Identifier: Set<Int>] = [:]

    init(seed: UInt64, fault: ListModelTests.Fault? = nil) throws {
        random = SeededGenerator(seed: seed)
        let shared = store
        stores = (0..<2).map { _ in
            fault == nil
                ? shared : NodeStore(shared, readers: Readers(seconds: 0), comparesVersions: false) as any Store
        }
        nodes = try stores.map { store in
            let publisher = Publisher(store: store, clock: shared.clock, logger: Persistence.silent)
            _ = try publisher.start(FileCatalog())
            return publisher
        }
        key = try nodes[0].listKey()
    }

    private static func id(_ number: Int) -> Identifier { "client-\(number)" }

    /// The sentences that say which list differs from the model.
    func differences() async throws -> [String] {
        let manifest = PublishRequest(app: Self.app, change: .putManifest(SampleManifest.with().encoded))
        _ = await Self.send(manifest, to: nodes[0])
        var found = try await check("at the start")
        for round in 0..<Self.rounds where found.isEmpty {
            let (node, step) = (Int.random(in: 0..<2, using: &random), makeStep())
            history = []
            if case .change(let change) = step, Bool.random(using: &random) {
                let between = makeStep()
                interrupt(by: between, at: 1 - node)
                await run(.change(change), at: node)
                if isInterrupted() { apply(between) }
                apply(step)
            } else {
                await run(step, at: node)
                apply(step)
            }
            found += try await check("round \(round), after \(history.joined(separator: ", "))")
        }
        return found
    }

    private func makeStep() -> Step {
        let numbers = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<12, using: &random) }
        guard let name = Self.names.randomElement(using: &random) else { return .erase(0) }
        var builder = ListEntriesBuilder(atMost: 100)
        for number in numbers { builder.add(ListEntry(Self.id(number), key.hash)) }
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: .erase(numbers[0])
        case 1: change(.put(of: nil), name, builder, numbers)
        case 2: change(.delete, name, ListEntriesBuilder(atMost: 1), [])
        case 3, 4: change(.remove, name, builder, numbers)
        default: change(.add, name, builder, numbers)
        }
    }

    /// The ids of each change, by the number that stands for its duplicates.
    private var ids: [[Int]] = []

    private func change(
        _ action: ListChange.Action, _ name: Identifier, _ builder: ListEntriesBuilder, _ numbers: [Int]
    ) -> Step {
        ids.append(numbers)
        var builder = builder
        return .change(ListChange(action, name, builder.finish(), duplicates: ids.count - 1))
    }

    /// The changes of the round, for people.
    private var history: [String] = []

    private func apply(_ step: Step) {
        switch step {
        case .erase(let number):
            history.append("erase \(number)")
            for name in model.keys { model[name]?.remove(number) }
        case .change(let change):
            history.append("\(change.action) \(change.name) \(ids[change.duplicates])")
            let numbers = Set(ids[change.duplicates])
            switch change.action {
            case .put: model[change.name] = numbers
            case .add: model[change.name]?.formUnion(numbers)
            case .remove: model[change.name]?.subtract(numbers)
            case .delete: model[change.name] = nil
            }
        }
    }

    private let interruption = Flag()

    /// Lets another daemon's step run just before the next write.
    private func interrupt(by step: Step, at node: Int) {
        interruption.isSet = false
        let (publisher, store) = (nodes[node], stores[node])
        self.store.beforeNextWrite { [interruption] in
            interruption.isSet = true
            switch step {
            case .erase(let number): ListWorld.erase(number, in: store)
            case .change(let change):
                let done = DispatchSemaphore(value: 0)
                publisher.publish(PublishRequest(app: ListWorld.app, change: .list(change))) { _ in
                    (200, [])
                } completion: { _ in
                    done.signal()
                }
                done.wait()
            }
        }
    }

    /// Whether the other step ran. If the first change wrote nothing, it runs before a later one, so it is taken back.
    private func isInterrupted() -> Bool {
        store.beforeNextWrite {}
        return interruption.isSet
    }

    private static func erase(_ number: Int, in store: any Store) {
        let origin = ChangeOrigin(author: "test", at: store.clock.now())
        _ = try? store.erase(.client(ClientReference(app: app, id: id(number))), knownAs: [], origin)
    }

    private func run(_ step: Step, at node: Int) async {
        switch step {
        case .erase(let number): Self.erase(number, in: stores[node])
        case .change(let change):
            _ = await Self.send(PublishRequest(app: Self.app, change: .list(change)), to: nodes[node])
        }
    }

    private static func send(_ request: PublishRequest, to node: Publisher) async -> Bool {
        await withCheckedContinuation { continuation in
            node.publish(request) { _ in
                (200, [])
            } completion: { outcome in
                if case .refused = outcome { return continuation.resume(returning: false) }
                continuation.resume(returning: true)
            }
        }
    }

    /// What a daemon that starts now has, and what the running ones have after they have caught up.
    private func check(_ round: String) async throws -> [String] {
        let fresh = Publisher(store: store, clock: store.clock, logger: Persistence.silent)
        _ = try fresh.start(FileCatalog())
        for node in nodes {
            await withCheckedContinuation { done in node.readThrough { _ in done.resume() } }
            await withCheckedContinuation { done in node.noteLists { done.resume() } }
        }
        return (nodes + [fresh]).enumerated().flatMap { index, node -> [String] in
            let app = node.app(Self.app)
            let lists = app?.listFacts ?? []
            var found: [String] = []
            if Set(lists.map(\.name)) != Set(model.keys) { found.append("\(round), node \(index): other lists") }
            for list in lists {
                let wanted = model[list.name] ?? []
                let members = app?.contains((0..<12).map { Self.id($0) }, in: list.name) ?? []
                let isSame = (0..<12).allSatisfy { members[$0] == wanted.contains($0) }
                if !isSame || list.stored.count != wanted.count {
                    found.append("\(round), node \(index): \(list.name) has other ids, not \(wanted.sorted())")
                }
            }
            return found
        }
    }
}

/// Whether a step between others has run.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
