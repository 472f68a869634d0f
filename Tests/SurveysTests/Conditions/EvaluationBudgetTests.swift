import BellwetherBase
import BellwetherJSON
import BellwetherService
import Surveys
import Testing

/// The limit of steps for judging answers (docs/reference/surveys.md#budget).
@Suite struct EvaluationBudgetTests {
    private static let long = JSONValue.string(String(repeating: "b", count: 4_000))
    private static let hostile: JSONValue = [
        "ref": "answer.t", "op": "matches", "value": "(?:[^a]?.?){999}z",
    ]

    private func condition(_ document: JSONValue) -> Condition {
        ConditionDialect.core.read(JSONReader(document, findings: Findings()))
    }

    /// Without a limit, each of these tests needs half a second on the writer's thread.
    @Test func aHundredHostileTestsTakeTheStepsOfOne() {
        let condition = condition(["any": .array(Array(repeating: Self.hostile, count: 20))])
        var budget = EvaluationBudget.wholeSave
        #expect(!condition.holds(for: ConditionFacts(answers: ["t": Self.long]), &budget))
        #expect(budget.steps == 0)
        #expect(budget.overruns.conditions == 1)
    }

    @Test func aConditionThatIsNotJudgedToTheEndIsFalseWhateverItSays() {
        let facts = ConditionFacts(answers: ["t": Self.long])
        for document: JSONValue in [["not": Self.hostile], ["any": [Self.hostile, true]]] {
            var budget = EvaluationBudget.amongWrites
            #expect(!condition(document).holds(for: facts, &budget))
            #expect(budget.isOver)
        }
        var budget = EvaluationBudget.amongWrites
        #expect(condition(["any": [true, Self.hostile]]).holds(for: facts, &budget), "it is true before that")
        #expect(!budget.isOver)
    }

    @Test func aStoredConditionWithATooLargePatternIsFalse() {
        let tooLarge: JSONValue = ["ref": "answer.t", "op": "matches", "value": "((a{0}){1000}){1000}"]
        for document: JSONValue in [tooLarge, ["not": tooLarge], ["any": [true, tooLarge]]] {
            var budget = EvaluationBudget.wholeSave
            #expect(!condition(document).holds(for: ConditionFacts(answers: ["t": "a"]), &budget))
            #expect(!budget.isOver)
        }
    }

    /// Long texts and arrays in answers and definitions count as steps, too.
    @Test(arguments: [
        ("contains", JSONValue.string("b"), 100_000, 1), ("eq", .string("b"), 1_000, 200),
        ("in", .array(Array(repeating: "c", count: 1_000)), 4_000, 2), ("member_any", .array(["b"]), 40_000, 20),
    ]) func testsOfLongValuesTakeSteps(_ operation: String, _ operand: JSONValue, _ length: Int, _ count: Int) {
        let test: JSONValue = ["ref": "answer.t", "op": .string(operation), "value": operand]
        let condition = condition(["all": .array([["not": test]] + Array(repeating: ["not": test], count: count - 1))])
        let text = String(repeating: "x", count: length)
        let value: JSONValue = operation == "member_any" ? .array(text.map { .string(String($0)) }) : .string(text)
        var budget = EvaluationBudget.wholeSave
        #expect(condition.holds(for: ConditionFacts(answers: ["t": value]), &budget) == !budget.isOver)
        #expect(EvaluationBudget.wholeSave.steps - budget.steps >= length * count / 20)
    }

    @Test(arguments: [
        ("aab", "aaaab", true), ("abab", "abaabab", true), ("aaa", "aabaab", false), ("", "", true), ("a", "", false),
        ("é", "café", true), ("abcabd", "abcabcabd", true),
    ]) func aPartOfATextIsFoundInOnePass(_ part: String, _ text: String, _ isPart: Bool) {
        let condition = condition(["ref": "answer.t", "op": "contains", "value": .string(part)])
        var budget = EvaluationBudget.wholeSave
        #expect(condition.holds(for: ConditionFacts(answers: ["t": .string(text)]), &budget) == isPart)
    }

    // MARK: Surveys

    private func survey(_ questions: JSONValue, predicates: JSONValue = [:]) throws -> SurveyDefinition {
        let findings = Findings()
        let document: JSONValue = ["kind": "survey", "name": "n", "questions": questions, "predicates": predicates]
        let survey = SurveyDefinition(JSONReader(document, findings: findings), .survey)
        return try #require(survey, "\(findings.faults)")
    }

    private static let facts = QuestionFacts(now: Timestamp(seconds: 1_800_000_000))

    @Test func anAnswerWhoseRulesTakeTooLongHasTheFaultPattern() throws {
        let rule: JSONValue = ["operation": "not equals", "value": "x", "on_fail_message": "no x"]
        let survey = try survey([
            [
                "id": "a", "question": "A?", "question_type": "single_text_field",
                "validations": .array(Array(repeating: rule, count: 400)),
            ],
            ["id": "b", "question": "B?", "question_type": "single_text_field", "validations": [rule]],
            ["id": "c", "question": "C?", "question_type": "single_text_field"],
        ])
        var budget = EvaluationBudget.wholeSave
        let text = JSONValue.string(String(repeating: "y", count: 30_000))
        let evaluation = survey.questions.evaluate(["a": text, "b": "x", "c": "x"], Self.facts, &budget)
        #expect(evaluation.faults.map { "\($0.questionID) \($0.code.rawValue)" } == ["a pattern", "b pattern"])
        #expect(budget.overruns.answers == 2)
        #expect(survey.questions.evaluate(["a": "y", "b": "x"], Self.facts).faults.map(\.message) == ["no x"])
    }

    @Test func anExpressionTakesItsStepsFromTheBudget() {
        let predicates = SurveyPredicates(["p": "99 in extra.xs || true"])
        let extra: JSONObject = ["xs": .array(Array(repeating: 1, count: 1_000))]
        let question = PredicateInput(
            name: "p", expression: "", answers: [:], extra: extra, now: Timestamp(seconds: 0))
        var budget = EvaluationBudget(steps: 1_500)
        #expect(predicates.holds(question, attributes: [:], &budget))
        #expect((400...500).contains(budget.steps) && !budget.isShort)
        #expect(!predicates.holds(question, attributes: [:], &budget))
        #expect(budget.steps == 0 && budget.isShort)
    }

    @Test func predicatesTakeTheirStepsFromTheSameBudget() throws {
        let custom: JSONValue = ["operation": "custom", "ids": ["a"], "extra": ["predicate": "p"]]
        var questions: [JSONValue] = [["id": "a", "question": "A?", "question_type": "single_text_field"]]
        questions += (0..<5).map { index in
            [
                "id": .string("q\(index)"), "question": "Q?", "question_type": "single_text_field", "show_if": custom,
            ]
        }
        let survey = try survey(.array(questions), predicates: ["p": "true"])
        let facts = QuestionFacts(now: Self.facts.now) { _, _ in true }
        // Each question takes one step, one for its id, and one for the answer.
        var budget = EvaluationBudget(steps: 10)
        let shown = survey.questions.evaluate(["a": "y"], facts, &budget).shown.map(\.id)
        #expect(shown == ["a", "q0", "q1", "q2"])
        #expect(budget.overruns.conditions == 2)
    }
}
