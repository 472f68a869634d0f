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
    @Test func `Two requests at once are one after the other`() async throws {
        try await PublishRace<StageModel>.expectNoViolation()
    }

    /// A node that writes as if nobody had published since it read enlarges the share of a document that is replaced.
    @Test func `A node that compares no versions is found`() async throws {
        try await PublishRace<StageModel>.expectViolationWithoutVersions()
    }
}

/// A recipe with stages: the rules, without daemons.
private struct StageModel: PublishModel {
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
    init(_ catalog: StoredCatalog) throws {
        let recipe = try #require(catalog.apps.first?.recipes.first)
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

    static func begin(at node: Publisher) async {
        _ = await node.accepts(.putManifest(SampleManifest.with().encoded))
        _ = await send(.put("first"), to: node)
    }

    func makeRequest(_ random: inout SeededGenerator) -> Request {
        let name = Int.random(in: 0..<1_000_000, using: &random)
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: .put("live \(name)")
        case 1, 2: .draft("draft \(name)")
        case 3, 4: .live
        case 5: .pause
        case 6...8: .advance
        default: .guardsHold(revision: served.revision)
        }
    }

    static func send(_ request: Request, to node: Publisher) async -> Bool {
        switch request {
        case .put(let name): return await node.accepts(.putRecipe(slug: "e", document(name), asDraft: false))
        case .draft(let name): return await node.accepts(.putRecipe(slug: "e", document(name), asDraft: true))
        case .live: return await node.accepts(.setState(slug: "e", .live))
        case .pause: return await node.accepts(.setState(slug: "e", .paused))
        case .advance: return await node.accepts(.advance(slug: "e"))
        case .guardsHold(let revision):
            guard let stage = node.app("sample")?.recipes["e"]?.recipe.nextStage else { return true }
            await withCheckedContinuation { done in
                node.advance(RecipeReference(app: "sample", slug: "e"), revision: revision, to: stage) { done.resume() }
            }
            return true
        }
    }

    private static func document(_ name: String) -> [UInt8] {
        let stages = counts.dropFirst().map { count -> JSONValue in
            ["count": .integer(count), "guards": true]
        }
        return Shelf.recipe(
            "e",
            [
                "userFacingName": .string(name), "stages": .array(stages),
                "bucketConfig": [
                    "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0,
                    "count": .integer(counts[0]), "total": 100,
                ],
                "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]],
                "goals": [["name": "visits", "event": "visit", "counts": "sum"]],
                "guards": [["goal": "visits", "worse_by": 1]],
            ]
        ).encoded
    }
}
