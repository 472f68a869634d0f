import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Surveys
import TestSupport
import Testing

/// The export of a person's data is complete (docs/reference/http-api.md#erasure).
@Suite struct KeptDataTests {
    private static let survey: JSONValue = [
        "messages": [
            "m": [
                "surface": "microsurvey", "style": "MICROSURVEY", "text": "?",
                "microsurveyConfig": ["options": ["Yes", "No"]],
            ]
        ]
    ]
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        "offer": [
            "surface": "card", "text": "?", "pacing": ["quotas": [["name": "all", "when": true, "limit": 9]]],
        ],
    ]
    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            [
                "id": "f", "type": "form", "hook": ["webhook_url": "https://hooks.example/x"],
                "config": [
                    "fields": [["id": "name", "type": "text"], ["id": "mail", "type": "text", "sensitive": true]]
                ],
            ],
            [
                "id": "c", "type": "interactive_chat", "render_hook": ["webhook_url": "https://hooks.example/y"],
                "config": ["chat_config": ["webhook": ["webhook_url": "https://hooks.example/z"]]],
            ],
        ],
    ]

    private let world: WorkerUnderTest

    init() throws {
        let receiver = HookReceiver([
            HookReceiver.answer(["action": "proceed_with_data", "data": ["found": "computed-words"]]),
            HookReceiver.answer(["title": "rendered-words"]),
            HookReceiver.answer(["messages": [["content": "reply-words"]], "data": ["thread": "thread-words"]]),
        ])
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["attributes"] = ["plan": "string", "age": "number"]
        manifest["pacing"] = ["caps": [["count": 5, "session": true], ["count": 5, "seconds": 3600]]]
        world = try WorkerUnderTest(
            manifest: .object(manifest), recipes: ["s": Self.survey, "q": Self.questionnaire, "tour": Self.flow],
            hooks: HookReceiver.caller(receiver))
    }

    private func post(_ path: String, _ body: JSONValue) throws -> JSONValue {
        let answer = try world.send(.post, "/v1/apps/app/\(path)", body: body)
        guard (200...201).contains(answer.status) else { throw Failure("\(path): \(answer.json)") }
        return answer.json
    }

    private func copy(_ path: String) throws -> JSONValue {
        try world.send(.get, "/v1/apps/app/\(path)/export").json
    }

    /// All strings and numbers within a value.
    private func leaves(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let members): members.flatMap { leaves($0.value) }
        case .array(let elements): elements.flatMap { leaves($0) }
        default: [value]
        }
    }

    @Test(arguments: ["clients/c", "users/u"])
    func everyMemberOfAStoredRunIsInTheCopy(_ person: String) throws {
        let ids: JSONObject =
            person == "users/u" ? ["client_id": "c", "user_id": "u"] : ["client_id": "c"]
        let context: JSONValue = ["campaign": "campaign-words", "userProperties": ["city": "property-words"]]
        let start: JSONObject = ["context": context, "attributes": ["plan": "plan-words"], "locale": "de"]
        let started = try post("flows/tour/runs", .object(JSONObject(Array(ids) + Array(start))))
        let id = try #require(started["run_id"].string)
        let response: JSONValue = ["name": "name-words", "mail": "mail-words"]
        _ = try post("runs/\(id)/advance", ["step_id": "f", "response": response])
        _ = try post("runs/\(id)/chat", ["step_id": "c", "text": "said-words", "id": "key-words"])
        let save: JSONObject = ["answers": ["q1": "answer-words"], "device_model": "model-words"]
        let draft = try post("questionnaires/q/responses", .object(JSONObject(Array(ids) + Array(save))))
        _ = try post("responses/\(draft["id"].string ?? "")/comments", ["body": "comment-words"])

        let copy = try copy(person)
        var query = RunQuery(app: "app", limit: 10)
        if person == "users/u" { query.userID = "u" } else { query.clientID = "c" }
        let runs = try world.store.readRuns(query)
        #expect(runs.count == 2 && copy["responses"].array?.count == 2)
        let text = copy.text
        for run in runs {
            var kept = run
            // The values that results count derive from the answers, which are in the export.
            (kept.marks, kept.stoppedAt) = (nil, nil)
            for leaf in leaves(.object(kept.json)) {
                // The export formats a run's own times as text; the definition lists the sensitive fields.
                guard let leaf = leaf.string, !run.sensitiveIDs.contains(Identifier(leaf)) else { continue }
                #expect(text.contains(JSONValue.string(leaf).text), "\(leaf)")
            }
        }
        for words in ["campaign", "property", "plan", "said", "reply", "thread", "computed", "rendered", "comment"] {
            #expect(text.contains("\(words)-words"), "\(words)")
        }
        #expect(copy["responses"].array?.contains { $0["quotas"].array?.count == 1 } == true)
    }

    @Test func everyPartOfAClientsStateIsInTheCopy() throws {
        let displayed: JSONObject = ["type": "message", "action": "displayed", "message": "q", "session_id": "s1"]
        let events: JSONValue = [
            ["type": "behavior", "name": "visit", "count": 3], ["type": "behavior", "name": "app_launch"],
            .object(displayed),
        ]
        _ = try post("events", ["client_id": "c", "events": events])
        _ = try post("questionnaires/dismiss", ["client_id": "c"])
        let copy = try copy("clients/c")
        #expect(copy["event_names"] == ["app_launch", "visit"])
        #expect(copy["events"][1]["name"] == "visit" && copy["events"][1]["counts"][0]["count"] == 3)
        #expect(copy["events"][1]["counts"][0]["at"] == "2026-03-10T12:00:00Z")
        #expect(copy["launches"] == 1 && copy["first_launch_at"] == "2026-03-10T12:00:00Z")
        #expect(copy["session"]["id"] == "s1" && copy["session"]["shows"].array?.count == 1)
        #expect(copy["messages"][0]["message"] == "q" && copy["messages"][0]["expired"] == false)
        #expect(copy["shows"][0]["message"] == "q" && copy["shows"][0]["at"] == "2026-03-10T12:00:00Z")
        #expect(copy["surveys_dismissed_at"] == "2026-03-10T12:00:00Z" && copy["exposures"] == [])
        #expect(copy["reported_revision"] != .null && copy["users"] == [])
    }

    /// An identified client uses its user's display ledger. The client's answers are in the export nevertheless.
    @Test func answersToMicrosurveysAreInTheCopiesOfTheClientAndOfItsUser() throws {
        _ = try post("responses", ["client_id": "c", "message": "m", "option": "1", "id": "mine", "locale": "en"])
        _ = try post("identify", ["client_id": "c", "user_id": "bob"])
        _ = try post("identify", ["client_id": "c", "user_id": "u"])
        let save: JSONValue = ["user_id": "u", "answers": ["q1": "x"], "is_complete": true]
        _ = try post("questionnaires/q/responses", save)
        for person in ["clients/c", "users/u"] {
            let answer = try copy(person)["answers"][0]
            #expect(answer["text"] == "No" && answer["option_index"] == 1 && answer["request_id"] == "mine")
            #expect(answer["client_id"] == "c" && answer["locale"] == "en" && answer["revision"] == 1)
        }
        #expect(try copy("users/bob")["answers"] == [] && copy("users/bob")["clients"] == ["c"])
        #expect(try copy("clients/c")["users"] == ["bob", "u"])
        #expect(try copy("users/u")["submissions"][0]["slug"] == "q")
    }
}
