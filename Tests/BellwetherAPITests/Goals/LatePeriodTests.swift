import BellwetherAPI
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Two nodes over one store (docs/reference/goals.md#what-is-stored).
@Suite struct LatePeriodTests {
    private static func experiment(_ days: Int64) -> JSONValue {
        let value: JSONValue = [
            "messages": ["m": ["surface": "card", "experiment": "{experiment}", "text": "t"]]
        ]
        let branches = ["a", "b"].map { slug -> JSONValue in
            ["slug": .string(slug), "ratio": 1, "features": [["featureId": "messaging", "value": value]]]
        }
        return [
            "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "E", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": .array(branches),
            "goals": [["name": "bought", "event": "buy", "counts": "sum", "within_days": .integer(days)]],
        ]
    }

    private static func report(_ event: JSONObject, _ world: WorkerUnderTest) throws {
        let body: JSONValue = ["client_id": "c", "events": [.object(event)]]
        #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 1)
    }

    private static func totals(_ world: WorkerUnderTest) throws -> [JSONValue] {
        let goals = try world.send(.get, "/v1/apps/app/results/e").json["goals"]
        let branches = goals["goals"][0]["branches"].array ?? []
        return [
            goals["period"], .integer(branches.reduce(0) { $0 + ($1["exposed"].integer ?? 0) }),
            .integer(branches.reduce(0) { $0 + ($1["sum"].integer ?? 0) }),
        ]
    }

    @Test(arguments: [0, 1])
    func `A node that does not know a period yet counts its clients`(_ publishes: Int) throws {
        var settings = APISettings.open
        settings.minimumCell = 1
        let first = try WorkerUnderTest(over: TestStore(), settings: settings)
        first.store.answerResults(ResultsReading(messages: []))
        #expect(try first.send(.put, "/v1/apps/app/manifest", body: WorkerUnderTest.manifest).status == 201)
        for days in 0..<publishes {
            let answer = try first.send(.put, "/v1/apps/app/recipes/e", body: Self.experiment(Int64(days) + 5))
            #expect(answer.status == 201)
        }
        let second = try WorkerUnderTest(over: first.store, settings: settings)
        #expect(try first.send(.put, "/v1/apps/app/recipes/e", body: Self.experiment(1)).status < 300)
        #expect(try first.send(.get, "/v1/apps/app/messages?client_id=c").json["messages"][0]["key"] == "m")
        try Self.report(["type": "behavior", "name": "buy"], second)
        try Self.report(["type": "message", "action": "displayed", "message": "m"], first)
        try Self.report(["type": "behavior", "name": "buy", "count": 3], second)
        #expect(try Self.totals(first) == [.integer(Int64(publishes) + 1), 1, 3])
        second.pass(seconds: 86_401)
        try Self.report(["type": "behavior", "name": "buy"], second)
        #expect(try Self.totals(first) == [.integer(Int64(publishes) + 1), 1, 3], "the window of the new period")
    }
}
