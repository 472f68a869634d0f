import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Glibc
import Samples
import Surveys
import TestSupport
import Testing

/// Warnings about conditions of questions. Each has its code and its position in the author's document, and there is
/// none if the definition may be right (docs/findings.md#questions).
@Suite struct SurveyCheckTests {
    /// One question of each kind of answer.
    private static let questions: [JSONValue] = [
        ["id": "music", "question": "Music?", "question_type": "segment_select", "values": ["Yes", "No"]],
        ["id": "count", "question": "How many?", "question_type": "single_select", "options": ["1", "2", "many"]],
        [
            "id": "kinds", "question": "Which?", "question_type": "multi_select", "options": ["Pop", "Rock", "Jazz"],
        ],
        [
            "id": "fruit", "question": "Fruit?", "question_type": "single_select",
            "options": ["Apple", ["title": "Other", "type": "freeform"]],
        ],
        ["id": "age", "question": "Age?", "question_type": "single_text_field", "input_type": "number"],
        ["id": "born", "question": "Born?", "question_type": "year_picker"],
        ["id": "day", "question": "When?", "question_type": "date_picker"],
        [
            "id": "time", "question": "Time?", "question_type": "table_select", "options": ["Yes", "No"],
            "table_questions": [["id": "read", "title": "Reading"], ["id": "tv", "title": "TV"]],
        ],
        [
            "id": "height", "question": "Height?", "question_type": "dynamic_label_text_field",
            "label_options": ["Centimeters", ["Feet", "Inches"]],
        ],
        ["id": "names", "question": "Names?", "question_type": "add_text_field"],
    ]

    static func findings(_ definition: JSONValue, _ kind: ContentKind = .survey) throws -> Findings {
        let findings = Findings()
        let reader = JSONReader(definition, findings: findings)
        let survey = try #require(SurveyDefinition(reader, kind), "\(findings.faults)")
        #expect(findings.faults.isEmpty)
        let today = try #require(CalendarDay("2026-11-23"))
        SurveyCheck.check(survey, reader, on: today, findings: findings)
        return findings
    }

    /// The processor time of this thread.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The findings for a survey whose last question has this condition.
    private static func places(_ condition: JSONValue, _ more: JSONObject = [:]) throws -> [String] {
        let last: JSONValue = [
            "id": "last", "question": "Last?", "question_type": "single_text_field", "show_if": condition,
        ]
        var definition: JSONObject = ["kind": "survey", "questions": .array(questions + [last])]
        for member in more { definition[member.key] = member.value }
        return try findings(.object(definition)).warningLocations
    }

    private static func test(_ id: String, _ operation: String, _ value: JSONValue, _ subid: String? = nil) -> JSONValue
    {
        var test: JSONObject = ["id": .string(id), "operation": .string(operation), "value": value]
        if let subid { test["subid"] = .string(subid) }
        return .object(test)
    }

    private static func tree(_ operation: String, _ parts: [JSONValue]) -> JSONValue {
        ["operation": .string(operation), "subconditions": .array(parts)]
    }

    private static func custom(_ name: String) -> JSONValue {
        ["operation": "custom", "ids": ["age"], "extra": ["predicate": .string(name)]]
    }

    private static let here = "/questions/10/show_if"

    /// A condition, the expected code, and the position in the condition.
    private static let mistakes: [(JSONValue, String, String)] = [
        (test("music", "equals", "Maybe"), "unknown_option", "/value"),
        (test("music", "not equals", "yes"), "unknown_option", "/value"),
        (test("kinds", "contains", "Folk"), "unknown_option", "/value"),
        (test("fruit", "equals", "Other"), "unknown_option", "/value"),
        (test("time", "equals", "Maybe", "read"), "unknown_option", "/value"),
        (test("time", "equals", "No", "radio"), "unknown_label", "/subid"),
        (test("music", "equals", "No", "radio"), "unknown_label", "/subid"),
        (test("count", "equals", 2), "type_mismatch", "/value"),
        (test("age", "equals", 18), "type_mismatch", "/value"),
        (test("kinds", "equals", "Pop"), "type_mismatch", "/value"),
        (test("time", "equals", "No"), "type_mismatch", "/value"),
        (test("age", "greater than", "old"), "type_mismatch", "/value"),
        (test("music", "greater than", 3), "type_mismatch", "/id"),
        (test("day", "less than", 2000), "type_mismatch", "/id"),
        (test("names", "greater than", 1), "type_mismatch", "/id"),
        (test("music", "contains", "Yes"), "type_mismatch", "/operation"),
        (test("kinds", "contains", 5), "type_mismatch", "/value"),
        (test("count", "greater than", 2), "never_true", ""),
        (test("born", "greater than", 9999), "never_true", ""),
        (test("born", "equals", "nineteen"), "never_true", ""),
        (test("day", "equals", "2024-02-30"), "never_true", ""),
        (custom("adult"), "unknown_predicate", "/extra/predicate"),
        (tree("or", []), "never_true", ""),
        (tree("and", []), "always_true", ""),
        (tree("and", [test("age", "greater than", 18), test("age", "less than", 10)]), "never_true", ""),
        (tree("or", [test("music", "equals", "Yes"), test("music", "not equals", "Yes")]), "always_true", ""),
        (
            tree(
                "and",
                [
                    test("music", "equals", "Yes"),
                    tree("and", [test("kinds", "contains", "Pop"), test("kinds", "not contains", "Pop")]),
                ]), "never_true", "/subconditions/1"
        ),
    ]

    @Test(arguments: mistakes)
    func whatAConditionCannotMean(_ condition: JSONValue, _ code: String, _ place: String) throws {
        #expect(try Self.places(condition) == ["\(code) \(Self.here)\(place)"])
    }

    private static let sound: [JSONValue] = [
        test("music", "equals", "Yes"), test("music", "not equals", "No"), test("kinds", "contains", "Pop"),
        test("fruit", "equals", "Mango", "Other"), test("age", "greater than", "18"), test("count", "greater than", 1),
        test("born", "less than", 1990), test("day", "equals", "2024-02-29"), test("time", "equals", "No", "tv"),
        test("height", "greater than", 150, "Centimeters"), test("names", "contains", "Ann"),
        tree("and", [test("age", "greater than", 18), test("age", "less than or equal to", 19)]),
        tree("and", [test("height", "greater than", 3, "Feet"), test("height", "less than", 2, "Inches")]),
        tree("or", [test("kinds", "contains", "Pop"), test("kinds", "contains", "Rock")]),
    ]

    @Test(arguments: sound)
    func nothingIsToldOfWhatMayHold(_ condition: JSONValue) throws { #expect(try Self.places(condition) == []) }

    @Test func `A predicate that the definition has may hold and may not`() throws {
        #expect(try Self.places(Self.custom("adult"), ["predicates": ["adult": "answers.age|number > 17"]]) == [])
    }

    private static let predicates: [(String, [String])] = [
        ("answers.age > 17", ["type_mismatch"]), ("answers.age == 17", ["type_mismatch"]),
        ("answers['age'] < extra.bound", ["type_mismatch"]), ("answers.age + extra.bound > 3", ["type_mismatch"]),
        ("answers.height.Feet > 5", ["type_mismatch"]), ("answers.names == 'Ann'", ["type_mismatch"]),
        // No condition provides a value for this name.
        ("answers.born|number > answers.count", ["type_mismatch"]), ("answers.age|numbr > 3", ["unknown_transform"]),
        ("answers.age|number", ["not_boolean"]), ("answers.age|number == '17'", ["type_mismatch"]),
        ("answers.age|number > extra.bound", []), ("answers.height.Feet|number > 5 && plan == 3", []),
        ("answers.day|date < current_date * 1000", []), ("'Ann' in answers.names", []),
        ("answers.fruit == 'Apple' || answers.fruit.Other|number > 3", []), ("answers.age > '17'", []),
        ("extra.word == answers.age", []), ("versions|versionCompare('1') > 0", []),
    ]

    /// The check uses the types of the answers and of the values in the condition.
    @Test(arguments: predicates)
    func whatAPredicateCannotMean(_ expression: String, _ codes: [String]) throws {
        let condition: JSONValue = [
            "operation": "custom", "ids": ["age", "born", "height", "names", "day", "fruit"],
            "extra": ["predicate": "p", "bound": 3, "word": "x"],
        ]
        let definition: JSONObject = ["predicates": ["p": .string(expression)]]
        #expect(try Self.places(condition, definition) == codes.map { "\($0) /predicates/p" })
    }

    @Test func `A predicate that no condition asks is not judged`() throws {
        let never: JSONObject = ["predicates": ["other": "answers.age > 17"]]
        #expect(try Self.places(Self.test("age", "greater than", 18), never) == [])
    }

    /// `last` needs a "Yes" to `b`, and `b` is shown only after a "No" to `a`.
    private static func chain(_ condition: JSONValue, _ policy: String) -> JSONValue {
        let values: JSONValue = ["Yes", "No"]
        return [
            "kind": "survey", "hidden_answers": .string(policy),
            "questions": [
                ["id": "a", "question": "A?", "question_type": "segment_select", "values": values],
                [
                    "id": "b", "question": "B?", "question_type": "segment_select", "values": values,
                    "show_if": test("a", "equals", "No"),
                ],
                [
                    "id": "last", "question": "Last?", "question_type": "single_text_field", "show_if": condition,
                    "sub_questions": [["id": "below", "question": "Below?", "question_type": "single_text_field"]],
                ],
            ],
        ]
    }

    @Test func `A question is unreachable where hidden answers are dropped that it needs`() throws {
        let both: JSONValue = [
            "operation": "and", "subconditions": [Self.test("a", "equals", "Yes"), Self.test("b", "equals", "Yes")],
        ]
        #expect(try Self.findings(Self.chain(both, "drop")).warningLocations == ["unreachable /questions/2"])
        #expect(try Self.findings(Self.chain(both, "keep")).warningLocations == [])
        #expect(try Self.findings(Self.chain(Self.test("b", "equals", "Yes"), "drop")).warningLocations == [])
    }

    @Test func `A question that needs the answer of an unreachable one is unreachable`() throws {
        let never = Self.test("a", "equals", "Perhaps")
        let definition: JSONValue = [
            "kind": "survey",
            "questions": [
                ["id": "a", "question": "A?", "question_type": "segment_select", "values": ["Yes", "No"]],
                ["id": "b", "question": "B?", "question_type": "single_text_field", "show_if": never],
                [
                    "id": "c", "question": "C?", "question_type": "single_text_field",
                    "show_if": Self.test("b", "equals", "x"),
                ],
                [
                    "id": "d", "question": "D?", "question_type": "single_text_field",
                    "show_if": Self.test("b", "not equals", "x"),
                ],
            ],
        ]
        #expect(
            try Self.findings(definition).warningLocations == [
                "unknown_option /questions/1/show_if/value", "unreachable /questions/2",
            ])
    }

    @Test func `Validations that no answer can keep are told`() throws {
        let definition: JSONValue = [
            "kind": "survey",
            "questions": [
                [
                    "id": "height", "question": "Height?", "question_type": "dynamic_label_text_field",
                    "label_options": ["Centimeters", ["Feet", "Inches"]],
                    "validations": [
                        ["operation": "greater than", "value": "tall", "on_fail_message": "Taller"],
                        ["operation": "less than", "value": "250", "on_fail_message": "m", "for_label": "Meters"],
                    ],
                ],
                [
                    "id": "fruit", "question": "Fruit?", "question_type": "single_select",
                    "options": [
                        "Apple",
                        [
                            "title": "Other", "type": "number",
                            "validations": [["operation": "less than", "value": "x", "on_fail_message": "no"]],
                        ],
                    ],
                ],
            ],
        ]
        #expect(
            try Self.findings(definition).warningLocations == [
                "type_mismatch /questions/0/validations/0/value", "unknown_label /questions/0/validations/1/for_label",
                "type_mismatch /questions/1/options/1/validations/0/value",
            ])
    }

    @Test func `A questionnaire's numbers are compared as numbers`() throws {
        func places(_ condition: JSONValue) throws -> [String] {
            let definition: JSONValue = [
                "kind": "questionnaire",
                "schema": [
                    "questions": [
                        ["id": "nps", "type": "nps", "title": "Tell a friend?"],
                        ["id": "why", "type": "text", "title": "Why?", "show_if": condition],
                    ]
                ],
            ]
            return try Self.findings(definition, .questionnaire).warningLocations
        }
        #expect(try places(Self.test("nps", "less than", 7)) == [])
        #expect(try places(Self.test("nps", "equals", 10)) == [])
        #expect(try places(Self.test("nps", "equals", "10")) == ["type_mismatch /schema/questions/1/show_if/value"])
        #expect(try places(Self.test("nps", "greater than", 10)) == ["never_true /schema/questions/1/show_if"])
        #expect(try places(Self.test("nps", "greater than", -1)) == [], "an answer may be missing")
    }

    @Test func `More than can be tried is not judged, and takes no time`() throws {
        // One question with the maximum number of tests, on as many numbers and texts.
        let tests = (0..<1_990).map {
            Self.test("age", $0.isMultiple(of: 2) ? "equals" : "greater than", .string("\($0)"))
        }
        let condition = Self.tree("and", tests + [Self.test("age", "less than", -1)])
        let begin = Self.processorSeconds()
        #expect(try Self.places(condition) == [])
        #expect(Self.processorSeconds() - begin < 20)
        let predicates = (0..<8).map { Self.custom("p\($0)") }
        let known = JSONObject((0..<8).map { (key: "p\($0)", value: "true") })
        #expect(try Self.places(Self.tree("and", predicates), ["predicates": .object(known)]) == [])
    }

    @Test func `Two hundred nested conditions are checked`() throws {
        let questions = (0..<30).map { index -> JSONValue in
            var question: JSONObject = [
                "id": .string("q\(index)"), "question": "?", "question_type": "multi_select",
                "options": ["a", "b", "c", "d", "e", "f"],
            ]
            if index > 4 {
                let tests = (1...4).flatMap { back in
                    ["a", "b"].map { Self.test("q\(index - back)", "contains", .string($0)) }
                }
                question["show_if"] = [
                    "operation": "and",
                    "subconditions": [["operation": "or", "subconditions": .array(tests)], tests[0]],
                ]
            }
            return .object(question)
        }
        for policy in ["keep", "drop"] {
            let definition: JSONValue = [
                "kind": "survey", "hidden_answers": .string(policy), "questions": .array(questions),
            ]
            #expect(try Self.findings(definition).warningLocations == [])
        }
    }
}
