import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The text of a fault, in the respondent's language (docs/reference/flows.md#languages).
@Suite struct FlowLanguageTests {
    private let world: WorkerUnderTest

    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour",
        "steps": [
            [
                "id": "f", "type": "form",
                "config": [
                    "fields": [
                        ["id": "name", "type": "text", "label": "Name", "required": true],
                        ["id": "word", "type": "text", "config": ["min_length": 3]],
                        ["id": "mail", "type": "email", "config": ["max_length": 5]],
                        [
                            "id": "code", "type": "text",
                            "validation": ["pattern": "[A-Z]", "pattern_message": "Capitals please"],
                        ],
                        [
                            "id": "own", "type": "text",
                            "validation": ["pattern": "^x", "pattern_message": "Forms/own"],
                        ],
                        ["id": "bare", "type": "text", "validation": ["pattern": "^x"]],
                    ],
                    "content_blocks": [
                        [
                            "id": "b", "type": "row",
                            "children": [
                                [
                                    "type": "input_text", "field_id": "deep",
                                    "validation": ["pattern": "^x", "pattern_message": "An x first"],
                                ]
                            ],
                        ]
                    ],
                    "localizations": [
                        "de": [
                            "fields.name.label": "Ihr Name", "fields.code.validation.pattern_message": "Bitte groß",
                            "content_blocks.b.children.0.validation.pattern_message": "Zuerst ein x",
                        ]
                    ],
                ],
            ],
            [
                "id": "talk", "type": "interactive_chat",
                "config": ["chat_config": ["webhook": ["webhook_url": "https://hooks.example/chat"]]],
            ],
        ],
    ]

    private static let german: JSONValue = [
        "Flow": [
            "required": "%@ fehlt", "minimumLength": "mindestens %@ Zeichen", "unknownField": "kein Feld",
            "noBack": "kein Zurück", "wrongStep": "woanders", "blankMessage": "leer", "hookFailed": "Später, bitte",
        ],
        "Forms": ["own": "Mit x, sagt %@"],
    ]

    init() throws {
        world = try WorkerUnderTest(
            manifest: ["app_name": "a", "short_name": "Ada", "default_locale": "en", "surfaces": ["card"]],
            hooks: HookReceiver.caller(HookReceiver([])))
        let stored = try world.send(.put, "/v1/apps/app/recipes/tour", body: Self.flow)
        #expect(stored.status == 201, "\(stored.json.text)")
        #expect(try world.send(.put, "/v1/apps/app/strings/de", body: Self.german).status == 201)
    }

    private func start(_ locale: String) throws -> String {
        let body: JSONValue = ["client_id": .string("c-\(locale)"), "locale": .string(locale)]
        return try world.send(.post, "/v1/apps/app/flows/tour/runs", body: body).json["run_id"].string ?? ""
    }

    private func advance(_ run: String, _ response: JSONValue, _ more: JSONObject = [:]) throws -> [String] {
        var body: JSONObject = ["step_id": "f", "response": response]
        for member in more { body[member.key] = member.value }
        return Self.messages(try world.send(.post, "/v1/apps/app/runs/\(run)/advance", body: .object(body)))
    }

    private static func messages(_ answer: RecordedResponse) -> [String] {
        (answer.json["errors"].array ?? []).compactMap { $0["message"].string }
    }

    private static let faulty: JSONValue = [
        "word": "ab", "mail": "ada@example.org", "code": "a", "own": "a", "bare": "a", "deep": "a", "other": 1,
    ]

    @Test func faultsAreSaidInTheLanguageOfTheRun() throws {
        let german = [
            "Ihr Name fehlt", "mindestens 3 Zeichen", "expected at most 5 characters", "Bitte groß", "Mit x, sagt Ada",
            "Invalid format", "Zuerst ein x", "kein Feld",
        ]
        #expect(try advance(start("de-AT"), Self.faulty) == german)
        let english = [
            "Name is required", "expected at least 3 characters", "expected at most 5 characters", "Capitals please",
            "Forms/own", "Invalid format", "An x first", "the step has no such field",
        ]
        #expect(try advance(start("en"), Self.faulty) == english)
    }

    /// A client says a fault in its own words, unless the app has words for it.
    @Test func aFaultHasAReasonUnlessTheAppHasATextForIt() throws {
        let body: JSONValue = ["step_id": "f", "response": Self.faulty]
        let refused = try world.send(.post, "/v1/apps/app/runs/\(start("de"))/advance", body: body)
        let faults = refused.json["errors"].array ?? []
        let reasons = faults.map { $0["reason"].string }
        #expect(reasons == [nil, nil, "maximumLength", nil, nil, "pattern", nil, nil])
        #expect(faults[1]["bounds"] == ["min": 3] && faults[2]["bounds"] == ["max": 5])
    }

    @Test func soAreRefusedActions() throws {
        let run = try start("de")
        #expect(try advance(run, [:], ["action": "back"]) == ["kein Zurück"])
        #expect(try advance(run, [:], ["step_id": "talk"]) == ["woanders"])
        #expect(try advance(start("fr"), [:], ["action": "back"]) == ["the step does not allow back"])
    }

    @Test func soIsAChat() throws {
        let run = try start("de")
        #expect(try advance(run, ["name": "Ada"]) == [])
        func say(_ text: String) throws -> RecordedResponse {
            let body: JSONValue = ["step_id": "talk", "text": .string(text)]
            return try world.send(.post, "/v1/apps/app/runs/\(run)/chat", body: body)
        }
        #expect(Self.messages(try say(" ")) == ["leer"])
        #expect(try say("Hallo").json["messages"].array?.last?["content"] == "Später, bitte")
    }
}
