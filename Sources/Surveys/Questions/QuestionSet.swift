public import BellwetherBase
public import BellwetherJSON

/// The questions of a questionnaire or survey, with the evaluation of answers.
///
/// The shown questions are computed from the answers each time, in the order of the definition. No state is accumulated
/// (docs/reference/surveys.md#which-questions-are-shown).
public struct QuestionSet: Sendable {
    /// The treatment of answers to questions that are not shown.
    public enum HiddenAnswers: String, Sendable, CaseIterable {
        /// Conditions can read them, and they are submitted.
        case keep
        /// Conditions cannot read them, and they are not submitted. The draft keeps them.
        case drop
    }

    public let questions: [Question]
    public let hiddenAnswers: HiddenAnswers
    /// The expressions, by the name of the predicate.
    public let predicates: [Identifier: String]
    /// All questions, including sub-questions, in the order in which they are asked.
    private let flattened: [(question: Question, parent: Identifier?)]

    init(_ questions: [Question], hiddenAnswers: HiddenAnswers, predicates: [Identifier: String] = [:]) {
        self.questions = questions
        self.hiddenAnswers = hiddenAnswers
        self.predicates = predicates
        flattened = questions.flatMap { question in
            [(question, nil)] + question.subQuestions.map { ($0, question.id) }
        }
    }

    public var all: [Question] { flattened.map(\.question) }

    public subscript(id: Identifier) -> Question? { flattened.first { $0.question.id == id }?.question }
}

/// The facts for judging answers, in addition to the answers themselves.
public struct QuestionFacts: Sendable {
    public var now: Timestamp
    /// Whether an expression holds. An expression that cannot be evaluated does not hold.
    public typealias Judge = @Sendable (PredicateInput, inout EvaluationBudget) -> Bool
    public var predicate: Judge
    /// The values that an expression reads, for explanations.
    public var reading: @Sendable (PredicateInput) -> PredicateReading = { _ in PredicateReading() }
    /// Whether a picker takes what it takes on any day that it is somewhere on earth. Otherwise the day in UTC counts
    /// (docs/reference/surveys.md#today).
    public var isAnyDay: Bool

    public init(now: Timestamp, isAnyDay: Bool = false, predicate: @escaping Judge = { _, _ in false }) {
        (self.now, self.isAnyDay) = (now, isAnyDay)
        self.predicate = predicate
    }

    /// The days that count as today, in their order.
    var days: [CalendarDay] { isAnyDay ? CalendarDay.everywhere(at: now) : [CalendarDay(now)] }
}

/// An expression and the values that it can read.
public struct PredicateInput: Sendable {
    public let name: Identifier
    public let expression: String
    public let answers: JSONObject
    public let extra: JSONObject
    public let now: Timestamp

    public init(name: Identifier, expression: String, answers: JSONObject, extra: JSONObject, now: Timestamp) {
        (self.name, self.expression, self.answers, self.extra) = (name, expression, answers, extra)
        self.now = now
    }
}

/// The values that an expression has read, and the error if it has no value.
public struct PredicateReading: Sendable {
    /// The values by path, such as `answers.age`; null for a missing value.
    public var values: JSONObject = [:]
    public var error: String?

    public init(values: JSONObject = [:], error: String? = nil) { (self.values, self.error) = (values, error) }
}

/// The evaluation of a set of answers.
public struct QuestionEvaluation: Sendable {
    /// The questions that are shown, in order.
    public let shown: [Question]
    /// The answers that conditions can read, and that a submission contains.
    public let effectiveAnswers: JSONObject
    /// Whether each shown question has a complete answer, valid or not.
    public let isComplete: Bool
    /// The faults of answers to shown questions, in their order, then the faults that apply to any answer. `required`
    /// is not included.
    public let faults: [AnswerFault]
    /// The required and shown questions without a complete answer.
    public let missing: [AnswerFault]
    /// The question at which a respondent continues: the first shown question whose answer is incomplete or faulty.
    public let resumeAt: Identifier?
}

extension QuestionSet {
    /// Evaluates answers within the budget of a whole save.
    public func evaluate(_ answers: JSONObject, _ facts: QuestionFacts) -> QuestionEvaluation {
        var budget = EvaluationBudget.wholeSave
        return evaluate(answers, facts, &budget)
    }

    public func evaluate(
        _ answers: JSONObject, _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> QuestionEvaluation {
        let present = JSONObject(answers.filter { $0.value != .null })
        let (shown, effective) = shownQuestions(present, facts, &budget)
        var check = AnswerCheck(answers: effective, days: facts.days, budget)
        defer { budget = check.budget }
        var missing = AnswerCheck(answers: effective, days: check.days, budget)
        var isComplete = true
        var resumeAt: Identifier?
        for question in shown {
            let answer = present[question.id]
            let isAnswered = answer.map { question.type.isComplete($0) } ?? false
            let isValid = answer.map { check.judge($0, to: question) } ?? true
            if !isAnswered, question.isRequired { missing.require(question) }
            if !isAnswered { isComplete = false }
            if !isAnswered || !isValid { resumeAt = resumeAt ?? question.id }
        }
        let judged = Set(shown.map(\.id))
        let known = Set(flattened.map(\.question.id))
        for (id, answer) in present.map({ (Identifier($0.key), $0.value) }) where !judged.contains(id) {
            if known.contains(id) {
                check.judge(hidden: answer, to: id)
            } else {
                check.refuse(unknownKey: id)
            }
        }
        return QuestionEvaluation(
            shown: shown, effectiveAnswers: effective, isComplete: isComplete, faults: check.faults,
            missing: missing.faults, resumeAt: resumeAt)
    }

    /// The answers without those that are faulty, whether their questions are shown or not.
    func valid(_ answers: JSONObject, _ facts: QuestionFacts, _ budget: inout EvaluationBudget) -> JSONObject {
        var check = AnswerCheck(answers: answers, days: facts.days, budget)
        defer { budget = check.budget }
        return JSONObject(
            answers.filter { id, answer in self[Identifier(id)].map { check.judge(answer, to: $0) } ?? false })
    }

    private func shownQuestions(
        _ answers: JSONObject, _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> ([Question], JSONObject) {
        var shown: [Question] = []
        let effective = walk(answers, facts, &budget) { question, visibility, _, _ in
            if visibility == .shown { shown.append(question) }
        }
        return (shown, effective)
    }

    enum Visibility {
        case shown
        case hidden
        /// The question above this one is hidden.
        case belowHidden
    }

    /// Visits all questions in order, each with the facts that its condition can read. Returns the answers that
    /// conditions can read at the end.
    func walk(
        _ answers: JSONObject, _ facts: QuestionFacts, _ budget: inout EvaluationBudget,
        _ visit: (Question, Visibility, ConditionFacts, inout EvaluationBudget) -> Void
    ) -> JSONObject {
        var conditionFacts = ConditionFacts(answers: answers)
        var hiddenParent: Identifier?
        for (question, parent) in flattened {
            if parent == nil { hiddenParent = nil }
            let visibility: Visibility =
                if parent != nil, parent == hiddenParent {
                    .belowHidden
                } else {
                    isShown(question, conditionFacts, facts, &budget) ? .shown : .hidden
                }
            visit(question, visibility, conditionFacts, &budget)
            if visibility != .shown {
                if parent == nil { hiddenParent = question.id }
                if hiddenAnswers == .drop { conditionFacts.answers[question.id] = nil }
            }
        }
        return conditionFacts.answers
    }

    private func isShown(
        _ question: Question, _ conditionFacts: ConditionFacts, _ facts: QuestionFacts,
        _ budget: inout EvaluationBudget
    ) -> Bool {
        guard let condition = question.showIf else { return true }
        return condition.holds(for: conditionFacts, &budget) { predicate, budget in
            holds(predicate, of: question, conditionFacts, facts, &budget)
        }
    }

    private func holds(
        _ predicate: ConditionPredicate, of question: Question, _ conditionFacts: ConditionFacts,
        _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> Bool {
        guard let asked = ask(predicate, of: question, conditionFacts, facts, &budget) else { return false }
        return facts.predicate(asked, &budget)
    }

    /// The input of a predicate; nil if the definition has no such predicate, or if the budget is used up.
    private func ask(
        _ predicate: ConditionPredicate, of question: Question, _ conditionFacts: ConditionFacts,
        _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> PredicateInput? {
        let name = predicate.name ?? question.id
        guard let expression = predicates[name], budget.spend(predicate.ids.count + conditionFacts.answers.count)
        else { return nil }
        let ids = Set(predicate.ids)
        let answers = conditionFacts.answers.filter { ids.contains(Identifier($0.key)) }
        return PredicateInput(
            name: name, expression: expression, answers: JSONObject(answers), extra: predicate.extra, now: facts.now)
    }

    /// Whether a predicate holds, and the values that it read.
    func trace(
        _ predicate: ConditionPredicate, of question: Question, _ conditionFacts: ConditionFacts,
        _ facts: QuestionFacts, _ budget: inout EvaluationBudget
    ) -> ConditionLeafTrace {
        let reference = "predicates.\(predicate.name ?? question.id)"
        guard let asked = ask(predicate, of: question, conditionFacts, facts, &budget) else {
            return ConditionLeafTrace(
                reference: reference, seen: nil, holds: false, error: "the definition has no such predicate")
        }
        let reading = facts.reading(asked)
        return ConditionLeafTrace(
            reference: reference, seen: .object(reading.values), holds: facts.predicate(asked, &budget),
            error: reading.error)
    }

    /// The range of each picker, by the id of its question.
    public func ranges(on today: CalendarDay) -> [(id: Identifier, range: PickerRange)] {
        flattened.compactMap { entry in entry.question.type.range(on: today).map { (entry.question.id, $0) } }
    }

    /// The ranges over all days that it is somewhere on earth; the first positions are those of the day in UTC.
    public func ranges(at now: Timestamp) -> [(id: Identifier, range: PickerRange)] {
        let days = CalendarDay.everywhere(at: now)
        return ranges(on: CalendarDay(now)).map { id, range in
            let type = self[id]?.type
            var wide = range
            if let first = days.first.flatMap({ type?.range(on: $0) }) { wide.minimum = first.minimum }
            if let last = days.last.flatMap({ type?.range(on: $0) }) { wide.maximum = last.maximum }
            return (id, wide)
        }
    }
}

/// Reading from a definition.
extension QuestionSet {
    /// Reads the questions under `questions`. It also reports faults that need all questions: duplicate ids, and
    /// references to questions that come later or do not exist. Nil if a question cannot be asked.
    init?(_ reader: JSONReader, in definition: JSONReader, _ format: QuestionFormat, count: ClosedRange<Int>) {
        let hidden = definition.optional("hidden_answers")?.choice(HiddenAnswers.self)
        let defaultPolicy: HiddenAnswers = format.typeKey == QuestionFormat.survey.typeKey ? .keep : .drop
        let predicates = Self.predicates(definition.optional("predicates"))
        guard let list = reader.required("questions"), let elements = list.elements() else { return nil }
        if !count.contains(elements.count) {
            list.finding(
                "length", "expected \(count.lowerBound) to \(count.upperBound) questions, found \(elements.count)")
        }
        let budget = ConditionReader.Budget()
        let questions = elements.map { (reader: $0, question: Question($0, format, budget)) }
        var known: [Identifier] = []
        for (reader, question) in questions {
            guard let question else { continue }
            Self.check(question, reader, &known)
            let below = reader.optional("sub_questions")?.elements() ?? []
            for (subReader, subQuestion) in zip(below, question.subQuestions) {
                Self.check(subQuestion, subReader, &known)
            }
        }
        guard questions.allSatisfy({ $0.question != nil }) else { return nil }
        self.init(
            questions.compactMap(\.question), hiddenAnswers: hidden ?? defaultPolicy, predicates: predicates)
    }

    private static func predicates(_ reader: JSONReader?) -> [Identifier: String] {
        var predicates: [Identifier: String] = [:]
        for (name, expression) in reader?.members() ?? [] {
            predicates[Identifier(name)] = expression.string(length: 1...10_000)
        }
        return predicates
    }

    /// Checks a question. `known` contains the ids of the questions before it.
    private static func check(_ question: Question, _ reader: JSONReader, _ known: inout [Identifier]) {
        func isKnown(_ id: Identifier) -> Bool { known.contains(id) }
        if isKnown(question.id) {
            reader.optional("id")?.finding("duplicate", "another question has the id \(question.id)")
        }
        var reported: [Identifier] = []
        for id in question.showIf?.answerIDs ?? [] where !isKnown(id) && !reported.contains(id) {
            reported.append(id)
            reader.optional("show_if")?.finding(
                "reference", "no question before this one has the id \(id)")
        }
        for reference in question.type.references where !isKnown(reference.id) {
            reader.findings.fault(
                "reference", at: reference.pointer, "no question before this one has the id \(reference.id)")
        }
        known.append(question.id)
    }
}
