import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The owner's list of responses to questionnaires and surveys (docs/reference/http-api.md#responses).
@Suite struct ResponseListTests {
    private let world: WorkerUnderTest

    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q", "keep": ["plan", "age"],
        "schema": [
            "version": 1,
            "questions": [
                [
                    "id": "use", "type": "multi_choice", "title": "Feedback/use",
                    "options": [["id": "maps", "label": "Feedback/maps"], ["id": "diary", "label": "Diary"]],
                ],
                ["id": "phone", "type": "text", "title": "Phone?", "sensitive": true],
            ],
        ],
    ]

    init() throws {
        world = try WorkerUnderTest(manifest: FlowRouteTests.manifest)
        let strings: JSONValue = ["Feedback": ["use": "What do you use?", "maps": "Maps"]]
        #expect(try world.send(.put, "/v1/apps/app/strings/en-US", body: strings).status == 201)
        #expect(try send(.put, "recipes/q", Self.questionnaire).status == 201)
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) throws -> RecordedResponse {
        try world.send(method, "/v1/apps/app/\(path)", body: body)
    }

    @discardableResult
    private func save(_ client: String, _ more: JSONObject = [:]) throws -> String {
        world.pass(seconds: 1)
        var body: JSONObject = [
            "client_id": .string(client), "answers": ["use": ["maps", "diary"], "phone": "555"], "is_complete": true,
        ]
        for member in more { body[member.key] = member.value }
        return try send(.post, "questionnaires/q/responses", .object(body)).json["id"].string ?? ""
    }

    private func ids(_ query: String) throws -> [String?] {
        (try send(.get, "questionnaires/q/responses?\(query)").json["items"].array ?? []).map { $0["id"].string }
    }

    @Test func `34.5 Answers are told in words beside their ids`() throws {
        let id = try save("c1")
        let words: JSONValue = ["id": "use", "question": "What do you use?", "answer": "Maps, Diary"]
        let item = try send(.get, "questionnaires/q/responses").json["items"][0]
        #expect(item["answers"]["use"] == ["maps", "diary"] && item["texts"] == [words])
        let alone = try send(.get, "responses/\(id)").json
        #expect(alone["texts"] == [words, ["id": "phone", "question": "Phone?", "answer": "555"]])
    }

    @Test func `34.5 Words are those of the questions that were answered`() throws {
        let id = try save("c1")
        let next: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "use", "type": "text", "title": "Why?"]]],
        ]
        #expect(try send(.put, "recipes/q", next).status == 200)
        #expect(try send(.get, "questionnaires/q/responses").json["items"][0]["texts"][0]["answer"] == "Maps, Diary")
        #expect(try send(.get, "responses/\(id)").json["texts"][0]["question"] == "What do you use?")
    }

    @Test func `34.5 An export leaves development out unless it is asked for`() throws {
        let (real, test) = (try save("c1", ["app_version": "2.1"]), try save("c2", ["is_dev": true]))
        #expect(try ids("") == [test, real] && ids("export=true") == [real])
        #expect(try ids("export=true&data_mode=all") == [test, real])
        #expect(try ids("export=true&is_dev=true") == [test] && ids("data_mode=production") == [real])
        #expect(try send(.get, "questionnaires/q/responses?export=true").json["items"][0]["app_version"] == "2.1")
    }

    @Test func `Responses of a deleted recipe are listed`() throws {
        let id = try save("c1")
        #expect(try send(.delete, "recipes/q").status == 204)
        #expect(try ids("") == [id])
        #expect(try send(.get, "questionnaires/q/responses").json["items"][0]["texts"][0]["answer"] == "Maps, Diary")
        #expect(try send(.get, "surveys/never/responses").status == 404)
    }

    @Test func `34.9 A response keeps the attributes that its recipe names, as its last save has them`() throws {
        let draft: JSONObject = ["attributes": ["plan": "free", "age": 40, "other": 1], "is_complete": false]
        let id = try save("c1", draft)
        try save("c1", ["attributes": ["plan": "pro"]])
        try save("c2", ["attributes": ["plan": "free"]])
        let item = try send(.get, "questionnaires/q/responses?attr.plan=pro").json["items"][0]
        #expect(item["id"].string == id && item["attributes"] == ["plan": "pro", "age": 40])
        #expect(try ids("attr.age=40&attr.plan=pro") == [id] && ids("attr.age=41") == [])
        let kept = try send(.get, "clients/c1/export").json
        #expect(kept["responses"][0]["attributes"]["plan"] == "pro")
        let served = try send(.get, "questionnaires/q?client_id=c9").body
        #expect(!String(decoding: served, as: UTF8.self).contains("\"keep\""))
    }

    @Test func `34.9 What a recipe keeps is a short list of names`() throws {
        var document = Self.questionnaire.object ?? [:]
        document["keep"] = "plan"
        let wrong = try send(.put, "recipes/w", .object(document))
        #expect(wrong.status == 422 && wrong.json["errors"][0]["pointer"] == "/keep")
        document["keep"] = ["plan", "plan", "land"]
        let warned = try send(.put, "recipes/w", .object(document))
        let warnings = (warned.json["warnings"].array ?? []).map { [$0["pointer"], $0["code"]] }
        #expect(warnings.contains(["/keep/1", "duplicate"]) && warnings.contains(["/keep/2", "unknown_attribute"]))
    }
}
