internal import BellwetherBase
public import BellwetherJSON
public import Surveys

/// Warnings about a questionnaire or survey without faults: conditions and validations whose meaning is probably not
/// intended (docs/findings.md#questions). A rule that cannot decide reports nothing.
public struct SurveyCheck {
    private let questions: QuestionSet
    /// The day for which pickers are checked.
    private let today: CalendarDay
    private let findings: Findings
    private var search: AnswerSearch
    /// The ids of the preceding questions that can be shown.
    private var shown: Set<Identifier> = []

    /// - Parameter document: The definition's document. Findings use its pointers.
    public static func check(
        _ definition: SurveyDefinition, _ document: JSONReader, on today: CalendarDay, findings: Findings
    ) {
        let root = definition.kind == .questionnaire ? document.optional("schema") : document
        var check = SurveyCheck(
            questions: definition.questions, today: today, findings: findings,
            search: AnswerSearch(definition.questions))
        let readers = root?.optional("questions")?.elements() ?? []
        for (question, reader) in zip(definition.questions.questions, readers) {
            check.check(question, reader, below: nil)
            let below = reader.optional("sub_questions")?.elements() ?? []
            for (subQuestion, subReader) in zip(question.subQuestions, below) {
                check.check(subQuestion, subReader, below: question)
            }
        }
        if definition.kind == .survey { checkSubmit(document, findings) }
        PredicateCheck(definition.questions).check(findings: findings)
        LinkCheck.check(document, LinkCheck.Subject.all(of: definition.questions), findings: findings)
    }

    /// A survey needs no `submit`, but an empty one was meant to say something.
    private static func checkSubmit(_ document: JSONReader, _ findings: Findings) {
        guard let submit = document.optional("submit"), submit.value.object?.isEmpty == true else { return }
        findings.warn(
            "no_submit", at: submit.pointer, "it has no \"button_title\": the last button has the built-in text")
    }

    private mutating func check(_ question: Question, _ reader: JSONReader, below parent: Question?) {
        let options = reader.optional("options").flatMap { $0.value.array == nil ? nil : $0.elements() } ?? []
        for holder in [reader] + options { ValidationCheck(question, findings).check(holder) }
        PickerCheck(question, reader, on: today, findings).check()
        var isReported = parent.map { !shown.contains($0.id) } ?? false
        if let condition = question.showIf, let location = reader.optional("show_if") {
            // A condition that cannot be read is reported elsewhere, and gives no further warnings.
            isReported = isReported || findings.hasFaults(within: location.pointer)
            let isTold = checkTruth(of: LocatedCondition(condition, location), question, isRoot: true)
            isReported = isReported || isTold && !search.mayBe(true, condition)
        }
        if search.mayShow(question, below: parent, shown) {
            shown.insert(question.id)
        } else if !isReported {
            findings.warn(
                "unreachable", at: reader.pointer,
                "the question is never shown: no way of answering the questions before it makes its condition true")
        }
    }

    /// Reports the innermost parts that are always or never true. Returns whether the condition has a finding. A part
    /// with a finding of the reader is not checked.
    private mutating func checkTruth(of condition: LocatedCondition, _ question: Question, isRoot: Bool) -> Bool {
        if condition.parts.isEmpty, findings.hasFindings(within: condition.location.pointer) { return true }
        var isReported = checkLeaf(condition, question)
        for part in condition.parts { isReported = checkTruth(of: part, question, isRoot: false) || isReported }
        guard !isReported else { return true }
        let subject = isRoot ? "the condition" : "this part of the condition"
        if !search.mayBe(true, condition.condition) {
            let result = isRoot ? ": the question is never shown" : ""
            findings.warn("never_true", at: condition.location.pointer, "\(subject) is never true\(result)")
        } else if !search.mayBe(false, condition.condition) {
            findings.warn("always_true", at: condition.location.pointer, "\(subject) is always true")
        } else {
            return false
        }
        return true
    }

    private func checkLeaf(_ condition: LocatedCondition, _ question: Question) -> Bool {
        switch condition.condition {
        case .test(let test):
            guard let id = test.reference.path.first, let other = questions[id] else { return false }
            return ConditionLeafCheck(test, of: other, condition.location, findings).check(on: today)
        case .predicate(let predicate):
            let name = predicate.name ?? question.id
            guard questions.predicates[name] == nil else {
                guard predicate.ids.isEmpty, PredicateCheck.readsAnswers(questions.predicates[name] ?? "") else {
                    return false
                }
                findings.warn(
                    "no_value", at: condition.location.pointer,
                    "the predicate is given no answers: name their questions in \"ids\"")
                return true
            }
            let location = condition.location.optional("extra")?.optional("predicate") ?? condition.location
            findings.warn(
                "unknown_predicate", at: location.pointer,
                "the definition has no predicate \"\(name)\": the condition is never true")
            return true
        default: return false
        }
    }
}

/// A condition of `show_if`, and its location in the author's document.
struct LocatedCondition {
    let condition: Condition
    let location: JSONReader

    init(_ condition: Condition, _ location: JSONReader) {
        (self.condition, self.location) = (condition, location)
    }

    var parts: [LocatedCondition] {
        switch condition {
        case .all(let parts), .any(let parts):
            zip(parts, location.optional("subconditions")?.elements() ?? []).map { LocatedCondition($0, $1) }
        default: []
        }
    }
}
