import BellwetherCore
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// The three memories only save work: with each of them off, every answer has the same bytes.
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

    private static func limits(_ change: (inout CacheLimits) -> Void) -> CacheLimits {
        var limits = CacheLimits()
        change(&limits)
        return limits
    }

    /// Random polls and events of a few clients, and what they are answered.
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
                answers.append(text(try worker.send(.post, "/v1/apps/app/events", body: body)))
            case 1:
                let event: JSONValue = ["type": "message", "action": "displayed", "message": "seen"]
                let body: JSONValue = ["client_id": .string(client), "events": [event]]
                answers.append(text(try worker.send(.post, "/v1/apps/app/events", body: body)))
            case 2: worker.pass(seconds: Int64.random(in: 1...90, using: &random))
            default:
                let age = Int.random(in: 28...31, using: &random)
                let target = "/v1/apps/app/messages?client_id=\(client)&age=\(age)"
                answers.append(text(try worker.send(.get, target)))
            }
        }
        return answers
    }

    private func text(_ answer: Answer) -> String {
        "\(answer.status) \(answer.headers) \(String(decoding: answer.body, as: UTF8.self))"
    }

    @Test func `Every answer is the same with each memory off`() throws {
        let expected = try answers(CacheLimits())
        #expect(Set(expected).count > 20, "answers differ between clients and times")
        #expect(try answers(Self.limits { $0.answers = 0 }) == expected)
        #expect(try answers(Self.limits { $0.contexts = 0 }) == expected)
        #expect(try answers(CacheLimits(), heldClients: 1) == expected)
        let none = Self.limits { ($0.answers, $0.contexts) = (0, 0) }
        #expect(try answers(none, heldClients: 1) == expected)
    }
}
