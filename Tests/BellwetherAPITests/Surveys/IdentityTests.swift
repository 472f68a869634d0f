import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Two responses to one questionnaire, after their clients are identified as one user
/// (docs/reference/surveys.md#identity).
@Suite struct IdentityTests {
    private let world: WorkerUnderTest
    private static let path = "/v1/apps/app/questionnaires/q"

    init() throws {
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "t", "type": "text", "title": "?"]]],
        ]
        world = try WorkerUnderTest(recipes: ["q": recipe])
    }

    private func save(_ respondent: String, _ id: String, _ text: String, final: Bool) throws -> String {
        var body: JSONObject = ["answers": ["t": .string(text)], "is_complete": .bool(final)]
        body[respondent] = .string(id)
        let answer = try world.send(.post, Self.path + "/responses", body: .object(body))
        return try #require(answer.json["id"].string)
    }

    private func identify() throws -> JSONValue {
        let body: JSONValue = ["client_id": "c", "user_id": "u"]
        return try world.send(.post, "/v1/apps/app/identify", body: body).json["merged"]
    }

    /// The texts of the listed responses, with their users.
    private func listed(_ query: String = "") throws -> Set<String> {
        let items = try world.send(.get, "\(Self.path)/responses?\(query)").json["items"].array ?? []
        return Set(items.map { "\($0["answers"]["t"].string ?? "") \($0["user_id"].string ?? "nobody")" })
    }

    private func submitted() throws -> JSONValue {
        try world.send(.get, "/v1/apps/app/results/q").json["submitted_count"]
    }

    @Test func aSubmittedResponseOfTheClientWinsOverADraftOfTheUser() throws {
        let own = try save("client_id", "c", "own", final: true)
        let theirs = try save("user_id", "u", "theirs", final: false)
        #expect(try identify() == ["q"])
        #expect(try listed() == ["own u"])
        #expect(try submitted() == 1)
        #expect(try world.send(.get, "/v1/apps/app/responses/\(theirs)").status == 404)
        #expect(try world.send(.get, "/v1/apps/app/responses/\(own)").json["status"] == "new")
        #expect(try world.send(.get, "\(Self.path)?user_id=u").json["reason"] == "already_responded")
    }

    @Test func ofTwoDraftsTheUsersStays() throws {
        _ = (try save("client_id", "c", "own", final: false), try save("user_id", "u", "theirs", final: false))
        #expect(try identify() == [])
        #expect(try listed() == ["theirs u"])
    }

    @Test func aDraftLosesToASubmittedResponse() throws {
        _ = (try save("client_id", "c", "own", final: false), try save("user_id", "u", "theirs", final: true))
        #expect(try identify() == [])
        #expect(try listed() == ["theirs u"])
    }

    @Test func ofTwoSubmittedResponsesBothAreListedAndCounted() throws {
        _ = (try save("client_id", "c", "own", final: true), try save("user_id", "u", "theirs", final: true))
        #expect(try identify() == [])
        #expect(try listed() == ["own nobody", "theirs u"])
        #expect(try listed("user_id=u") == ["theirs u"])
        #expect(try submitted() == 2)
        let copy = try world.send(.get, "/v1/apps/app/users/u/export").json["responses"].array ?? []
        #expect(copy.count == 2, "a copy of the user's data has both")
    }

    @Test(arguments: ["users/u", "clients/c"])
    func theResponseThatLostGoesWithItsClientAndWithTheUser(_ person: String) throws {
        _ = (try save("client_id", "c", "own", final: true), try save("user_id", "u", "theirs", final: true))
        _ = try identify()
        #expect(try world.send(.delete, "/v1/apps/app/\(person)").status == 204)
        #expect(try listed() == (person == "users/u" ? [] : ["theirs u"]))
    }
}
