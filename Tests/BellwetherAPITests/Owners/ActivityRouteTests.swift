import BellwetherBase
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The activity of the last 24 hours for owners (docs/reference/http-api.md#activity).
@Suite struct ActivityRouteTests {
    private static let app = "/v1/apps/app"
    private static let recipe: JSONValue = [
        "messages": ["hello": ["text": "Hello", "surface": "home"], "again": ["text": "Again", "surface": "home"]]
    ]
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "Q"]]],
    ]
    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest()
        for (slug, document) in [("hi", Self.recipe), ("q", Self.questionnaire)] {
            #expect(try world.send(.put, Self.app + "/recipes/\(slug)", body: document).status == 201)
        }
    }

    private func event(_ message: String, of client: String) throws {
        let event: JSONValue = ["type": "message", "action": "displayed", "message": .string(message)]
        let body: JSONValue = ["client_id": .string(client), "events": [event]]
        #expect(try world.send(.post, Self.app + "/events", body: body).status == 200)
    }

    private func activity() throws -> JSONValue {
        let answer = try world.send(.get, Self.app + "/activity")
        #expect(answer.status == 200)
        return answer.json
    }

    private static func hours(_ last: JSONValue..., filler: JSONValue = 0) -> JSONValue {
        .array([JSONValue](repeating: filler, count: 24 - last.count) + last)
    }

    @Test func `Nothing is told where nothing has happened`() throws {
        let json = try activity()
        #expect(json["recipes"] == [] && json["problems"] == [] && json["since"] == "2026-03-10T12:00:00Z")
        #expect(json["node"] == .null)
        #expect(try world.send(.get, Self.app + "/activity?x=1").status == 400)
        #expect(try world.send(.get, "/v1/apps/none/activity").status == 404)
    }

    @Test func `Displays are counted by the hour, over all messages of a recipe, small counts withheld`() throws {
        for number in 0..<4 { try event("hello", of: "c\(number)") }
        #expect(try activity()["recipes"][0]["shown"] == Self.hours(.null))
        for number in 0..<3 { try event("again", of: "c\(number)") }
        world.pass(seconds: 3600)
        for number in 0..<6 { try event("hello", of: "d\(number)") }
        let json = try activity()["recipes"]
        #expect(json == [["slug": "hi", "shown": Self.hours(7, 6), "started": 0, "answered": 0, "submitted": 0]])
        world.pass(seconds: 24 * 3600)
        #expect(try activity()["recipes"] == [])
    }

    @Test func `Runs are counted for their recipe`() throws {
        for number in 0..<6 {
            let save: JSONValue = [
                "client_id": .string("c\(number)"), "answers": ["q1": "words"], "is_complete": .bool(number < 3),
            ]
            #expect(try world.send(.post, Self.app + "/questionnaires/q/responses", body: save).status == 201)
        }
        #expect(
            try activity()["recipes"] == [
                ["slug": "q", "shown": Self.hours(0), "started": 6, "answered": 0, "submitted": .null]
            ])
    }

    @Test func `Events that were refused are a problem, with their reason`() throws {
        try event("unknown", of: "c")
        world.pass(seconds: 60)
        try event("unknown", of: "c")
        #expect(
            try activity()["problems"] == [
                [
                    "code": "events_refused", "slug": .null, "count": 2, "last_at": "2026-03-10T12:01:00Z",
                    "detail": "unknown_message",
                ]
            ])
    }

    @Test func `A malformed message is a problem of its recipe, once for each client`() throws {
        let broken: JSONValue = [
            "messages": ["broken": ["text": "B", "surface": "home", "trigger-if-all": ["NO_SUCH_TRIGGER"]]]
        ]
        #expect(try world.send(.put, Self.app + "/recipes/bad", body: broken).status == 201)
        for client in ["a", "a", "b"] {
            #expect(try world.send(.get, Self.app + "/messages?client_id=\(client)").status == 200)
        }
        let problem = try activity()["problems"][0]
        #expect(problem["code"] == "malformed_message" && problem["slug"] == "bad" && problem["count"] == 2)
        #expect(problem["detail"] == "broken")
    }
}
