import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// The goals of recipes over HTTP: faults, warnings, and the answers that have none (docs/reference/goals.md#goals).
@Suite struct RecipeGoalsRouteTests {
    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest(over: TestStore())
        #expect(try world.send(.put, "/v1/apps/app/manifest", body: WorkerUnderTest.manifest).status == 201)
    }

    private static func recipe(_ goals: JSONValue) -> JSONValue {
        [
            "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "N", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]],
            "goals": goals, "guards": [["goal": "bought", "worse_than": 0.2]],
            "notify": ["url": "https://hooks.example/bw"],
        ]
    }

    private static func goal(_ changes: JSONObject = [:]) -> JSONValue {
        var goal: JSONObject = ["name": "bought", "event": "purchase", "counts": "converted"]
        for (key, value) in changes { goal[key] = value }
        return .object(goal)
    }

    @Test func `A PUT with faults is 422 with all of them`() throws {
        let document = Self.recipe([Self.goal(["cap": 5]), Self.goal(["within_days": 91])])
        let answer = try world.send(.put, "/v1/apps/app/recipes/e", body: document)
        #expect(answer.status == 422)
        let faults = answer.json["errors"].array?.map { "\($0["code"].string ?? "") \($0["pointer"].string ?? "")" }
        #expect(
            faults?.sorted() == [
                "duplicate /goals/1/name", "exclusive /goals/0/cap", "range /goals/1/within_days",
            ])
        #expect(try world.send(.get, "/v1/apps/app/recipes/e").status == 404)
    }

    @Test func `An event that a client sent is known`() throws {
        func codes(_ answer: RecordedResponse) -> [String] {
            answer.json["warnings"].array?.compactMap { $0["code"].string } ?? []
        }
        let (path, document) = ("/v1/apps/app/recipes/validate", Self.recipe([Self.goal()]))
        #expect(codes(try world.send(.post, path, body: document)) == ["goal_event"])
        let events: JSONValue = ["client_id": "c", "events": [["type": "behavior", "name": "purchase"]]]
        #expect(try world.send(.post, "/v1/apps/app/events", body: events).status == 200)
        #expect(codes(try world.send(.post, path, body: document)) == [])
        let put = try world.send(.put, "/v1/apps/app/recipes/e", body: document)
        #expect(put.status == 201 && codes(put) == [])
    }

    @Test func `Owners read goals, and neither the bundle nor Cirrus has them`() throws {
        #expect(try world.send(.put, "/v1/apps/app/recipes/e", body: Self.recipe([Self.goal()])).status == 201)
        let own = try world.send(.get, "/v1/apps/app/recipes/e")
        #expect(own.json.text.contains("hooks.example"))
        let bundle = try world.send(.get, "/v1/apps/app/bundle")
        let features = try world.send(.post, "/v1/features/", body: ["client_id": "c", "context": [:]])
        for answer in [bundle, features] {
            #expect(answer.status == 200)
            for word in ["goals", "guards", "notify"] { #expect(!answer.json.text.contains("\"\(word)\"")) }
        }
    }
}
