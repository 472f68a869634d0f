import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// The caches change no result: with any of them off, every response with flags has the same bytes.
@Suite struct FlagCachesTests {
    private static let recipes = FlagWorld.recipes.merging(
        [
            "timed": FlagWorld.recipe(
                "timed", feature: "timed", ["on": ["x": 1]],
                ["targeting": "seats > 2 && 'visit'|eventSum('Minutes', 3) < 2"]),
            "paid": FlagWorld.recipe(
                "paid", feature: "search", ["a": ["fuzzy": true], "b": [:]], ["targeting": "plan == 'pro'"]),
        ], uniquingKeysWith: { first, _ in first })

    /// The responses to random requests for flags, polls and events of a few clients.
    private func answers(_ caches: CacheLimits, heldClients: Int = 100) throws -> [String] {
        let world = try FlagWorld(recipes: Self.recipes, caches: caches, heldClients: heldClients)
        let keys: [String?] = [nil, nil, nil, "checkout", "checkout.steps", "search.fuzzy", "seen.on", "nope"]
        var random = SeededGenerator(seed: 11)
        var answers: [String] = []
        for _ in 0..<1_200 {
            let client = "c\(Int.random(in: 0..<8, using: &random))"
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let event: JSONValue = ["type": "behavior", "name": "visit"]
                let body: JSONValue = ["client_id": .string(client), "events": [event]]
                answers.append(
                    text(
                        try world.worker.send(
                            .post, "/v1/apps/app/events", headers: FlagWorld.bearer("mine"), body: body)))
            case 1: world.worker.pass(seconds: Int64.random(in: 1...120, using: &random))
            case 2:
                let target = "/v1/apps/app/messages?client_id=\(client)&plan=pro&seats=3"
                answers.append(text(try world.worker.send(.get, target, headers: FlagWorld.bearer("mine"))))
            default:
                let key = keys[Int.random(in: keys.indices, using: &random)]
                let plan = ["pro", "free"][Int.random(in: 0...9, using: &random) / 9]
                let context: JSONObject = ["plan": .string(plan), "seats": 3]
                answers.append(text(try world.ask(key, client: .string(client), context: context)))
            }
        }
        return answers
    }

    private func text(_ answer: RecordedResponse) -> String {
        "\(answer.status) \(answer.headers) \(String(decoding: answer.body, as: UTF8.self))"
    }

    @Test func `Every answer is the same with each memory off`() throws {
        func limits(_ change: (inout CacheLimits) -> Void) -> CacheLimits {
            var limits = CacheLimits()
            change(&limits)
            return limits
        }
        let expected = try answers(CacheLimits())
        #expect(Set(expected).count > 20, "answers differ between clients, contexts and times")
        #expect(try answers(limits { $0.responses = 0 }) == expected)
        #expect(try answers(limits { $0.contexts = 0 }) == expected)
        #expect(try answers(CacheLimits(), heldClients: 1) == expected)
        #expect(try answers(limits { ($0.responses, $0.contexts) = (0, 0) }, heldClients: 1) == expected)
    }
}
