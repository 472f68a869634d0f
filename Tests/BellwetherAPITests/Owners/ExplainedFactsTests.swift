import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// What explain says of facts that are absent, or not there yet (docs/reference/http-api.md#explain).
@Suite struct ExplainedFactsTests {
    private static func experiment() -> JSONValue {
        [
            "schemaVersion": "1.12.0", "slug": "e", "appName": "a", "userFacingName": "N",
            "userFacingDescription": "D", "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": [
                [
                    "slug": "only", "ratio": 1,
                    "features": [
                        [
                            "featureId": "messaging",
                            "value": [
                                "messages": ["m": ["text": "T", "surface": "card", "trigger-if-all": ["ALWAYS"]]]
                            ],
                        ]
                    ],
                ]
            ],
        ]
    }

    private func explain(_ world: WorkerUnderTest, _ question: JSONObject) throws -> JSONObject {
        let answer = try world.send(.post, "/v1/apps/app/explain", body: .object(question))
        return try #require(answer.status == 200 ? answer.json.object : nil, "\(answer.json.text)")
    }

    private func message(_ pacing: JSONValue) throws -> (message: JSONObject, gates: [JSONObject]) {
        let world = try WorkerUnderTest(
            recipes: ["r": ["messages": ["m": ["text": "T", "surface": "card", "pacing": pacing]]]])
        let message = try #require(
            try explain(world, ["client_id": "c", "surface": "card"])["messages"]?.array?.first?.object)
        return (message, (message["gates"]?.array ?? []).compactMap(\.object))
    }

    private func values(of gate: String, _ gates: [JSONObject]) -> JSONObject? {
        gates.first { $0["gate"]?.string == gate }?["values"]?.object
    }

    @Test func `Without a cap there is no number`() throws {
        let (message, gates) = try message(["display": "until-answered"])
        #expect(message["max_display_count"] == .null)
        #expect(values(of: "display_cap", gates)?["max_display_count"] == .null)
        let capped = try self.message(["cooldown_seconds": 1])
        #expect(capped.message["max_display_count"] == 5)
        #expect(values(of: "display_cap", capped.gates)?["max_display_count"] == 5)
    }

    @Test func `An empty sample has buckets as every sample`() throws {
        let empty = try message(["sample": ["count": 0, "total": 100]])
        let blocker = empty.message["blocked_by"]?.array?.first?.object
        let bucket = try #require(blocker?["values"]?.object?["bucket"]?.integer)
        #expect((0..<100).contains(bucket))
        #expect(empty.message["reason"] == "sampled_out")
        let one = try message(["sample": ["count": .integer(bucket), "total": 100]])
        #expect(one.message["reason"] == "sampled_out")
        let more = try message(["sample": ["count": .integer(bucket + 1), "total": 100]])
        #expect(more.message["reason"] != "sampled_out")
    }

    @Test func `A client that has never polled is told the recipes of its first poll`() throws {
        let world = try WorkerUnderTest(recipes: ["e": Self.experiment()])
        let before = try explain(world, ["client_id": "c", "surface": "card"])
        let named = before["enrollments"]?.array?.first?.object
        #expect(named?["slug"] == "e" && named?["status"] == "Enrolled" && named?["branch"] == "only")
        #expect(before["selected"] == "m" && before["first_poll"] == true)
        _ = try world.send(.get, "/v1/apps/app/messages?client_id=c&surface=card")
        let after = try explain(world, ["client_id": "c", "surface": "card"])
        #expect(after["first_poll"] == nil)
        #expect(after["enrollments"]?.array?.first?.object?["branch"] == "only" && after["selected"] == "m")
    }
}
