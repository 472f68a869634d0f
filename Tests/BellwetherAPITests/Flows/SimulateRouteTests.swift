import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Walking a flow that is not stored (docs/reference/http-api.md#simulation).
@Suite struct SimulateRouteTests {
    private static let path = "/v1/apps/app/recipes/simulate"
    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            [
                "id": "goal", "type": "question",
                "config": ["title": "Goal?", "options": [["id": "climb"], ["id": "hike"]]],
                "next_step_rules": [
                    [
                        "target_step_id": "end",
                        "conditions": [["type": "answer_equals", "answer_key": "selected", "value": "climb"]],
                    ],
                    ["target_step_id": "maps", "condition": ["type": "always"]],
                ],
            ],
            ["id": "maps", "type": "welcome", "config": ["title": "Maps"]],
            ["id": "end", "type": "welcome", "config": ["title": "End"]],
        ],
    ]

    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest() }

    private func walk(_ choice: String, _ members: JSONObject = [:]) throws -> JSONValue {
        var body: JSONObject = [
            "document": Self.flow, "actions": [["step_id": "goal", "response": ["selected": [.string(choice)]]]],
        ]
        for member in members { body[member.key] = member.value }
        return try world.send(.post, Self.path, body: .object(body)).json
    }

    @Test func `A walk answers the run after each action and what the rules have said`() throws {
        let walk = try walk("hike", ["locale": "de"])
        let runs = walk["runs"].array ?? []
        #expect(runs.count == 2 && runs[0].text.contains("Goal?"), "\(walk.text)")
        #expect(runs[1].text.contains("Maps"))
        let rules = walk["rules"].array ?? []
        #expect(rules.map { $0["holds"] } == [false, true] && rules.map { $0["step_id"] } == ["goal", "goal"])
        #expect(rules[0]["tests"].array?.count == 1 && rules[0]["tests"][0]["holds"] == false)
        #expect(try world.send(.get, "/v1/apps/app/recipes").json["recipes"] == [])
    }

    @Test func `Rules behind the one that decides are not looked at`() throws {
        let walk = try walk("climb")
        #expect(walk["rules"].array?.map { $0["holds"] } == [true, nil], "\(walk.text)")
        #expect(walk["runs"][1].text.contains("End"))
    }

    @Test func `An action that is refused has its faults, and the walk goes on`() throws {
        let actions: JSONValue = [
            ["step_id": "nowhere"], ["step_id": "goal", "response": ["selected": ["hike"]]], ["step_id": "maps"],
        ]
        let walk = try walk("hike", ["actions": actions])
        let runs = walk["runs"].array ?? []
        #expect(runs.count == 4 && runs[1]["errors"].array?.isEmpty == false && runs[3].text.contains("End"))
    }

    @Test func `What cannot be played is refused`() throws {
        let messages: JSONValue = ["messages": ["m": ["surface": "home", "text": "Hi"]]]
        let refused = try world.send(.post, Self.path, body: ["document": messages])
        #expect(refused.status == 422 && refused.json["errors"][0]["code"] == "kind")
        #expect(try world.send(.post, Self.path, body: [:]).status == 400)
        let actions = JSONValue.array(Array(repeating: ["step_id": "goal"], count: 201))
        let many = try world.send(.post, Self.path, body: ["document": Self.flow, "actions": actions])
        #expect(many.status == 422 && many.json["errors"][0]["code"] == "too_many")
    }

    @Test func `A survey says what it shows and what is wrong, also by predicates`() throws {
        let survey: JSONValue = [
            "kind": "survey", "name": "S", "predicates": ["likes_fruit": "answers.snack == 'Fruit' && plan == 'pro'"],
            "questions": [
                ["id": "snack", "question": "What?", "question_type": "single_select", "options": ["Fruit", "Bread"]],
                [
                    "id": "which", "question": "Which?", "question_type": "single_text_field",
                    "show_if": ["operation": "custom", "ids": ["snack"], "extra": ["predicate": "likes_fruit"]],
                ],
            ],
        ]
        func visible(_ answer: String, _ plan: String) throws -> JSONValue {
            try world.send(
                .post, Self.path,
                body: [
                    "document": survey, "answers": ["snack": .string(answer)], "attributes": ["plan": .string(plan)],
                ]
            ).json["visible"]
        }
        #expect(try visible("Fruit", "pro") == ["snack", "which"])
        #expect(try visible("Fruit", "free") == ["snack"] && visible("Bread", "pro") == ["snack"])
    }

    private static let hooked: JSONValue = [
        "kind": "flow", "id": "hooked",
        "steps": [
            [
                "id": "code", "type": "form",
                "config": ["title": "Code", "fields": [["id": "code", "type": "text", "label": "Code"]]],
                "hook": ["webhook_url": "http://127.0.0.1:1/never", "error_text": "Not now."],
            ],
            [
                "id": "next", "type": "welcome", "config": ["title": "Next"],
                "render_hook": [
                    "webhook_url": "http://127.0.0.1:1/never", "on_failure": "block", "error_text": "Plain.",
                ],
            ],
        ],
    ]

    private func answer(_ document: JSONValue, _ actions: JSONValue, _ members: JSONObject = [:]) throws -> [JSONValue]
    {
        var body: JSONObject = ["document": document, "actions": actions]
        for member in members { body[member.key] = member.value }
        return try world.send(.post, Self.path, body: .object(body)).json["runs"].array ?? []
    }

    @Test(arguments: [("proceed", "next", nil), ("block", "code", "Not now."), ("fail", "code", "Not now.")])
    func `Something stands in for hooks, by choice`(hook: String, step: String, banner: String?) throws {
        let runs = try answer(Self.hooked, [["step_id": "code", "hook": .string(hook)]])
        #expect(runs.last?["step_id"].string == step && runs.last?["banner"]["text"].string == banner, "\(runs)")
    }

    @Test func `A step that is revealed is shown, also when its hook fails`() throws {
        let runs = try answer(
            Self.hooked,
            [["step_id": "next", "action": "reveal", "hook": "fail"], ["step_id": "nowhere", "action": "reveal"]])
        #expect(runs[1]["step_id"] == "next" && runs[1]["banner"]["text"] == "Plain.")
        #expect(runs[2]["errors"][0]["code"] == "wrong_step")
    }

    private static func chat(_ config: JSONObject) -> JSONValue {
        [
            "kind": "flow", "id": "talk",
            "steps": [
                [
                    "id": "talk", "type": "interactive_chat",
                    "config": ["title": "Talk", "chat_config": .object(config)],
                ]
            ],
        ]
    }

    @Test func `A chat is held by what the flow says, else by an echo`() throws {
        let scripted = Self.chat([
            "auto_messages": [["content": "Hello"], ["content": "Second", "turn": 2]], "max_user_turns": 3,
            "quick_replies": [["id": "yes", "text": "Yes"]], "webhook": ["webhook_url": "http://127.0.0.1:1/never"],
        ])
        let say: JSONValue = ["step_id": "talk", "chat": ["text": "Hi"]]
        let choose: JSONValue = ["step_id": "talk", "chat": ["quick_reply_id": "yes"]]
        let runs = try answer(scripted, [say, choose, ["step_id": "talk", "chat": [:]]], ["chats": true])
        #expect(runs[0]["chat"]["messages"].array?.map { $0["content"] } == ["Hello"])
        #expect(runs[1]["messages"].array?.map { $0["content"] } == ["“Hi”"] && runs[1]["run"]["chat"]["turn"] == 1)
        #expect(runs[2]["messages"].array?.map { $0["content"] } == ["Second"])
        #expect(runs[3]["errors"].array?.isEmpty == false)
        let failed = try answer(
            scripted, [["step_id": "talk", "chat": ["text": "Hi"], "hook": "fail"]], ["chats": true])
        #expect(failed[1]["messages"][0]["role"] == "system")
    }

    @Test func `A chat has the replies for samples, and is not passed where chats are held`() throws {
        let sampled = Self.chat([
            "webhook": [
                "webhook_url": "http://127.0.0.1:1/never",
                "sample_replies": [["action": "reply_and_complete", "messages": [["content": "Done."]]]],
            ]
        ])
        let runs = try answer(
            sampled, [["step_id": "talk"], ["step_id": "talk", "chat": ["text": "Hi"]], ["step_id": "talk"]],
            ["chats": true])
        #expect(runs[1]["errors"][0]["code"] == "not_allowed" && runs[2]["completed"] == "ai_completed")
        #expect(runs[3]["status"] == "completed")
        #expect(try answer(sampled, [["step_id": "talk"]])[1]["status"] == "completed")
    }
}
