import BellwetherCore
import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The reasons why messages are not shown, logged for a sample of polls.
@Suite struct SampledExplanationsTests {
    private func worker(_ messages: JSONObject) throws -> WorkerUnderTest {
        try WorkerUnderTest(recipes: ["r": ["triggers": ["OLD": "age > 60"], "messages": .object(messages)]])
    }

    private func counts(_ worker: WorkerUnderTest) -> (polls: Int, verdicts: [Verdict: Int]) {
        let reading = worker.worker.services.metrics.reading
        return (reading.counts[.explainedPolls] ?? 0, reading.verdicts)
    }

    private static let messages: JSONObject = [
        "a": ["surface": "card", "text": "A", "trigger-if-all": ["ALWAYS"]],
        "b": ["surface": "card", "text": "B", "trigger-if-all": ["ALWAYS"]],
        "c": ["surface": "card", "text": "C", "trigger-if-all": ["OLD"]],
        "d": ["surface": "card", "text": "D", "trigger-if-all": ["NOBODY"]],
        "e": ["surface": "microsurvey", "text": "E", "trigger-if-all": ["ALWAYS"]],
    ]

    private func poll(_ worker: WorkerUnderTest, _ query: String = "&surface=card&age=40") throws {
        #expect(try worker.send(.get, "/v1/apps/app/messages?client_id=c\(query)").status == 200)
    }

    @Test func `The first poll is told of, message by message of its surfaces`() throws {
        let worker = try worker(Self.messages)
        try poll(worker)
        let counts = counts(worker)
        #expect(counts.polls == 1)
        #expect(counts.verdicts == [.selected: 1, .outranked: 1, .triggerFalse: 1, .malformed: 1])
    }

    @Test func `One poll of a period follows`() throws {
        let worker = try worker(Self.messages)
        for _ in 0..<SampledExplanations.period { try poll(worker) }
        #expect(counts(worker).polls == 1)
        try poll(worker)
        #expect(counts(worker).polls == 2)
        #expect(counts(worker).verdicts[.selected] == 2)
    }

    @Test func `It tells what explain tells`() throws {
        let worker = try worker(Self.messages)
        for _ in 0..<3 {
            let event: JSONValue = ["type": "message", "action": "clicked", "message": "a"]
            _ = try worker.send(
                .post, "/v1/apps/app/events", body: ["client_id": "c", "events": [event]])
        }
        try poll(worker)
        let explanation = try worker.send(
            .post, "/v1/apps/app/explain",
            body: ["client_id": "c", "surface": "card", "context": ["age": 40]])
        var expected: [String: Int] = [:]
        for message in explanation.json["messages"].array ?? [] where message["surface"] == "card" {
            expected[message["reason"].string ?? "?", default: 0] += 1
        }
        #expect(expected["interacted"] == 1)
        let told = counts(worker).verdicts.map { ($0.key.rawValue, $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: told) == expected)
    }

    @Test func `What one poll may cost is bounded`() throws {
        var many: JSONObject = [:]
        for number in 0..<(SampledExplanations.messages + 50) {
            many["m\(number)"] = ["surface": "card", "text": "T", "trigger-if-all": ["ALWAYS"]]
        }
        let worker = try worker(many)
        try poll(worker)
        #expect(counts(worker).verdicts.values.reduce(0, +) == SampledExplanations.messages)
    }
}
