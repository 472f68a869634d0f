import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// A user's data is deleted on request, and users get an export (docs/reference/http-api.md#erasure).
@Suite struct UserErasureTests {
    private static let path = "/v1/apps/app/questionnaires/q/responses"
    private let world: WorkerUnderTest

    init() throws {
        let quota: JSONValue = ["name": "all", "when": true, "limit": 1]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "notify": ["url": "https://hooks.example/x"],
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
            "offer": ["surface": "card", "text": "A minute?", "pacing": ["quotas": [quota]]],
        ]
        world = try WorkerUnderTest(recipes: ["q": recipe])
        let identity = try world.send(
            .post, "/v1/apps/app/identify", body: ["client_id": "phone", "user_id": "ada"])
        #expect(identity.status == 200)
        let event: JSONValue = ["type": "message", "action": "displayed", "message": "q"]
        _ = try world.send(.post, "/v1/apps/app/events", body: ["client_id": "phone", "events": [event]])
        let save: JSONValue = ["client_id": "phone", "answers": ["q1": "my words"], "is_complete": true]
        let headers = [(name: "Idempotency-Key", value: "k1")]
        #expect(try world.send(.post, Self.path, headers: headers, body: save).status == 201)
    }

    @Test func aUserGetsACopy() throws {
        let kept = try world.send(.get, "/v1/apps/app/users/ada/export").json
        #expect(kept["user_id"] == "ada" && kept["clients"] == ["phone"])
        #expect(kept["messages"][0]["message"] == "q" && kept["messages"][0]["display_count"] == 1)
        #expect(kept["responses"][0]["answers"]["q1"] == "my words")
        let client = try world.send(.get, "/v1/apps/app/clients/phone/export").json
        #expect(client["user_id"] == "ada" && client["responses"][0]["answers"]["q1"] == "my words")
        #expect(try world.send(.get, "/v1/apps/app/users/bob/export").json["responses"] == [])
    }

    @Test func nothingOfAnErasedUserIsLeft() throws {
        #expect(try world.send(.delete, "/v1/apps/app/users/ada").status == 204)
        #expect(try world.send(.delete, "/v1/apps/app/users/ada").status == 204)
        let kept = try world.send(.get, "/v1/apps/app/users/ada/export").json
        #expect(kept["responses"] == [] && kept["messages"] == [] && kept["clients"] == [])
        #expect(try world.send(.get, "/v1/apps/app/clients/phone/export").json["user_id"] == .null)
        #expect(try world.send(.get, Self.path).json["items"] == [])
        #expect(try world.send(.get, "/v1/apps/app/webhooks").json["items"] == [])
        let again: JSONValue = ["client_id": "phone", "answers": ["q1": "my words"], "is_complete": true]
        let answer = try world.send(
            .post, Self.path, headers: [(name: "Idempotency-Key", value: "k1")], body: again)
        #expect(answer.json["status"] == "new", "the place in the quota is free again, and no stored reply is left")
        let audit = String(decoding: try world.send(.get, "/v1/audit").body, as: UTF8.self)
        let erasures = audit.split(separator: "\n").filter { $0.contains(#""action":"erase""#) }
        #expect(erasures.count == 1 && erasures[0].contains(#""kind":"user""#))
    }

    @Test func aUsersResponseStaysWhenItsClientIsErased() throws {
        #expect(try world.send(.delete, "/v1/apps/app/clients/phone").status == 204)
        let kept = try world.send(.get, "/v1/apps/app/users/ada/export").json
        #expect(kept["clients"] == [] && kept["responses"][0]["answers"]["q1"] == "my words")
        #expect(kept["responses"][0]["client_id"] == .null && kept["responses"][0]["user_id"] == "ada")
        let other: JSONValue = ["client_id": "other", "answers": ["q1": "x"], "is_complete": true]
        #expect(try world.send(.post, Self.path, body: other).json["status"] == "screened_out", "the place is taken")
        #expect(try world.send(.delete, "/v1/apps/app/clients/phone").status == 204)
    }

    @Test func anErasedClientGivesItsPlaceBack() throws {
        #expect(try world.send(.delete, "/v1/apps/app/users/ada").status == 204)
        for client in ["one", "two"] {
            let save: JSONValue = ["client_id": .string(client), "answers": ["q1": "x"], "is_complete": true]
            #expect(try world.send(.post, Self.path, body: save).json["status"] == "new")
            #expect(try world.send(.delete, "/v1/apps/app/clients/\(client)").status == 204)
        }
    }

    /// A run that began without a client belongs to the client that later saves it by the run's id.
    @Test func aRunThatWasNobodysGoesWithTheClientThatTookItOver() throws {
        #expect(try world.send(.delete, "/v1/apps/app/users/ada").status == 204)
        let first = try world.send(.post, Self.path, body: ["answers": ["q1": "mine"]])
        let id = try #require(first.json["id"].string)
        let claim: JSONValue = ["client_id": "c", "response_id": .string(id), "answers": [:]]
        #expect(try world.send(.post, Self.path, body: claim).status == 200)
        #expect(try world.send(.get, "/v1/apps/app/clients/c/export").json["responses"][0]["id"] == .string(id))
        #expect(try world.send(.delete, "/v1/apps/app/clients/c").status == 204)
        #expect(try world.send(.get, "/v1/apps/app/responses/\(id)").status == 404)
    }

    @Test func anErasedClientsActionsAreNotAnsweredAgain() throws {
        let flow: JSONValue = [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "a", "type": "welcome", "config": ["title": "A"]],
                ["id": "b", "type": "welcome", "config": ["title": "B"]],
            ],
        ]
        let world = try WorkerUnderTest(recipes: ["tour": flow])
        let started = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c"])
        let id = try #require(started.json["run_id"].string)
        let action: JSONValue = ["step_id": "a", "response": [:], "action": "next", "id": "once"]
        let advance = { try world.send(.post, "/v1/apps/app/runs/\(id)/advance", body: action) }
        #expect(try advance().json["step_id"] == "b" && advance().status == 200)
        #expect(try world.send(.delete, "/v1/apps/app/clients/c").status == 204)
        #expect(try advance().status == 404)
    }
}
