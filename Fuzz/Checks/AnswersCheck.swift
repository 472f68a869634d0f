import BellwetherBase
internal import BellwetherJSON
internal import Surveys

/// Any document as a questionnaire or survey, and any answers to it: `{"definition", "answers"}`, saved as a draft and
/// submitted. The check tests the invariants of every run.
///
/// The first byte chooses the kind and the way in which the answers are saved.
public enum AnswersCheck: FuzzCheck {
    private static let now = Timestamp(seconds: 1_800_000_000)

    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        guard let choice = bytes.first, let value = try? JSONValue(parsing: bytes.dropFirst()),
            let document = value.object?["definition"]
        else { return .refused }
        let findings = Findings()
        let kind: ContentKind = choice & 1 == 0 ? .questionnaire : .survey
        let definition = SurveyDefinition(JSONReader(document, findings: findings), kind)
        for finding in findings.faults + findings.warnings { _ = finding.pointer.description }
        guard let definition else { return .refused }
        let served = JSONValue.object(definition.publicDocument)
        try require((try? JSONValue(parsing: served.encoded)) == served, "a document that does not read back")
        _ = definition.questions.ranges(on: CalendarDay(now))
        let answers = value.object?["answers"]?.object ?? [:]
        try checkEvaluation(of: answers, definition.questions, choice)
        try checkRun(answers, RunDefinition(definition, revision: 1), choice)
        return .taken
    }

    private static func facts(_ choice: UInt8) -> QuestionFacts {
        QuestionFacts(now: now) { _, _ in choice & 2 == 0 }
    }

    private static func checkEvaluation(
        of answers: JSONObject, _ questions: QuestionSet, _ choice: UInt8
    ) throws(Violation) {
        let evaluation = questions.evaluate(answers, facts(choice))
        let shown = evaluation.shown.map(\.id)
        try require(shown.allSatisfy { questions[$0] != nil }, "a question is shown that there is not")
        let isSettled = evaluation.isComplete && evaluation.faults.allSatisfy { !shown.contains($0.questionID) }
        try require(isSettled == (evaluation.resumeAt == nil), "settled, and something is open, or not")
        try require(evaluation.resumeAt.map(shown.contains) ?? true, "it goes on at a question that is not shown")
        for answer in evaluation.effectiveAnswers {
            try require(answers[answer.key] == answer.value, "an answer that nobody gave")
        }
        for fault in evaluation.faults where fault.code != .unknownKey {
            try require(shown.contains(fault.questionID), "a fault of a question that is not shown")
        }
        let again = questions.evaluate(answers, facts(choice))
        try require(again.faults == evaluation.faults, "asked twice, answered differently")
    }

    /// Saves the answers one by one, then all at once, then submits them.
    private static func checkRun(
        _ answers: JSONObject, _ definition: RunDefinition, _ choice: UInt8
    ) throws(Violation) {
        let empty = Run(
            id: "r", slug: "s", kind: definition.definition.kind, revision: 1, respondent: .client("c"), at: now)
        var single = empty
        var isWhole = true
        for member in choice & 4 == 0 ? Array(answers) : Array(answers.reversed()) {
            let save = RunSave(answers: [member.key: member.value], isComplete: false)
            guard let saved = try attempt(save, single, definition, choice) else {
                isWhole = false
                continue
            }
            single = saved
        }
        let save = RunSave(answers: answers, isComplete: false)
        guard let draft = try attempt(save, empty, definition, choice) else { return }
        try require(draft.status == .draft && draft.submittedAt == nil, "a draft is submitted")
        let sorted = { (answers: JSONObject) in answers.sorted { $0.key.precedes($1.key) }.map { "\($0)" } }
        try require(!isWhole || sorted(single.answers) == sorted(draft.answers), "the order of saves counts")
        let final = RunSave(answers: [:], isComplete: true)
        guard let submitted = try attempt(final, draft, definition, choice) else { return }
        try require(submitted.status == .new && submitted.snapshot != nil, "a submitted run without its questions")
        let late = try attempt(final, submitted, definition, choice)
        try require(late == nil, "a run is submitted twice")
    }

    /// The saved run; nil if the save is refused with a reason.
    private static func attempt(
        _ save: RunSave, _ run: Run, _ definition: RunDefinition, _ choice: UInt8
    ) throws(Violation) -> Run? {
        let saved: Run
        var budget = EvaluationBudget.wholeSave
        do throws(SaveRefusal) {
            saved = try definition.saving(save, to: run, RespondentStanding(), facts(choice), &budget).run
        } catch {
            if case .invalid(let faults) = error { try require(!faults.isEmpty, "a refusal without a fault") }
            return nil
        }
        try require(Run(saved.json) == saved, "a run that is not what was stored")
        return saved
    }
}
