import BellwetherCore
import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// A client is in the same branches through every interface (docs/reference/features.md#enrollment).
@Suite struct OneDecisionTests {
    private static let clients = (0..<1000).map { "client-\($0)" }

    private static let recipes: [String: JSONValue] = FlagWorld.recipes.merging(
        [
            "half": FlagWorld.recipe(
                "half", feature: "half", ["a": [:], "b": [:], "c": [:]],
                [
                    "bucketConfig": [
                        "randomizationUnit": "user_id", "namespace": "h", "start": 9000, "count": 5000, "total": 10_000,
                    ]
                ]),
            "late": FlagWorld.recipe(
                "late", feature: "half", ["x": [:], "y": [:]], ["publishedDate": "2026-02-01T00:00:00Z"]),
            "told": FlagWorld.recipe("told", feature: "messaging", ["a": [:], "b": [:]]),
        ], uniquingKeysWith: { first, _ in first })

    /// The branch of each recipe.
    private typealias Branches = [String: String]

    private func stored(_ world: FlagWorld, _ client: String) -> Branches {
        let bytes = world.worker.store.state(
            of: ClientReference(app: Identifier(WorkerUnderTest.app), id: Identifier(client)))
        let state = bytes.flatMap { ClientState(encoded: $0) } ?? ClientState()
        let enrolled = state.enrollments.unpacked.enrollments.compactMap(\.enrolledBranch)
        return Branches(uniqueKeysWithValues: enrolled.map { ($0.slug.text, $0.branch.text) })
    }

    private func poll(_ world: FlagWorld, _ client: String) throws -> Branches {
        let answer = try world.worker.send(
            .get, "/v1/apps/app/messages?client_id=\(client)", headers: FlagWorld.bearer("mine"))
        #expect(answer.status == 200)
        return stored(world, client)
    }

    /// The branches by Cirrus, with its cache of features.
    private func cirrus(_ world: FlagWorld, _ client: String) throws -> Branches {
        let answer = try world.worker.send(
            .post, "/v2/features/", headers: FlagWorld.bearer("mine"),
            body: ["client_id": .string(client), "context": [:]])
        let enrollments = answer.json["Enrollments"].array ?? []
        return Branches(
            uniqueKeysWithValues: enrollments.map { ($0["experiment"].string ?? "", $0["branch"].string ?? "") })
    }

    /// The branches by the response; nil if they differ from the stored ones.
    private func flags(_ world: FlagWorld, _ client: String) throws -> Branches? {
        let flags = try world.ask(client: .string(client)).json["flags"].array ?? []
        let stored = stored(world, client)
        let told = flags.compactMap { flag in
            flag["metadata"]["experiment"].string.map { ($0, flag["variant"].string ?? "") }
        }
        #expect(!told.isEmpty)
        return told.allSatisfy { stored[$0.0] == $0.1 } ? stored : nil
    }

    @Test func `A poll, Cirrus with its memory and OFREP give a thousand clients the same branches`() throws {
        let (polled, flagged) = (try FlagWorld(recipes: Self.recipes), try FlagWorld(recipes: Self.recipes))
        var differing: [String] = []
        var counts: [String: Int] = [:]
        for client in Self.clients {
            let expected = try cirrus(polled, client)
            let ways = [try poll(polled, client), try flags(flagged, client), try flags(polled, client)]
            if ways.contains(where: { $0 != expected }) { differing.append(client) }
            for (slug, branch) in expected { counts["\(slug)/\(branch)", default: 0] += 1 }
        }
        #expect(differing.isEmpty)
        #expect(
            Set(counts.keys) == [
                "steps/one", "steps/two", "fuzzy/on", "seen/on", "seen/off", "half/a", "half/b", "half/c", "late/x",
                "late/y", "told/a", "told/b",
            ])
        #expect(counts.values.allSatisfy { $0 > 100 }, "\(counts)")
    }

    @Test func `A declared feature has the same value through Cirrus and OFREP`() throws {
        let world = try FlagWorld()
        for client in Self.clients.prefix(50) {
            let features = try world.worker.send(
                .post, "/v1/features/", headers: FlagWorld.bearer("mine"),
                body: ["client_id": .string(client), "context": [:]]
            ).json
            let flags = try world.ask(client: .string(client))
            for feature in ["checkout", "search", "seen"] {
                #expect(features[feature] == FlagWorld.flag(feature, of: flags)?["value"])
            }
        }
    }
}
