import BellwetherBase
import BellwetherJSON
import Surveys
import TestSupport
import Testing

/// The documented behaviour of SurveyNative's pickers, lengths and validations (docs/reference/surveys.md#surveys).
@Suite struct PickerAndRuleTests {
    private static let now = Timestamp(rfc3339: "2026-03-15T12:00:00Z") ?? Timestamp(seconds: 0)

    private static func survey(_ questions: [JSONValue]) throws -> SurveyDefinition {
        let findings = Findings()
        let document: JSONValue = ["kind": "survey", "questions": .array(questions)]
        let definition = SurveyDefinition(JSONReader(document, findings: findings), .survey)
        #expect(findings.faults.isEmpty, "\(findings.faults)")
        return try #require(definition)
    }

    private static func question(_ type: String, _ more: JSONObject) -> JSONValue {
        var question: JSONObject = ["id": "q", "question": "?", "question_type": .string(type)]
        for member in more { question[member.key] = member.value }
        return .object(question)
    }

    private static func codes(_ questions: [JSONValue], _ answers: JSONObject) throws -> [String] {
        try survey(questions).questions.evaluate(answers, QuestionFacts(now: now)).faults.map(\.code.rawValue)
    }

    /// `currentdate` and `current_date` are equal. A range in the wrong order is ignored. `date_diff` counts from the
    /// only given date.
    @Test(
        arguments: [
            (["min_date": "currentdate"], "2026-03-15", "2026-03-14"),
            (["max_date": "current_date"], "2026-03-15", "2026-03-16"),
            (["min_date": "currentdate", "date_diff": ["month": 1]], "2026-04-15", "2026-04-16"),
            (
                ["min_date": "2026-01-01", "max_date": "2026-02-01", "date_diff": ["day": 9]], "2026-02-01",
                "2026-02-02"
            ),
        ] as [(JSONObject, String, String)])
    func aDayIsWithinItsRange(_ keys: JSONObject, _ inside: String, _ outside: String) throws {
        let question = Self.question("date_picker", keys)
        #expect(try Self.codes([question], ["q": .string(inside)]) == [])
        #expect(try Self.codes([question], ["q": .string(outside)]) == ["range"])
    }

    @Test func aRangeThatIsUpsideDownIsIgnored() throws {
        let days = Self.question("date_picker", ["min_date": "2026-05-01", "max_date": "2026-04-01"])
        #expect(try Self.codes([days], ["q": "1970-01-01"]) == [])
        let backwards = Self.question("date_picker", ["min_date": "2026-05-01", "date_diff": ["day": -1]])
        #expect(try Self.codes([backwards], ["q": "1970-01-01"]) == [])
        let years = Self.question("year_picker", ["min_year": "2030", "max_year": "2020"])
        #expect(try Self.codes([years], ["q": "1980"]) == [])
    }

    /// Two of the three keys determine the third; if all three are given, the number is ignored.
    @Test(
        arguments: [
            (["min_year": "2000", "num_years": 3], ["2000", "2002"], ["1999", "2003"]),
            (["max_year": "2010", "num_years": "3"], ["2008", "2010"], ["2007", "2011"]),
            (["min_year": "2000", "max_year": "2010", "num_years": "2"], ["2000", "2010"], ["1999", "2011"]),
            (["max_year": "current_year", "min_year": 2020], ["2020", "2026"], ["2019", "2027"]),
            ([:], ["1900", "2026"], ["1899", "2027"]),
        ] as [(JSONObject, [String], [String])])
    func aYearIsWithinItsRange(_ keys: JSONObject, _ inside: [String], _ outside: [String]) throws {
        let question = Self.question("year_picker", keys)
        for year in inside { #expect(try Self.codes([question], ["q": .string(year)]) == []) }
        for year in outside { #expect(try Self.codes([question], ["q": .string(year)]) == ["range"]) }
    }

    @Test func textsHaveAtMostSoManyCharacters() throws {
        let area = Self.question("single_text_area", ["max_chars": "3"])
        #expect(try Self.codes([area], ["q": "abc"]) == [])
        #expect(try Self.codes([area], ["q": "abcd"]) == ["too_long"])
        let fields = Self.question(
            "multi_text_field", ["fields": [["label": "Dogs", "input_type": "number", "max_chars": "1"]]])
        #expect(try Self.codes([fields], ["q": ["Dogs": "9"]]) == [])
        #expect(try Self.codes([fields], ["q": ["Dogs": "10"]]) == ["too_long"])
    }

    /// Each operation with an answer that satisfies it and one that does not, compared with a value and with another
    /// answer.
    @Test(
        arguments: [
            ("equals", "5", "6"), ("not equals", "6", "5"), ("greater than", "6", "5"),
            ("greater than or equal to", "5", "4"), ("less than", "4", "5"), ("less than or equal to", "5", "6"),
        ], ["single_text_field", "single_text_area"])
    func eachOperationOfAValidationIsKeptOrNot(_ example: (String, String, String), _ type: String) throws {
        let first: JSONValue = ["id": "first", "question": "?", "question_type": "single_text_field"]
        let fixed: JSONObject = ["operation": .string(example.0), "value": "5", "on_fail_message": "no"]
        let other: JSONObject = [
            "operation": .string(example.0), "answer_to_question_id": "first", "on_fail_message": "no",
        ]
        for rule in [fixed, other] {
            let question = Self.question(type, ["validations": [.object(rule)]])
            #expect(try Self.codes([first, question], ["first": "5", "q": .string(example.1)]) == [])
            #expect(try Self.codes([first, question], ["first": "5", "q": .string(example.2)]) == ["rule"])
        }
        let question = Self.question(type, ["validations": [.object(other)]])
        #expect(try Self.codes([first, question], ["q": .string(example.1)]) == ["rule"], "no answer to compare with")
    }

    @Test func theFirstValidationThatFailsGivesItsMessage() throws {
        let rules: JSONValue = [
            ["operation": "greater than", "value": 10, "on_fail_message": "first"],
            ["operation": "greater than", "value": 20, "on_fail_message": "second"],
        ]
        let survey = try Self.survey([Self.question("single_text_field", ["validations": rules])])
        for (answer, message) in [("5", "first"), ("15", "second")] {
            let faults = survey.questions.evaluate(["q": .string(answer)], QuestionFacts(now: Self.now)).faults
            #expect(faults.map(\.message) == [message])
        }
    }
}
