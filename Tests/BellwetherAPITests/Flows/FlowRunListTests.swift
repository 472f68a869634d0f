import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The owner's lists of flow runs, and their triage (docs/reference/http-api.md#responses).
@Suite struct FlowRunListTests {
    private let world: WorkerUnderTest

    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "keep": ["plan"],
        "steps": [
            [
                "id": "goal", "type": "question",
                "config": [
                    "title": "Goal?", "options": [["id": "a", "label": "Lose weight"], ["id": "b", "value": 7]],
                ],
            ],
            [
                "id": "account", "type": "form",
                "config": [
                    "fields": [
                        ["id": "email", "type": "email", "label": "E-mail", "sensitive": true],
                        ["id": "city", "type": "text", "label": "Town"],
                    ]
                ],
            ],
        ],
    ]

    init() throws {
        world = try WorkerUnderTest(manifest: FlowRouteTests.manifest)
        #expect(try world.send(.put, "/v1/apps/app/recipes/tour", body: Self.flow).status == 201)
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) throws -> RecordedResponse {
        try world.send(method, "/v1/apps/app/\(path)", body: body)
    }

    @discardableResult
    private func walk(_ client: String, steps: Int = 2, _ more: JSONObject = [:]) throws -> String {
        world.pass(seconds: 1)
        var body: JSONObject = ["client_id": .string(client)]
        for member in more { body[member.key] = member.value }
        let id = try #require(send(.post, "flows/tour/runs", .object(body)).json["run_id"].string)
        let answers: [JSONValue] = [
            ["step_id": "goal", "response": ["selected": ["a"]]],
            ["step_id": "account", "response": ["email": "secret@example.org", "city": "Ulm"]],
        ]
        for answer in answers.prefix(steps) {
            #expect(try send(.post, "runs/\(id)/advance", answer).status == 200)
        }
        return id
    }

    private func ids(_ query: String) throws -> [String?] {
        let page = try send(.get, "flows/tour/runs?\(query)")
        #expect(page.status == 200, "\(page.json.text)")
        return (page.json["items"].array ?? []).map { $0["id"].string }
    }

    @Test func `34.5 Runs are listed with their state, their texts and no sensitive answer`() throws {
        let open = try walk("c1", steps: 1)
        let done = try walk("c2", steps: 2)
        let page = try send(.get, "flows/tour/runs").json
        #expect((page["items"].array ?? []).map { $0["id"].string } == [done, open])
        #expect(page["has_more"] == false && page["cursor"] == .null && page["examined"] == 2)
        let first = page["items"][0]
        #expect(first["status"] == "new" && first["run_status"] == "completed")
        #expect(first["outcome"] == ["reason": "finished"])
        #expect(first["answers"] == ["goal": ["selected": ["a"]], "account": ["city": "Ulm"]])
        #expect(
            first["texts"] == [
                ["step_id": "goal", "id": "selected", "question": "Goal?", "answer": "Lose weight"],
                ["step_id": "account", "id": "city", "question": "Town", "answer": "Ulm"],
            ])
        #expect(!page.text.contains("secret@example.org"))
        let second = page["items"][1]
        #expect(second["status"] == "draft" && second["run_status"] == "active" && second["step_id"] == "account")
    }

    @Test func `34.5 One run has its sensitive answers, a status and notes`() throws {
        let id = try walk("c1")
        let alone = try send(.get, "responses/\(id)").json
        #expect(alone["answers"]["account"]["email"] == "secret@example.org")
        #expect(alone["texts"].array?.count == 3)
        #expect(try send(.patch, "responses/\(id)", ["status": "in_review"]).json["status"] == "in_review")
        #expect(try send(.post, "responses/\(id)/comments", ["body": "Call"]).status == 201)
        let listed = try send(.get, "flows/tour/runs?status=in_review").json["items"][0]
        #expect(listed["comments_count"] == 1 && listed["run_status"] == "completed")
        #expect(try send(.delete, "responses/\(id)").status == 204)
        #expect(try ids("") == [])
    }

    @Test func `A run that respondents have dismissed is new, and one that goes on has no status to set`() throws {
        let (gone, open) = (try walk("c1", steps: 1), try walk("c2", steps: 1))
        #expect(try send(.post, "runs/\(gone)/dismiss", [:]).status == 200)
        let item = try send(.get, "responses/\(gone)").json
        #expect(item["status"] == "new" && item["run_status"] == "dismissed" && item["submitted_at"] == .null)
        #expect(try send(.patch, "responses/\(open)", ["status": "addressed"]).status == 409)
    }

    @Test func `Runs of an earlier revision are told by its texts`() throws {
        let id = try walk("c1")
        var steps = Self.flow["steps"].array ?? []
        steps[0] = ["id": "goal", "type": "question", "config": ["title": "Why?", "options": [["id": "z"]]]]
        var next = Self.flow.object ?? [:]
        next["steps"] = .array(steps)
        #expect(try send(.put, "recipes/tour", .object(next)).status == 200)
        #expect(try send(.get, "flows/tour/runs").json["items"][0]["texts"][0]["answer"] == "Lose weight")
        #expect(try send(.delete, "recipes/tour").status == 204)
        #expect(try ids("") == [id])
        #expect(try send(.get, "responses/\(id)").json["texts"][0]["answer"] == "Lose weight")
    }

    @Test func `34.9 A run keeps named attributes and where its respondent came from`() throws {
        let context: JSONValue = ["source": "push", "campaign": "winter", "userProperties": ["name": "Ann"]]
        let id = try walk("c1", ["attributes": ["plan": "pro", "age": 40], "context": context])
        try walk("c2", ["attributes": ["plan": "free"]])
        let item = try send(.get, "flows/tour/runs?attr.plan=pro").json["items"][0]
        #expect(item["id"].string == id && item["attributes"] == ["plan": "pro"])
        #expect(item["attribution"] == ["source": "push", "campaign": "winter"])
        #expect(try ids("attr.campaign=winter") == [id] && ids("attr.age=40") == [])
        let told = world.store.records.filter { $0.contains("winter") && $0.contains("\"source\":\"push\"") }
        #expect(told.contains { $0.contains("onboarding_flow_started") })
        #expect(told.contains { $0.contains("onboarding_step_completed") })
        #expect(told.contains { $0.contains("onboarding_flow_completed") })
    }

    @Test func `Lists are filtered by time, text, question, revision and client`() throws {
        let (first, second) = (try walk("c1", steps: 1), try walk("c2"))
        #expect(try ids("q=ULM") == [second] && ids("q=ulm&question=selected") == [])
        #expect(try ids("question=city") == [second] && ids("client_id=c1") == [first])
        #expect(try ids("revision=1") == [second, first] && ids("revision=2") == [])
        #expect(try ids("q=secret") == [])
        #expect(try ids("from=2026-03-10&to=2026-03-10") == [second, first])
        #expect(try ids("from=2026-03-11") == [] && ids("to=2026-03-09") == [])
        let page = try send(.get, "flows/tour/runs?limit=1&revision=1").json
        #expect(page["items"][0]["id"].string == second)
        #expect(try ids("limit=1&revision=1&cursor=\(page["cursor"].string ?? "")") == [first])
        for query in ["from=yesterday", "q=", "data_mode=none", "wrong=1"] {
            #expect(try send(.get, "flows/tour/runs?\(query)").status == 400)
        }
    }

    @Test func `Only a flow has runs to list`() throws {
        let questionnaire = QuestionnaireTests.definition()
        #expect(try send(.put, "recipes/weekly", questionnaire).status == 201)
        #expect(try send(.get, "flows/weekly/runs").status == 404)
        #expect(try send(.get, "questionnaires/tour/responses").status == 404)
        #expect(try send(.get, "flows/never/runs").status == 404)
    }
}
