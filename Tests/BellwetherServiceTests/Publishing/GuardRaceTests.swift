import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherService

/// Guards that fire at several nodes at once, and beside an owner's publish (docs/reference/goals.md#guards).
@Suite struct GuardRaceTests {
    private static let app: Identifier = "sample"
    private static let recipe = RecipeReference(app: app, slug: "e")

    private static func document(_ direction: String) -> JSONValue {
        let goal: JSONValue = [
            "name": "visits", "event": "visit", "counts": "sum", "direction": .string(direction),
        ]
        return Shelf.recipe(
            "e",
            [
                "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]], "goals": [goal],
                "guards": [["goal": "visits", "worse_by": 1]], "notify": ["url": "https://hooks.example/bw"],
            ])
    }

    private func publish(_ change: PublishRequest.Change, _ publisher: Publisher) async throws {
        let outcome = await withCheckedContinuation { done in
            publisher.publish(PublishRequest(app: Self.app, change: change)) { _ in
                (200, [])
            } completion: {
                done.resume(returning: $0)
            }
        }
        if case .stored = outcome { return }
        Issue.record("\(outcome)")
    }

    private func pause(_ publisher: Publisher) async throws -> Bool {
        let bound = try #require(publisher.app(Self.app)?.recipes["e"]?.recipe.goals?.guards.first)
        let firing = GuardFiring(at: Scene.start, branch: "short", numbers: [:], exposed: 100)
        return await withCheckedContinuation { done in
            publisher.pause(Self.recipe, revision: 1, [FiredGuard(bound, firing)]) { done.resume(returning: $0) }
        }
    }

    /// Publishers that serve the recipe.
    private func publishers(_ count: Int, over store: any Store) async throws -> [Publisher] {
        let publishers = (0..<count).map { _ in Publisher(store: store, clock: .system, logger: Persistence.silent) }
        _ = try publishers[0].start(FileCatalog())
        try await publish(.putManifest(SampleManifest.with().encoded), publishers[0])
        try await publish(.putRecipe(slug: "e", Self.document("up").encoded, asDraft: false), publishers[0])
        for publisher in publishers.dropFirst() { _ = try publisher.start(FileCatalog()) }
        return publishers
    }

    private func pauses(in store: any Store) throws -> Int {
        let records = try store.readAudit(AuditQuery(after: 0, limit: 100))
        return try records.count { try JSONValue(parsing: $0.text).object?["by"]?.string == "guard" }
    }

    private func state(in store: any Store) throws -> RecipeState? {
        try store.loadCatalog().apps.first?.recipes.first?.state
    }

    @Test(arguments: StoreKind.allCases)
    func `Of several nodes whose guards fire at once, one pauses the recipe`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let publishers = try await publishers(3, over: test.store)
        async let first = pause(publishers[0])
        async let second = pause(publishers[1])
        async let third = pause(publishers[2])
        #expect(try await [first, second, third].count { $0 } == 1)
        #expect(try state(in: test.store) == .paused)
        #expect(try pauses(in: test.store) == 1)
        #expect(try test.store.find(.pendingWebhooks, limit: 10).count == 1)
    }

    /// A guard has judged the revision that it pauses. If the owner's publish comes first, the recipe stays live.
    @Test(arguments: StoreKind.allCases)
    func `A guard beside a publish pauses the recipe, or it does not`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let publishers = try await publishers(2, over: test.store)
        async let isPaused = pause(publishers[0])
        try await publish(.putRecipe(slug: "e", Self.document("down").encoded, asDraft: false), publishers[1])
        let paused = try await isPaused
        #expect(try state(in: test.store) == (paused ? .paused : .live))
        #expect(try pauses(in: test.store) == (paused ? 1 : 0))
        #expect(try test.store.find(.pendingWebhooks, limit: 10).count == (paused ? 1 : 0))
        #expect(try test.store.loadCatalog().apps.first?.recipes.first?.document.revision == 2)
    }
}
