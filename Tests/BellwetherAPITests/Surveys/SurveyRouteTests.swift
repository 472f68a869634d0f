import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Surveys over HTTP (docs/reference/surveys.md#surveys).
@Suite struct SurveyRouteTests {
    private static let definition: JSONValue = [
        "kind": "survey",
        "questions": [
            ["id": "pet", "question": "A pet?", "question_type": "single_select", "options": ["Yes", "No"]],
            [
                "id": "name", "question": "Its name?", "question_type": "single_text_field", "sensitive": true,
                "show_if": ["id": "pet", "operation": "equals", "value": "Yes"],
            ],
            ["id": "year", "question": "Since?", "question_type": "year_picker", "num_years": "5"],
            [
                "id": "old", "question": "Old?", "question_type": "single_select", "options": ["Yes"],
                "show_if": ["operation": "custom", "ids": ["year"], "extra": ["predicate": "long"]],
            ],
        ],
        "predicates": ["long": "answers.year == '2022' && age > 30"],
        "submit": ["button_title": "Send", "url": "https://other.example/collect"],
    ]
    let world: WorkerUnderTest
    private let path = "/v1/apps/app/surveys/pets"

    init() throws { world = try WorkerUnderTest(recipes: ["pets": Self.definition]) }

    private static func height(_ id: String, _ metadata: String = "units") -> JSONValue {
        [
            "kind": "survey",
            "questions": [
                [
                    "id": .string(id), "question": "How tall?", "question_type": "dynamic_label_text_field",
                    "label_options": [["Feet", "Inches"], "Centimeters"],
                    "options_metadata": ["id": .string(metadata), "types": ["imperial", "metric"]],
                ]
            ],
        ]
    }

    @Test func theUnitsOfOneSurveyAreOfferedFirstInTheNext() throws {
        let metadata = ["tall": "units", "wide": "units", "deep": "others"]
        for (slug, id) in metadata {
            #expect(try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: Self.height(slug, id)).status == 201)
        }
        func get(_ slug: String, _ query: String) throws -> JSONValue {
            try world.send(.get, "/v1/apps/app/surveys/\(slug)?\(query)").json
        }
        func save(_ slug: String, _ answer: JSONValue, _ ids: JSONObject) throws {
            var body = ids
            body["answers"] = .object([slug: answer])
            let saved = try world.send(.post, "/v1/apps/app/surveys/\(slug)/responses", body: .object(body))
            #expect(saved.status < 300)
        }
        #expect(try get("wide", "client_id=c")["survey"]["questions"][0]["preselected"] == .null)
        try save("tall", ["Centimeters": "180"], ["client_id": "c"])
        try save("tall", ["Feet": "6", "Inches": "1"], ["client_id": "other"])
        let next = try get("wide", "client_id=c")
        #expect(next["remembered"] == ["sn.units": "metric"])
        #expect(next["survey"]["questions"][0]["preselected"] == 1)
        #expect(try get("wide", "client_id=other")["survey"]["questions"][0]["preselected"] == 0)
        #expect(try get("deep", "client_id=c")["survey"]["questions"][0]["preselected"] == .null)
        // A preview changes nothing; the last choice counts.
        try save("tall", ["Feet": "6", "Inches": "1"], ["client_id": "c", "force": true])
        #expect(try get("wide", "client_id=c")["remembered"] == ["sn.units": "metric"])
        try save("tall", ["Feet": "6", "Inches": "1"], ["client_id": "c"])
        #expect(try get("wide", "client_id=c")["remembered"] == ["sn.units": "imperial"])
        let identity: JSONValue = ["client_id": "c", "user_id": "u"]
        #expect(try world.send(.post, "/v1/apps/app/identify", body: identity).status == 200)
        #expect(try get("wide", "user_id=u")["remembered"] == ["sn.units": "imperial"])
        #expect(try world.send(.get, "/v1/apps/app/users/u/export").json["remembered"] == ["sn.units": "imperial"])
        #expect(try world.send(.delete, "/v1/apps/app/users/u").status == 204)
        #expect(try get("wide", "user_id=u")["remembered"] == [:])
    }

    /// A field's own limit takes precedence over the question's.
    @Test func theBoundOfAMultiTextFieldIsForItsFields() throws {
        let definition: JSONValue = [
            "kind": "survey",
            "questions": [
                [
                    "id": "pets", "question": "?", "question_type": "multi_text_field", "max_chars": "2",
                    "fields": [
                        ["label": "Dogs", "input_type": "number"],
                        ["label": "Cats", "input_type": "number", "max_chars": "4"],
                    ],
                ]
            ],
        ]
        #expect(try world.send(.put, "/v1/apps/app/recipes/count", body: definition).status == 201)
        func faults(_ answer: JSONValue) throws -> [JSONValue] {
            let body: JSONValue = ["answers": ["pets": answer]]
            let evaluation = try world.send(.post, "/v1/apps/app/surveys/count/evaluate", body: body).json
            return (evaluation["errors"].array ?? []).flatMap { [$0["pointer"], $0["code"]] }
        }
        #expect(try faults(["Dogs": "123", "Cats": "1234"]) == ["/answers/pets/Dogs", "too_long"])
        #expect(try faults(["Dogs": "12", "Cats": "12345"]) == ["/answers/pets/Cats", "too_long"])
    }

    /// A survey's options are its answer values, so an option is served as its author wrote it.
    @Test func optionsAreNotTranslated() throws {
        let definition: JSONValue = [
            "kind": "survey",
            "questions": [
                [
                    "id": "q", "question": "Texts/question", "question_type": "single_select",
                    "options": ["Texts/yes", ["title": "Texts/other", "type": "freeform"]],
                ]
            ],
        ]
        let texts: JSONValue = ["Texts": ["question": "Why?", "yes": "Yes", "other": "Other"]]
        #expect(try world.send(.put, "/v1/apps/app/strings/en-US", body: texts).status == 201)
        #expect(try world.send(.put, "/v1/apps/app/recipes/why", body: definition).status == 201)
        let served = try world.send(.get, "/v1/apps/app/surveys/why").json["survey"]["questions"].array?.first
        #expect(served?["question"] == "Why?")
        #expect(served?["options"] == ["Texts/yes", ["title": "Texts/other", "type": "freeform"]])
    }

    @Test func theDefinitionHasRangesAndNoAddress() throws {
        let survey = try world.send(.get, "\(path)?client_id=c1").json
        #expect(survey["visible"] == ["pet", "year"] && survey["in_progress"] == .null)
        let picker = survey["survey"]["questions"].array?[2]
        #expect(picker?["range"] == ["min": "2022", "max": "2026"])
        #expect(survey["survey"]["submit"] == ["button_title": "Send"] && survey["survey"]["predicates"] == .null)
    }

    @Test func predicatesSeeAnswersAndAttributes() throws {
        let body: JSONValue = ["answers": ["year": "2022"], "attributes": ["age": 40]]
        let evaluation = try world.send(.post, "\(path)/evaluate", body: body).json
        #expect(evaluation["visible"] == ["pet", "year", "old"] && evaluation["complete"] == false)
        let young: JSONValue = ["answers": ["year": "2022"], "attributes": ["age": 20]]
        #expect(try world.send(.post, "\(path)/evaluate", body: young).json["visible"] == ["pet", "year"])
    }

    private static let computed: [(String, JSONValue, Bool)] = [
        ("answers.n|number + 1 == 43", "42", true), ("answers.n|number == 1500", "1.5e3", true),
        ("answers.n|number == null", " 42", true), ("answers.n|number == null", "0x2A", true),
        ("answers.n|number > 41", "forty", false), ("answers.n|date == 0", "1970-01-01", true),
        ("answers.n|date == 1709164800000", "2024-02-29", true), ("answers.n|date == null", "2023-02-29", true),
        ("answers.n|date == 1500", "1970-01-01T00:00:01.5Z", true), ("answers.n|date == null", "soon", true),
        ("age|number == 40", "", true), ("age|date == null", "", true),
        // The test's date is 10 March 2026.
        ("current_date * 1000 - answers.n|date == 43200000", "2026-03-10", true),
    ]

    /// Answers are texts, and a predicate may convert them and calculate.
    @Test(arguments: computed)
    func predicatesCalculate(_ expression: String, _ answer: JSONValue, _ holds: Bool) throws {
        let definition: JSONValue = [
            "kind": "survey",
            "questions": [
                ["id": "n", "question": "?", "question_type": "single_text_field"],
                [
                    "id": "p", "question": "?", "question_type": "single_text_field",
                    "show_if": ["operation": "custom", "ids": ["n"]],
                ],
            ],
            "predicates": ["p": .string(expression)],
        ]
        #expect(try world.send(.put, "/v1/apps/app/recipes/sum", body: definition).status == 201)
        let body: JSONValue = ["answers": ["n": answer], "attributes": ["age": 40]]
        let visible = try world.send(.post, "/v1/apps/app/surveys/sum/evaluate", body: body).json["visible"]
        #expect(visible.array?.contains("p") == holds)
    }

    /// Nimbus has no such transforms.
    @Test func triggersDoNotCalculateSo() throws {
        let message: JSONValue = [
            "triggers": ["OLD": "age|number > 30"],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["OLD"]]],
        ]
        let published = try world.send(.put, "/v1/apps/app/recipes/old", body: message)
        #expect(published.status == 201)
        #expect(published.json["warnings"].array?.contains { $0["code"] == "unknown_transform" } == true)
        #expect(try world.send(.get, "/v1/apps/app/messages?client_id=c&age=40").json["messages"] == [])
    }

    @Test func aFinalSaveNeedsEveryShownQuestion() throws {
        let missing: JSONValue = ["client_id": "c1", "answers": ["pet": "Yes"], "is_complete": true]
        let refused = try world.send(.post, "\(path)/responses", body: missing)
        let faults = (refused.json["errors"].array ?? []).compactMap { $0["question_id"].string }
        #expect(refused.status == 422 && faults == ["name", "year"])
        let all: JSONValue = [
            "client_id": "c1", "answers": ["pet": "Yes", "name": "Rex", "year": "2024"], "is_complete": true,
        ]
        #expect(try world.send(.post, "\(path)/responses", body: all).json["was_submitted"] == true)
    }

    @Test func sensitiveAnswersAreInNoListAndNoLog() throws {
        let body: JSONValue = [
            "client_id": "c1", "answers": ["pet": "Yes", "name": "Rex", "year": "2024"], "is_complete": true,
        ]
        let id = try world.send(.post, "\(path)/responses", body: body).json["id"].string ?? ""
        #expect(!world.store.records.joined().contains("Rex"))
        let list = try world.send(.get, "\(path)/responses")
        #expect(!String(decoding: list.body, as: UTF8.self).contains("Rex"))
        #expect(try world.send(.get, "/v1/apps/app/responses/\(id)").json["answers"]["name"] == "Rex")
    }

    /// SurveyNative posts without a content type, and each POST adds a row.
    @Test func submitTakesWhatSurveyNativePosts() throws {
        let body: JSONValue = ["answers": ["pet": "No", "year": "2024"]]
        for _ in 0..<2 {
            let answer = world.send(
                try Request(
                    .post, "\(path)/submit", headers: [(name: "Content-Length", value: "\(body.encoded.count)")],
                    body: body.encoded))
            #expect(answer.status == 201)
        }
        #expect(try world.send(.get, "\(path)/responses").json["items"].array?.count == 2)
        let noJSON = world.send(
            try Request(
                .post, "\(path)/submit", headers: [(name: "Content-Length", value: "3")], body: Array("a=b".utf8)))
        #expect(noJSON.status == 400)
    }
}
