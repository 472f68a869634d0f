import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// The documented behaviour of questionnaires for users and owners, from offer to response
/// (docs/reference/surveys.md#questionnaires).
@Suite struct QuestionnairePromiseTests {
    private let world: WorkerUnderTest
    private let path = "/v1/apps/app/questionnaires/post-import"

    private static let questions: JSONValue = [
        ["id": "q_takeaway", "type": "text", "title": "In one line?", "placeholder": "If you like"],
        ["id": "q_details", "type": "text", "title": "More?", "multiline": true],
        ["id": "q_stars", "type": "rating", "title": "How was it?"],
    ]

    private static func recipe(_ questions: JSONValue) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Import", "description": "It was your first import.",
            "schema": ["version": 1, "questions": questions], "strings": ["submitButton": "Send it"],
            "offer": [
                "surface": "card", "text": "A minute?",
                "trigger": ["launches": 2, "foregrounds": 3, "hours_since_first_launch": 5],
            ],
        ]
    }

    init() throws {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        world = try WorkerUnderTest(manifest: .object(manifest))
        let answer = try world.send(.put, "/v1/apps/app/recipes/post-import", body: Self.recipe(Self.questions))
        #expect(answer.status == 201, "\(answer.json)")
    }

    private func save(_ answers: JSONObject, final: Bool = false) throws -> RecordedResponse {
        let body: JSONValue = ["user_id": "u", "answers": .object(answers), "is_complete": .bool(final)]
        return try world.send(.post, "\(path)/responses", body: body)
    }

    private func count(_ name: String, _ times: Int64) throws {
        let event: JSONValue = ["type": "behavior", "name": .string(name), "count": .integer(times)]
        let body: JSONValue = ["client_id": "c", "events": [event]]
        #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 1)
    }

    private func isOffered() throws -> Bool {
        try world.send(.get, "/v1/apps/app/messages?client_id=c").json["messages"] != []
    }

    @Test func allConditionsOfATriggerHaveToHold() throws {
        try count("app_launch", 2)
        #expect(try !isOffered())
        try count("app_foreground", 3)
        #expect(try !isOffered(), "the hours are missing")
        world.pass(seconds: 5 * 3600 - 1)
        #expect(try !isOffered())
        world.pass(seconds: 1)
        #expect(try isOffered())
        #expect(try isOffered(), "maybe later sends nothing, and it is offered again")
        let counters = try world.send(.get, "/v1/apps/app/clients/c/counters").json
        #expect(counters["launches"] == 2 && counters["foregrounds"] == 3)
        #expect(counters["first_launch_at"] == "2026-03-10T12:00:00Z")
    }

    @Test func theDefinitionIsServedAsItsAuthorWroteIt() throws {
        let served = try world.send(.get, "\(path)?user_id=u").json["questionnaire"]
        #expect(served["schema"]["questions"][0]["placeholder"] == "If you like")
        #expect(served["schema"]["questions"][1]["multiline"] == true)
        let strings = served["strings"].object ?? [:]
        #expect(strings.count == 20)
        #expect(strings["submitButton"] == "Send it" && strings["consentBody"] == "It was your first import.")
    }

    @Test func whoGoesBackAndAnswersAgainOverwrites() throws {
        #expect(try save(["q_takeaway": "one"]).status == 201)
        #expect(try save(["q_takeaway": "one", "q_stars": 3]).json["was_submitted"] == false)
        let last = try save(["q_takeaway": "two", "q_stars": 3], final: true)
        #expect(last.json["was_submitted"] == true)
        let item = try world.send(.get, "\(path)/responses").json["items"][0]
        #expect(item["answers"] == ["q_takeaway": "two", "q_stars": 3] && item["user_id"] == "u")
    }

    @Test func aResponseKeepsTheQuestionsThatItAnswered() throws {
        let id = try #require(try save(["q_stars": 5], final: true).json["id"].string)
        let changed = Self.recipe([["id": "q_new", "type": "nps", "title": "Would you tell?"]])
        #expect(try world.send(.put, "/v1/apps/app/recipes/post-import", body: changed).status == 200)
        let response = try world.send(.get, "/v1/apps/app/responses/\(id)").json
        #expect(response["schema_snapshot"] == ["version": 1, "questions": Self.questions])
        #expect(response["answers"] == ["q_stars": 5])
    }

    /// A draft has no snapshot: it is shown with the current questions.
    @Test func aDraftIsGoneOnWithInTheLiveRevision() throws {
        let id = try #require(try save(["q_takeaway": "one"]).json["id"].string)
        #expect(try world.send(.get, "/v1/apps/app/responses/\(id)").json["schema_snapshot"] == .null)
        let changed = Self.recipe([
            ["id": "q_takeaway", "type": "text", "title": "In two lines?"],
            ["id": "q_new", "type": "nps", "title": "Would you tell?"],
        ])
        #expect(try world.send(.put, "/v1/apps/app/recipes/post-import", body: changed).status == 200)
        let fetched = try world.send(.get, "\(path)?user_id=u").json
        #expect(fetched["in_progress"]["answers"] == ["q_takeaway": "one"])
        #expect(fetched["in_progress"]["resume_at"] == "q_new")
    }

    @Test func whoOptsOutMidwayKeepsTheDraftAndSubmitsNothing() throws {
        #expect(try save(["q_takeaway": "one"]).status == 201)
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: ["user_id": "u"]).status == 200)
        #expect(try save(["q_stars": 2]).status == 200)
        let refusal = try save(["q_stars": 2], final: true)
        #expect(refusal.status == 409 && refusal.json["errors"][0]["code"] == "globally_dismissed")
        #expect(try world.send(.get, "\(path)/responses").json["items"][0]["status"] == "draft")
    }
}
