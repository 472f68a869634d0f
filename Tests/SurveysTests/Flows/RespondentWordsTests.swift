import BellwetherJSON
import Surveys
import Testing

/// Answers in texts of a flow (docs/reference/flows.md#templates).
@Suite struct RespondentWordsTests {
    private static let place: JSONValue = ["formatted_address": "Bern, Switzerland", "city": "Bern"]
    private static let options: JSONValue = [
        ["id": "lose", "label": "Lose weight"], ["id": "build", "label": "Build muscle", "value": "B"], "Stay active",
    ]
    private static let fields: JSONValue = [
        ["id": "often", "type": "select", "config": ["options": ["Daily", "Weekly"]]],
        ["id": "span", "type": "range_slider", "config": ["max_value": 20000]], ["id": "sum", "type": "number"],
        ["id": "news", "type": "toggle", "label": "News"], ["id": "home", "type": "location"],
        ["id": "tags", "type": "chips"], ["id": "sig", "type": "signature", "label": "Signed"],
    ]

    /// The title of the last step, and its summary.
    private func last(
        _ title: String, locale: String = "en", selected: JSONValue = ["lose", "B"], form: JSONValue = [:]
    ) -> (title: JSONValue?, summary: [JSONValue]) {
        let german: JSONValue = [
            "de": ["title": "Ziel?", "options.lose.label": "Abnehmen", "options.2": "Aktiv bleiben"]
        ]
        let flow: JSONValue = [
            "steps": [
                [
                    "id": "goal", "type": "question",
                    "config": [
                        "title": "Goal?", "options": Self.options, "selection_mode": "multi", "localizations": german,
                    ],
                ],
                ["id": "you", "type": "form", "config": ["title": "You", "fields": Self.fields]],
                [
                    "id": "end", "type": "custom",
                    "config": ["title": .string(title), "content_blocks": [["type": "summary_screen"]]],
                ],
            ]
        ]
        let line: JSONValue = [
            "flow": flow, "locale": .string(locale), "attributes": ["langs": ["a", "b"], "deep": ["x": 1]],
            "actions": [
                ["step_id": "goal", "response": ["selected": selected]], ["step_id": "you", "response": form],
            ],
        ]
        let runs = FlowBatch.answer(line, now: FlowRuleTests.now).object?["runs"]?.array
        let step = runs?.last?.object?["step"]?.object
        let block = step?["content_blocks"]?.array?.first?.object
        return (step?["title"], block?["answers"]?.array ?? [])
    }

    @Test(arguments: [
        ("en", "Lose weight and Build muscle"), ("de", "Abnehmen und Build muscle"),
        ("ja-JP", "Lose weight、Build muscle"), ("sv", "Lose weight, Build muscle"),
    ])
    func `A choice is the labels of its options in the reader's language`(_ locale: String, _ text: String) {
        for path in ["onboarding.goal.selected", "responses.goal.selected", "input.selected"] {
            #expect(last("{{\(path)}}", locale: locale).title == .string(text))
        }
        #expect(last("{{onboarding.goal.selected.0}}", locale: locale).title?.string.map(text.hasPrefix) == true)
    }

    @Test func `An option that is a text has a translation, and its answer stays the text`() {
        #expect(last("{{input.selected}}", locale: "de", selected: ["Stay active"]).title == "Aktiv bleiben")
        #expect(last("{{input.often}}", form: ["often": "Daily"]).title == "Daily")
        let three = last("{{input.selected}}", selected: ["lose", "build", "Stay active"]).title
        #expect(three == "Lose weight, Build muscle, and Stay active")
    }

    @Test(
        arguments: [
            ("span", ["low": 1.5, "high": 20000], "1.5–20,000", "1,5–20.000"), ("sum", 1990, "1990", "1990"),
            ("sum", -0.25, "-0.25", "-0,25"), ("news", true, "Yes", "Ja"), ("home", place, "Bern, Switzerland", nil),
            ("tags", ["x"], "x", nil), ("sig", "data:image/png;base64,AAAA", "none", nil),
        ] as [(String, JSONValue, String, String?)])
    func `Numbers, ranges, places and lists are words, and never JSON`(
        _ field: String, _ answer: JSONValue, _ english: String, _ german: String?
    ) {
        let form = JSONValue.object([field: answer])
        #expect(last("{{input.\(field) | none}}", form: form).title == .string(english))
        #expect(last("{{input.\(field) | none}}", locale: "de-AT", form: form).title == .string(german ?? english))
    }

    @Test func `A value without words is missing`() {
        for path in ["user.deep", "onboarding.goal", "onboarding.you.tags"] {
            #expect(last("{{\(path) | none}}", form: ["tags": []]).title == "none", "\(path)")
        }
        #expect(last("{{user.langs}}").title == "a and b")
    }

    @Test func `A summary has questions and answers in words`() {
        let form: JSONValue = ["news": false, "sig": "data:image/png;base64,AAAA"]
        let summary = last("", locale: "de", form: form).summary
        #expect(
            summary == [
                ["question": "Ziel?", "answer": "Abnehmen und Build muscle"], ["question": "News", "answer": "Nein"],
                ["question": "Signed", "answer": "✓"],
            ])
    }
}
