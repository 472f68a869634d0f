import BellwetherCore
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// The three caches change no result: with any of them off, every response has the same bytes.
@Suite struct CachesOffTests {
    private static let recipes: [String: JSONValue] = [
        "r": [
            "triggers": [
                "YOUNG": "age < 30", "SEEN": "'x'|eventSum('Days', 28) >= 2", "NEW": "'x'|eventSum('Minutes', 2) == 0",
            ],
            "messages": [
                "young": ["surface": "card", "text": "x", "trigger-if-all": ["YOUNG", "NEW"]],
                "seen": ["surface": "card", "text": "y", "trigger-if-all": ["SEEN"], "style": "ONCE"],
                "all": ["surface": "microsurvey", "text": "z"],
            ],
            "styles": ["ONCE": ["priority": 90, "max-display-count": 1]],
        ]
    ]

    static func limits(_ change: (inout CacheLimits) -> Void) -> CacheLimits {
        var limits = CacheLimits()
        change(&limits)
        return limits
    }

    /// The responses to random polls and events of a few clients.
    private func answers(_ caches: CacheLimits, heldClients: Int = 100) throws -> [String] {
        let worker = try WorkerUnderTest(recipes: Self.recipes, caches: caches, heldClients: heldClients)
        var random = SeededGenerator(seed: 7)
        var answers: [String] = []
        for _ in 0..<1_500 {
            let client = "c\(Int.random(in: 0..<12, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let event: JSONValue = ["type": "behavior", "name": "x"]
                let body: JSONValue = ["client_id": .string(client), "events": [event]]
                answers.append(Self.text(try worker.send(.post, "/v1/apps/app/events", body: body)))
            case 1:
                let event: JSONValue = ["type": "message", "action": "displayed", "message": "seen"]
                let body: JSONValue = ["client_id": .string(client), "events": [event]]
                answers.append(Self.text(try worker.send(.post, "/v1/apps/app/events", body: body)))
            case 2: worker.pass(seconds: Int64.random(in: 1...90, using: &random))
            default:
                let age = Int.random(in: 28...31, using: &random)
                let target = "/v1/apps/app/messages?client_id=\(client)&age=\(age)"
                answers.append(Self.text(try worker.send(.get, target)))
            }
        }
        return answers
    }

    static func text(_ answer: RecordedResponse) -> String {
        "\(answer.status) \(answer.headers) \(String(decoding: answer.body, as: UTF8.self))"
    }

    @Test func `Every answer is the same with each memory off`() throws {
        let expected = try answers(CacheLimits())
        #expect(Set(expected).count > 20, "answers differ between clients and times")
        #expect(try answers(Self.limits { $0.responses = 0 }) == expected)
        #expect(try answers(Self.limits { $0.contexts = 0 }) == expected)
        #expect(try answers(CacheLimits(), heldClients: 1) == expected)
        let none = Self.limits { ($0.responses, $0.contexts) = (0, 0) }
        #expect(try answers(none, heldClients: 1) == expected)
    }
}

/// The same test for the time in a client's entry until which its enrollments are settled. Rollouts begin and end with
/// the clock, with event counts, with the context and with the client's opt-outs.
@Suite struct SettledEnrollmentsOffTests {
    private static func rollout(_ slug: String, on surface: String, _ targeting: String) -> JSONValue {
        NimbusRecipe.experiment(
            slug, ["b": NimbusRecipe.survey(slug, ["surface": .string(surface)])],
            ["targeting": .string(targeting), "isRollout": true])
    }

    private static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["clock", "few", "many", "context", "sticky", "other"],
        "attributes": ["age": "number"],
    ]

    private static let recipes: [String: JSONValue] = [
        // Half an hour after the start.
        "clock": rollout("clock", on: "clock", "current_date < \(1_773_144_000 + 1800)"),
        "few": rollout("few", on: "few", "'x'|eventSum('Minutes', 3) == 0"),
        "many": rollout("many", on: "many", "'x'|eventSum('Hours', 1) >= 2"),
        "context": rollout("context", on: "context", "age >= 30"),
        "sticky": NimbusRecipe.experiment(
            "sticky", ["a": NimbusRecipe.survey("sticky-a", ["surface": "sticky"])],
            ["targeting": "(is_already_enrolled) || age < 29"]),
        "other": rollout("other", on: "other", "'few' in active_experiments"),
    ]

    /// The responses to polls of a few clients. With `evicting`, the table has one entry, and another client's entry
    /// replaces it before each poll, so no entry is used twice.
    private func answers(evicting: Bool) throws -> [String] {
        let limits = CachesOffTests.limits { $0.responses = 0 }
        let worker = try WorkerUnderTest(
            manifest: Self.manifest, recipes: Self.recipes, caches: limits, heldClients: evicting ? 1 : 100)
        var random = SeededGenerator(seed: 11)
        var answers: [String] = []
        for _ in 0..<1_200 {
            if evicting { _ = try worker.send(.get, "/v1/apps/app/messages?client_id=evictor&age=1") }
            let client = "c\(Int.random(in: 0..<6, using: &random))"
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let event: JSONValue = ["type": "behavior", "name": "x"]
                let body: JSONValue = ["client_id": .string(client), "events": [event]]
                answers.append(CachesOffTests.text(try worker.send(.post, "/v1/apps/app/events", body: body)))
            case 1, 2: worker.pass(seconds: Int64.random(in: 1...90, using: &random))
            case 3:
                let wanted: JSONValue = ["rollouts": .bool(Bool.random(using: &random))]
                let target = "/v1/apps/app/clients/\(client)/participation"
                answers.append(CachesOffTests.text(try worker.send(.put, target, body: wanted)))
            case 4:
                let context: JSONValue = ["age": .integer(Int64.random(in: 28...31, using: &random))]
                let body: JSONValue = ["client_id": .string(client), "context": context]
                answers.append(CachesOffTests.text(try worker.send(.post, "/v1/apps/app/messages", body: body)))
            default:
                let age = Int.random(in: 28...31, using: &random)
                let target = "/v1/apps/app/messages?client_id=\(client)&age=\(age)"
                answers.append(CachesOffTests.text(try worker.send(.get, target)))
            }
        }
        return answers
    }

    @Test func `Every answer is the same where no enrollment is ever settled`() throws {
        let expected = try answers(evicting: false)
        #expect(Set(expected).count > 20, "answers differ between clients and times")
        #expect(try answers(evicting: true) == expected)
    }
}
