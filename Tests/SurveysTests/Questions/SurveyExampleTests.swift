import BellwetherBase
import BellwetherJSON
import Surveys
import TestSupport
import Testing

/// A question of each type as in the documentation of SurveyNative and Owlmetry, with answers of every shape
/// (docs/reference/surveys.md#surveys).
@Suite struct SurveyExampleTests {
    private static let now = Timestamp(rfc3339: "2026-03-15T12:00:00Z") ?? Timestamp(seconds: 0)

    private static func survey(_ questions: JSONValue...) throws -> SurveyDefinition {
        try definition(["kind": "survey", "questions": .array(questions), "submit": ["button_title": "Send"]], .survey)
    }

    private static func definition(_ document: JSONValue, _ kind: ContentKind) throws -> SurveyDefinition {
        let findings = Findings()
        let definition = SurveyDefinition(JSONReader(document, findings: findings), kind)
        #expect(findings.faults.isEmpty, "\(findings.faults)")
        return try #require(definition)
    }

    /// `complete`, or the codes of the faults, or `incomplete`.
    private static func judge(_ question: JSONValue, _ answer: JSONValue) throws -> [String] {
        let id = question.object?["id"]?.string ?? ""
        let evaluation = try survey(question).questions.evaluate([id: answer], QuestionFacts(now: now))
        guard evaluation.faults.isEmpty else { return evaluation.faults.map(\.code.rawValue) }
        return [evaluation.isComplete ? "complete" : "incomplete"]
    }

    private static func question(_ type: String, _ more: JSONObject) -> JSONValue {
        var question: JSONObject = ["id": "q", "question": "?", "question_type": .string(type)]
        for member in more { question[member.key] = member.value }
        return .object(question)
    }

    private static let tastes = question(
        "single_select", ["options": ["Lemon", "Cherry", ["title": "Something else", "type": "freeform"]]])
    private static let styles = question(
        "multi_select", ["options": ["Folk", "Blues", ["title": "Something else", "type": "freeform"]]])
    private static let year = question(
        "year_picker", ["max_year": "current_year", "num_years": "125", "sort_order": "DESC"])
    private static let day = question(
        "date_picker", ["date": "current_date", "max_date": "current_date", "date_diff": ["year": -1]])
    private static let age = question(
        "single_text_field",
        [
            "label": "Years", "input_type": "number", "max_chars": "2",
            "validations": [
                ["operation": "greater than", "value": 10, "on_fail_message": "too young"],
                ["operation": "less than", "value": 80, "on_fail_message": "too old"],
            ],
        ])
    private static let area = question("single_text_area", [:])
    private static let animals = question(
        "multi_text_field",
        ["fields": [["label": "Dogs", "input_type": "number"], ["label": "Cats", "input_type": "number"]]])
    private static let height = question(
        "dynamic_label_text_field",
        [
            "label_options": [["Feet", "Inches"], "Centimeters"],
            "options_metadata": ["id": "units", "types": ["imperial", "metric"]], "input_type": "number",
            "validations": [
                ["for_label": "Feet", "operation": "greater than", "value": 3, "on_fail_message": "taller"],
                ["for_label": "Centimeters", "operation": "less than", "value": 250, "on_fail_message": "smaller"],
            ],
        ])
    private static let sports = question("add_text_field", ["input_type": "default"])
    private static let mood = question(
        "segment_select", ["low_tag": "Low", "high_tag": "High", "values": ["1", "2", "3", "4", "5", "6", "7"]])
    private static let weekend = question(
        "table_select",
        [
            "options": ["Yes", "Sometimes", "No"],
            "table_questions": [["id": "run", "title": "Run?"], ["id": "read", "title": "Read?"]],
        ])

    private static let answers: [(JSONValue, JSONValue, [String])] = [
        (tastes, "Lemon", ["complete"]), (tastes, ["Something else": "Mint"], ["complete"]),
        (tastes, ["Something else": ""], ["incomplete"]), (tastes, "Mint", ["not_option"]), (tastes, 1, ["type"]),
        (styles, ["Folk", "Polka"], ["complete"]), (styles, [], ["complete"]),
        (styles, ["Folk", "Folk"], ["duplicate"]),
        (styles, ["Polka", "Waltz"], ["not_option"]), (styles, "Folk", ["type"]),
        (year, "1902", ["complete"]), (year, "2026", ["complete"]), (year, "1901", ["range"]), (year, "x", ["pattern"]),
        (day, "2025-03-15", ["complete"]), (day, "2025-03-14", ["range"]), (day, "2026-02-30", ["pattern"]),
        (age, "45", ["complete"]), (age, "10", ["rule"]), (age, "80", ["rule"]), (age, "123", ["too_long", "rule"]),
        (age, "x", ["rule"]), (area, "Sun", ["complete"]), (area, "", ["incomplete"]),
        (animals, ["Dogs": "1", "Cats": "0"], ["complete"]), (animals, [:], ["complete"]),
        (animals, ["Birds": "1"], ["unknown_key"]), (height, ["Feet": "5", "Inches": "6"], ["complete"]),
        (height, ["Centimeters": "180"], ["complete"]), (height, ["Feet": "3", "Inches": "6"], ["rule"]),
        (height, ["Feet": "5"], ["not_option"]), (height, ["Centimeters": "250"], ["rule"]),
        (sports, ["Chess", "Running"], ["complete"]), (sports, "Chess", ["type"]),
        (mood, "7", ["complete"]), (mood, "8", ["not_option"]), (mood, "", ["incomplete"]),
        (weekend, ["run": "Yes", "read": "No"], ["complete"]), (weekend, ["run": "Yes"], ["incomplete"]),
        (weekend, ["run": "Maybe"], ["not_option"]), (weekend, ["swim": "Yes"], ["unknown_key"]),
    ]

    @Test(arguments: answers)
    func everyTypeJudgesItsAnswers(_ question: JSONValue, _ answer: JSONValue, _ expected: [String]) throws {
        #expect(try Self.judge(question, answer) == expected)
    }

    @Test func `A sub-question's condition may read an earlier sub-question`() throws {
        let survey = try Self.survey([
            "id": "music", "question": "?", "question_type": "segment_select", "values": ["Yes", "No"],
            "sub_questions": [
                [
                    "id": "kinds", "question": "?", "question_type": "multi_select", "options": ["Folk", "Blues"],
                    "show_if": ["id": "music", "operation": "equals", "value": "Yes"],
                ],
                [
                    "id": "band", "question": "?", "question_type": "single_text_field",
                    "show_if": ["id": "kinds", "operation": "contains", "value": "Folk"],
                ],
            ],
        ])
        func shown(_ answers: JSONObject) -> [Identifier] {
            survey.questions.evaluate(answers, QuestionFacts(now: Self.now)).shown.map(\.id)
        }
        #expect(shown([:]) == ["music"])
        #expect(shown(["music": "Yes"]) == ["music", "kinds"])
        #expect(shown(["music": "Yes", "kinds": ["Folk"]]) == ["music", "kinds", "band"])
    }

    @Test func `A decision tree holds tests, trees and custom conditions`() throws {
        let condition: JSONValue = [
            "operation": "or",
            "subconditions": [
                [
                    "operation": "and",
                    "subconditions": [
                        ["id": "a", "operation": "greater than or equal to", "value": 3],
                        ["id": "t", "subid": "run", "operation": "not equals", "value": "No"],
                    ],
                ], ["ids": ["a"], "operation": "custom", "extra": ["predicate": "odd"]],
            ],
        ]
        let table: JSONValue = [
            "id": "t", "question": "?", "question_type": "table_select", "options": ["Yes", "No"],
            "table_questions": [["id": "run", "title": "Run?"]],
        ]
        let last: JSONValue = [
            "id": "last", "question": "?", "question_type": "single_text_field", "show_if": condition,
        ]
        let first: JSONValue = ["id": "a", "question": "?", "question_type": "single_text_field"]
        let survey = try Self.definition(
            ["kind": "survey", "questions": [first, table, last], "predicates": ["odd": "answers.a == '1'"]], .survey)
        func isShown(_ answers: JSONObject) -> Bool {
            let facts = QuestionFacts(now: Self.now) { question, _ in question.answers["a"] == "1" }
            return survey.questions.evaluate(answers, facts).shown.contains { $0.id == "last" }
        }
        #expect(isShown(["a": "3"]))
        #expect(!isShown(["a": "3", "t": ["run": "No"]]))
        #expect(!isShown(["a": "2"]))
        #expect(isShown(["a": "1", "t": ["run": "No"]]))
    }

    @Test func `A questionnaire's texts need no required, and may be long`() throws {
        let definition = try Self.definition(
            [
                "kind": "questionnaire",
                "schema": [
                    "version": 1,
                    "questions": [
                        ["id": "q_short", "type": "text", "title": "In one line?", "placeholder": "If you like"],
                        ["id": "q_long", "type": "text", "title": "More?", "multiline": true],
                    ],
                ],
            ], .questionnaire)
        #expect(definition.questions.all.allSatisfy { !$0.isRequired })
        let long = String(repeating: "é", count: 4_000)
        let facts = QuestionFacts(now: Self.now)
        #expect(definition.questions.evaluate(["q_long": .string(long)], facts).faults.isEmpty)
        #expect(definition.questions.evaluate(["q_long": .string(long + "é")], facts).faults.map(\.code) == [.tooLong])
        #expect(definition.questions.evaluate(["q_short": "x"], facts).resumeAt == "q_long")
    }
}
