import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// The progress that `explain` and forecasts report for gates of pacing (docs/reference/http-api.md#explain). The
/// worker's clock is at noon on 10 March 2026.
@Suite struct ExplainedPacingTests {
    private static func world(_ pacing: JSONObject, offer more: JSONObject = [:], app: JSONValue? = nil) throws
        -> WorkerUnderTest
    {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        if let app { manifest["pacing"] = app }
        return try WorkerUnderTest(
            manifest: .object(manifest), recipes: ["q": recipe(pacing, offer: more)])
    }

    private static func recipe(_ pacing: JSONObject, offer more: JSONObject = [:]) -> JSONValue {
        var offer: JSONObject = ["surface": "card", "text": "A minute?", "pacing": .object(pacing)]
        for (name, value) in more { offer[name] = value }
        return [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "nps", "title": "Tell?"]]],
            "offer": .object(offer),
        ]
    }

    private func show(_ world: WorkerUnderTest) throws {
        let event: JSONValue = ["type": "message", "action": "displayed", "message": "q"]
        let answer = try world.send(.post, "/v1/apps/app/events", body: ["client_id": "c1", "events": [event]])
        #expect(answer.json["accepted"] == 1, "\(answer.json)")
    }

    private func blockers(_ world: WorkerUnderTest, _ question: JSONObject = ["client_id": "c1"]) throws -> JSONValue {
        var question = question
        question["surface"] = "card"
        let messages = try world.send(.post, "/v1/apps/app/explain", body: .object(question)).json["messages"]
        return messages[0]["blocked_by"]
    }

    @Test func `A schedule tells when it opens, and since when it is over`() throws {
        let world = try Self.world(["start": "2026-03-10T13:00:00Z", "end": "2026-03-10T14:00:00Z"])
        #expect(try blockers(world) == [["gate": "not_started", "values": ["until": "2026-03-10T13:00:00Z"]]])
        world.pass(seconds: 7200)
        #expect(try blockers(world) == [["gate": "ended", "values": ["since": "2026-03-10T14:00:00Z"]]])
    }

    @Test func `A display limit tells how many displays there were`() throws {
        let world = try Self.world(["display": "some", "limit": 2])
        for _ in 0..<2 { try show(world) }
        #expect(try blockers(world) == [["gate": "display_limit", "values": ["count": 2, "limit": 2]]])
    }

    @Test func `Cooldowns tell until when they last`() throws {
        let world = try Self.world(["cooldown_seconds": 3600], app: ["cooldown_seconds": 60])
        try show(world)
        #expect(
            try blockers(world) == [
                ["gate": "cooldown", "values": ["until": "2026-03-10T13:00:00Z"]],
                ["gate": "cooldown_any", "values": ["until": "2026-03-10T12:01:00Z"]],
            ])
    }

    @Test func `Each cap that is reached is told, with when there is room again`() throws {
        let caps: JSONValue = [
            ["count": 2, "seconds": 86_400], ["count": 1, "seconds": 604_800, "tags": ["nps", "long"]],
            ["count": 9, "seconds": 60],
        ]
        let world = try Self.world(["tags": ["nps"]], app: ["caps": caps])
        try show(world)
        world.pass(seconds: 3600)
        try show(world)
        #expect(
            try blockers(world) == [
                [
                    "gate": "global_cap",
                    "values": ["count": 2, "limit": 2, "seconds": 86_400, "until": "2026-03-11T12:00:00Z"],
                ],
                [
                    "gate": "global_cap",
                    "values": [
                        "count": 1, "limit": 1, "seconds": 604_800, "tags": ["nps", "long"],
                        "until": "2026-03-17T13:00:00Z",
                    ],
                ],
            ])
    }

    @Test func `Quiet hours tell when they end`() throws {
        let world = try Self.world([:], app: ["quiet_hours": ["from": "11:00", "to": "13:30"]])
        #expect(try blockers(world) == [["gate": "quiet_hours", "values": ["until": "2026-03-10T13:30:00Z"]]])
    }

    @Test func `A sample tells its share and the respondent's bucket`() throws {
        let nobody = try Self.world(["sample": ["count": 0, "total": 10]])
        let empty = try blockers(nobody)[0]["values"]
        #expect(empty["count"] == 0 && empty["total"] == 10)
        #expect((0..<10).contains(empty["bucket"].integer ?? -1))
        let few = try Self.world(["sample": ["count": 1, "total": 1_000_000]])
        let values = try blockers(few)[0]["values"]
        #expect(values["count"] == 1 && values["total"] == 1_000_000)
        #expect((1..<1_000_000).contains(values["bucket"].integer ?? 0))
    }

    @Test func `Who has answered or wants nothing is told since when`() throws {
        let world = try Self.world([:])
        let save: JSONValue = ["client_id": "c1", "answers": ["q1": 9], "is_complete": true, "message": "q"]
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/q/responses", body: save).status == 201)
        #expect(
            try blockers(world) == [["gate": "already_responded", "values": ["since": "2026-03-10T12:00:00Z"]]])
        _ = try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: ["client_id": "c2"])
        #expect(
            try blockers(world, ["client_id": "c2"]) == [
                ["gate": "opted_out", "values": ["since": "2026-03-10T12:00:00Z"]]
            ])
    }

    @Test func `A recipe that takes no answers is named`() throws {
        var closed = Self.recipe([:]).object ?? [:]
        (closed["is_active"], closed["offer"]) = (false, nil)
        let message: JSONValue = ["surface": "card", "text": "t", "presents": "q"]
        let world = try WorkerUnderTest(recipes: ["m": ["messages": ["m": message]], "q": .object(closed)])
        #expect(try blockers(world) == [["gate": "inactive", "values": ["presents": "q"]]])
    }

    @Test func `Full quotas and limits tell their names and how full they are`() throws {
        let quotas: JSONValue = [
            ["name": "first", "when": true, "limit": 1], ["name": "large", "when": true, "limit": 9],
            ["name": "second", "when": true, "limit": 1],
            ["name": "counted", "when": true, "limit": 1, "action": "continue"],
        ]
        let world = try Self.world(["response_limit": 1, "quotas": quotas])
        let save: JSONValue = ["client_id": "c1", "answers": ["q1": 9], "is_complete": true, "message": "q"]
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/q/responses", body: save).status == 201)
        // A publish waits for all earlier updates of the quota levels.
        _ = try world.send(.put, "/v1/apps/app/strings/en-US", body: [:])
        #expect(
            try blockers(world, ["client_id": "c2"]) == [
                ["gate": "quota_full", "values": ["name": "first", "taken": 1, "limit": 1]],
                ["gate": "quota_full", "values": ["name": "second", "taken": 1, "limit": 1]],
                ["gate": "response_limit", "values": ["taken": 1, "limit": 1]],
            ])
        let forecast = try world.send(
            .post, "/v1/apps/app/recipes/forecast?slug=q",
            body: Self.recipe([
                "response_limit": 1, "quotas": quotas,
            ])
        ).json
        #expect(forecast["gate"] == "quota_full")
    }

    @Test func `A forecast knows the limits of a recipe that is not published`() throws {
        let world = try Self.world(["response_limit": 2])
        func gate(_ pacing: JSONObject, of slug: String = "n") throws -> JSONValue {
            let path = "/v1/apps/app/recipes/forecast?slug=\(slug)"
            return try world.send(.post, path, body: Self.recipe(pacing)).json["gate"]
        }
        #expect(try gate(["response_limit": 0]) == "response_limit")
        #expect(try gate(["quotas": [["name": "none", "when": true, "limit": 0]]]) == "quota_full")
        #expect(try gate(["response_limit": 1]) == .null)
        for client in ["c1", "c2"] {
            let save: JSONValue = [
                "client_id": .string(client), "answers": ["q1": 9], "is_complete": true, "message": "q",
            ]
            #expect(try world.send(.post, "/v1/apps/app/questionnaires/q/responses", body: save).status == 201)
        }
        _ = try world.send(.put, "/v1/apps/app/strings/en-US", body: [:])
        #expect(try gate(["response_limit": 2], of: "q") == "response_limit")
        #expect(try gate(["response_limit": 3], of: "q") == .null)
    }

    @Test func `Without a client, events count for launches too`() throws {
        let trigger: JSONValue = ["launches": 3, "days_since_first_launch": 7]
        let world = try Self.world([:], offer: ["trigger": trigger])
        let event: JSONValue = ["name": "app_launch", "at": "2026-03-01T09:00:00Z", "count": 2]
        #expect(
            try blockers(world, ["events": [event]])[0]["values"] == [
                "launches": 2, "foregrounds": 0, "first_launch_at": "2026-03-01T09:00:00Z",
            ])
        #expect(try blockers(world, ["events": [event, event]]) == [])
    }

    @Test func `A forecast names the gate that closes a message to everybody`() throws {
        let world = try Self.world([:])
        func forecast(_ pacing: JSONObject) throws -> JSONValue {
            try world.send(.post, "/v1/apps/app/recipes/forecast?slug=n", body: Self.recipe(pacing)).json
        }
        let late = try forecast(["start": "2026-04-01T00:00:00Z", "sample": ["count": 0, "total": 10]])
        #expect(late["gate"] == "not_started")
        #expect(
            late["messages"][0]["blocked_by"] == [
                ["gate": "not_started", "values": ["until": "2026-04-01T00:00:00Z"]],
                ["gate": "sampled_out", "values": ["count": 0, "total": 10, "bucket": .null]],
            ])
        let open = try forecast(["display": "once", "cooldown_seconds": 60])
        #expect(open["gate"] == .null)
        #expect(open["messages"][0]["blocked_by"] == [])
    }
}
