import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// The text of `explain` for each gate, open or closed (docs/reference/http-api.md#explain). The worker's clock is at
/// noon on 10 March 2026.
@Suite struct ExplainedGatesTests {
    private static let offered: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": [
            "version": 1,
            "questions": [["id": "q1", "type": "text", "title": "Tell?", "sensitive": true]],
        ],
        "offer": [
            "surface": "card", "text": "A minute?",
            "pacing": ["end": "2026-03-11T00:00:00Z", "display": "some", "limit": 3, "cooldown_seconds": 60],
        ],
    ]

    private static let targeted: JSONValue = [
        "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "E", "userFacingDescription": "An experiment",
        "isEnrollmentPaused": false, "proposedEnrollment": 7, "targeting": "plan == 'pro'",
        "bucketConfig": [
            "randomizationUnit": "nimbus_id", "namespace": "e", "start": 0, "count": 10_000, "total": 10_000,
        ],
        "branches": [["slug": "a", "ratio": 1, "features": []]],
    ]

    private func world(_ recipes: [String: JSONValue]) throws -> WorkerUnderTest {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        return try WorkerUnderTest(manifest: .object(manifest), recipes: recipes)
    }

    @Test func `Each gate that a message has is told with its values, in order`() throws {
        let world = try world(["q": Self.offered])
        let question: JSONValue = ["client_id": "c1", "surface": "card"]
        let explained = try world.send(.post, "/v1/apps/app/explain", body: question).json["messages"][0]
        let gates = explained["gates"].array ?? []
        #expect(gates.allSatisfy { $0.object?["holds"] == true }, "\(explained)")
        #expect(
            gates.compactMap { $0.object?["gate"]?.string } == [
                "surface", "content", "schedule", "opt_out", "display_cap", "interaction", "triggers", "responded",
                "display_limit", "cooldown",
            ])
        #expect(gates.first { $0.object?["gate"] == "schedule" }?.object?["values"] == ["end": "2026-03-11T00:00:00Z"])
        #expect(gates.first { $0.object?["gate"] == "display_limit" }?.object?["values"] == ["count": 0, "limit": 3])
    }

    @Test func `A closed gate is told with what keeps it closed`() throws {
        let world = try world(["q": Self.offered])
        let event: JSONValue = ["type": "message", "action": "displayed", "message": "q"]
        _ = try world.send(.post, "/v1/apps/app/events", body: ["client_id": "c1", "events": [event]])
        let question: JSONValue = ["client_id": "c1", "surface": "card"]
        let explained = try world.send(.post, "/v1/apps/app/explain", body: question).json["messages"][0]
        let closed = (explained["gates"].array ?? []).filter { $0.object?["holds"] == false }
        #expect(
            closed == [
                [
                    "gate": "cooldown", "holds": false, "values": ["seconds": 60],
                    "blocked_by": [["gate": "cooldown", "values": ["until": "2026-03-10T12:01:00Z"]]],
                ]
            ])
        #expect(explained["blocked_by"] == closed[0].object?["blocked_by"])
    }

    @Test func `Enrollments have the gates of their recipes`() throws {
        let world = try world(["e": Self.targeted])
        let question: JSONValue = ["surface": "card", "context": ["plan": "free"]]
        let explained = try world.send(.post, "/v1/apps/app/explain", body: question).json["enrollments"]
        let own = (explained.array ?? []).first { $0.object?["slug"] == "e" }?.object
        let gates = own?["gates"]?.array ?? []
        #expect(gates.compactMap { $0.object?["gate"]?.string } == ["app_name", "channel", "targeting", "bucket"])
        #expect(gates.first { $0.object?["gate"] == "targeting" }?.object?["holds"] == false, "\(gates)")
    }

    @Test func `A single response names its sensitive questions`() throws {
        let world = try world(["q": Self.offered])
        let saved = try world.send(
            .post, "/v1/apps/app/questionnaires/q/responses",
            body: ["client_id": "c1", "answers": ["q1": "secret"], "is_complete": true])
        let id = try #require(saved.json["id"].string)
        #expect(try world.send(.get, "/v1/apps/app/responses/\(id)").json["sensitive"] == ["q1"])
        let item = try world.send(.get, "/v1/apps/app/questionnaires/q/responses").json["items"][0]
        #expect(item.object?["sensitive"] == nil && item["answers"] == [:])
    }
}
