import BellwetherCore
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherService

/// Random changes of a recipe with stages by owners and by guards that hold, at two nodes over one store. Two requests
/// run at the same time. Their outcomes, and what is stored afterwards, are those of the same two requests one after
/// the other (docs/reference/experiments.md#stages).
@Suite struct StageRaceTests {
    private static let seeds: UInt64 = 12

    @Test func `Two requests at once are one after the other`() async throws {
        for seed in 0..<Self.seeds {
            let world = try StageWorld(seed: seed)
            #expect(try await world.violation() == nil, "seed \(seed)")
        }
    }

    /// A node that writes as if nobody had published since it read enlarges the share of a document that is replaced.
    @Test func `A node that compares no versions is found`() async throws {
        var found: String?
        for seed in 0..<Self.seeds where found == nil {
            found = try await StageWorld(seed: seed, comparesVersions: false).violation()
        }
        #expect(found != nil)
    }
}

/// A recipe with stages: the rules, without daemons.
private struct StageModel: Equatable {
    enum Request: Sendable {
        case put(String)
        case draft(String)
        case live, pause
        case advance
        /// The guards hold of the revision that was judged.
        case guardsHold(revision: Int)
    }

    struct Document: Equatable {
        var name: String
        var count: Int64
        var revision: Int
    }

    static let counts: [Int64] = [10, 20, 30, 40]

    private(set) var served: Document
    private var draft: Document?
    private var state: RecipeState

    private var newest: Int { draft?.revision ?? served.revision }

    /// Whether the request is accepted.
    mutating func apply(_ request: Request) -> Bool {
        switch request {
        case .put(let name):
            served = Document(name: name, count: Self.counts[0], revision: newest + 1)
            draft = nil
        case .draft(let name):
            draft = Document(name: name, count: Self.counts[0], revision: newest + 1)
        case .live:
            if state == .live, let draft { (served, self.draft) = (draft, nil) }
            state = .live
        case .pause: state = .paused
        case .advance: return advance()
        case .guardsHold(let revision): if served.revision == revision { _ = advance() }
        }
        return true
    }

    private mutating func advance() -> Bool {
        guard state == .live, let next = Self.counts.first(where: { $0 > served.count }) else { return false }
        served.count = next
        served.revision = newest + 1
        if let waiting = draft {
            draft = Document(
                name: waiting.name, count: max(waiting.count, next), revision: served.revision + 1)
        }
        return true
    }

    /// What the store has.
    init?(_ catalog: StoredCatalog) throws {
        guard let recipe = catalog.apps.first?.recipes.first else { return nil }
        func read(_ document: StoredDocument) throws -> Document {
            let value = try JSONValue(parsing: document.text)
            return Document(
                name: value["userFacingName"].string ?? "", count: value["bucketConfig"]["count"].integer ?? 0,
                revision: document.revision)
        }
        served = try read(recipe.served)
        draft = recipe.inForce == nil ? nil : try read(recipe.document)
        state = recipe.state
    }
}

/// Two daemons over one store.
private final class StageWorld {
    private static let app: Identifier = "sample"
    private static let recipe = RecipeReference(app: app, slug: "e")
    private static let rounds = 25

    private let store = TestStore(sharing: .asked)
    private let nodes: [Publisher]
    private var random: SeededGenerator
    private var names = 0

    init(seed: UInt64, comparesVersions: Bool = true) throws {
        random = SeededGenerator(seed: seed)
        let readers = Readers(seconds: comparesVersions ? 0.001 : 0.2)
        nodes = try (0..<2).map { [store] _ in
            let node = NodeStore(store, readers: readers, comparesVersions: comparesVersions)
            let publisher = Publisher(store: node, clock: store.clock, logger: Persistence.silent)
            _ = try publisher.start(FileCatalog())
            return publisher
        }
    }

    /// The first outcome that no order of the two requests has; nil if there is none.
    func violation() async throws -> String? {
        _ = await Self.publish(.putManifest(SampleManifest.with().encoded), to: nodes[0])
        _ = await Self.send(.put("first"), to: nodes[0])
        for _ in 0..<Self.rounds {
            let (left, right) = (nodes[0], nodes[1])
            for node in [left, right] { await Self.readThrough(node) }
            let before = try #require(try StageModel(store.loadCatalog()))
            let (one, other) = (makeRequest(before), makeRequest(before))
            async let first = Self.send(one, to: left)
            async let second = Self.send(other, to: right)
            let accepted = await [first, second]
            let after = try #require(try StageModel(store.loadCatalog()))
            var (forwards, backwards) = (before, before)
            let inOrder = [forwards.apply(one), forwards.apply(other)]
            let reversed = [backwards.apply(other), backwards.apply(one)]
            if accepted == inOrder, after == forwards { continue }
            if accepted == reversed.reversed(), after == backwards { continue }
            return "\(one) and \(other) after \(before): \(accepted), \(after)"
        }
        return nil
    }

    private func makeRequest(_ model: StageModel) -> StageModel.Request {
        names += 1
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: .put("live \(names)")
        case 1, 2: .draft("draft \(names)")
        case 3, 4: .live
        case 5: .pause
        case 6...8: .advance
        default: .guardsHold(revision: model.served.revision)
        }
    }

    private static func document(_ name: String) -> [UInt8] {
        let stages = StageModel.counts.dropFirst().map { count -> JSONValue in
            ["count": .integer(count), "guards": true]
        }
        return Shelf.recipe(
            "e",
            [
                "userFacingName": .string(name), "stages": .array(stages),
                "bucketConfig": [
                    "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0,
                    "count": .integer(StageModel.counts[0]), "total": 100,
                ],
                "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]],
                "goals": [["name": "visits", "event": "visit", "counts": "sum"]],
                "guards": [["goal": "visits", "worse_by": 1]],
            ]
        ).encoded
    }

    private static func readThrough(_ node: Publisher) async {
        await withCheckedContinuation { done in node.readThrough { _ in done.resume() } }
    }

    private static func send(_ request: StageModel.Request, to node: Publisher) async -> Bool {
        switch request {
        case .put(let name): return await publish(.putRecipe(slug: "e", document(name), asDraft: false), to: node)
        case .draft(let name): return await publish(.putRecipe(slug: "e", document(name), asDraft: true), to: node)
        case .live: return await publish(.setState(slug: "e", .live), to: node)
        case .pause: return await publish(.setState(slug: "e", .paused), to: node)
        case .advance: return await publish(.advance(slug: "e"), to: node)
        case .guardsHold(let revision):
            guard let stage = node.app(app)?.recipes["e"]?.recipe.nextStage else { return true }
            await withCheckedContinuation { done in
                node.advance(recipe, revision: revision, to: stage) { done.resume() }
            }
            return true
        }
    }

    /// Whether the request was accepted.
    private static func publish(_ change: PublishRequest.Change, to node: Publisher) async -> Bool {
        await withCheckedContinuation { continuation in
            node.publish(PublishRequest(app: app, change: change)) { _ in
                (200, [])
            } completion: { outcome in
                if case .refused = outcome { return continuation.resume(returning: false) }
                continuation.resume(returning: true)
            }
        }
    }
}
