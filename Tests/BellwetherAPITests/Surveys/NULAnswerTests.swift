import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// No answer contains a NUL, at any depth (docs/reference/surveys.md#faults-of-answers).
@Suite struct NULAnswerTests {
    private static let nul: JSONValue = "a\u{0}b"

    private func faults(_ answer: RecordedResponse) -> [String] {
        (answer.json["errors"].array ?? []).map { "\($0["pointer"].string ?? "") \($0["code"].string ?? "")" }
    }

    @Test func ofAQuestionnaire() throws {
        let world = try WorkerUnderTest(recipes: [QuestionnaireTests.slug: QuestionnaireTests.definition()])
        let path = "/v1/apps/app/questionnaires/\(QuestionnaireTests.slug)/responses"
        let answers: JSONValue = ["q1": Self.nul, "q2": Self.nul, "q3": ["a", Self.nul]]
        let refused = try world.send(.post, path, body: ["client_id": "c", "answers": answers])
        #expect(refused.status == 422)
        #expect(faults(refused) == ["/answers/q1 type", "/answers/q2 type", "/answers/q3/1 type"])
        let tab = try world.send(.post, path, body: ["client_id": "c", "answers": ["q1": "a\tb\u{1}"]])
        #expect(tab.status == 201)
    }

    @Test func ofASurveyAlsoWhereNothingIsShown() throws {
        let survey: JSONValue = [
            "kind": "survey",
            "questions": [
                ["id": "a", "question": "?", "question_type": "single_text_field"],
                [
                    "id": "b", "question": "?", "question_type": "multi_text_field",
                    "fields": [["label": "Dogs"], ["label": "Cats"]],
                ],
                ["id": "c", "question": "?", "question_type": "add_text_field"],
                [
                    "id": "d", "question": "?", "question_type": "single_text_area",
                    "show_if": ["id": "a", "operation": "equals", "value": "yes"],
                ],
                [
                    "id": "e", "question": "?", "question_type": "single_select",
                    "options": ["x", ["title": "Other", "type": "freeform"]],
                ],
            ],
        ]
        let world = try WorkerUnderTest(recipes: ["s": survey])
        let answers: JSONValue = [
            "a": Self.nul, "b": ["Dogs": "1", "Cats": Self.nul], "c": ["x", Self.nul], "d": Self.nul,
            "e": ["Other": Self.nul],
        ]
        let expected = [
            "/answers/a type", "/answers/b/Cats type", "/answers/c/1 type", "/answers/e/Other type", "/answers/d type",
        ]
        for (path, more): (String, JSONObject) in [("evaluate", [:]), ("responses", ["client_id": "c"])] {
            var body = more
            body["answers"] = answers
            let answer = try world.send(.post, "/v1/apps/app/surveys/s/\(path)", body: .object(body))
            #expect(faults(answer) == expected)
        }
        let posted = try world.send(.post, "/v1/apps/app/surveys/s/submit", body: ["answers": ["d": Self.nul]])
        #expect(posted.status == 422 && faults(posted).contains("/answers/d type"))
        #expect(try world.send(.get, "/v1/apps/app/surveys/s/responses").json["items"] == [])
    }

    @Test func ofAFlow() throws {
        let names = ["text", "textarea", "password", "email", "chips", "location"]
        var fields = names.map { name -> JSONValue in ["id": .string(name), "type": .string(name)] }
        fields.append(["id": "line", "type": "text"])
        let flow: JSONValue = [
            "kind": "flow",
            "steps": [
                [
                    "id": "f", "type": "form",
                    "config": ["fields": .array(fields), "content_blocks": [["id": "own", "type": "custom_view"]]],
                ],
                [
                    "id": "talk", "type": "interactive_chat",
                    "config": ["chat_config": ["webhook": ["webhook_url": "https://hooks.example/chat"]]],
                ],
            ],
        ]
        let world = try WorkerUnderTest(recipes: ["tour": flow])
        let run = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: ["client_id": "c"])
        let path = "/v1/apps/app/runs/\(run.json["run_id"].string ?? "")"
        var response = JSONObject(names.map { ($0, Self.nul) })
        (response["chips"], response["location"]) = (["x", Self.nul], ["city": Self.nul])
        (response["own"], response["line"]) = (["deep": [[Self.nul]]], "a\u{1}")
        let refused = try world.send(
            .post, path + "/advance", body: ["step_id": "f", "response": .object(response)])
        #expect(
            faults(refused) == names.map { "/response/\($0) type" } + ["/response/line pattern", "/response/own type"])
        _ = try world.send(.post, path + "/advance", body: ["step_id": "f", "response": [:]])
        let said = try world.send(.post, path + "/chat", body: ["step_id": "talk", "text": Self.nul])
        #expect(said.status == 422 && faults(said) == ["/text type"])
    }
}
