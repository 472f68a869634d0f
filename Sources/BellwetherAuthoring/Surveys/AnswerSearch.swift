internal import BellwetherJSON
internal import Surveys

/// The budget of a search for answers.
struct AnswerEffort {
    /// How many leaves of conditions may still be evaluated.
    var leaves = 100_000
    var budget = EvaluationBudget(steps: 5_000_000)

    var isOver: Bool { leaves <= 0 || budget.isOver }
}

/// Searches for answers to a survey for which a condition holds, or does not hold.
///
/// The answers are tried in the order of the questions, each in all its cases. If the effort is used up, the search
/// reports that such answers may exist: only the result "no" is certain
/// (docs/decisions/archive/0061-conditions-of-questions-are-checked-by-trying-answers.md).
struct AnswerSearch {
    private let questions: QuestionSet
    private var effort = AnswerEffort()

    init(_ questions: QuestionSet) { self.questions = questions }

    /// Whether any answers to the questions that the condition reads give it the value. A missing answer is one of
    /// them. It is ignored whether these questions are shown.
    mutating func mayBe(_ value: Bool, _ condition: Condition) -> Bool {
        let ids = Set(condition.answerIDs)
        guard let plan = plan([condition], reading: ids) else { return true }
        return search(plan) { $0.makes(condition, &$1) == value }
    }

    /// Whether any answers show the question. `shown` has the ids of the preceding questions that can be shown.
    mutating func mayShow(_ question: Question, below parent: Question?, _ shown: Set<Identifier>) -> Bool {
        guard parent.map({ shown.contains($0.id) }) ?? true else { return false }
        guard let condition = question.showIf else { return true }
        switch questions.hiddenAnswers {
        case .keep:
            // An answer stays when its question is hidden again, so any combination of answers is possible.
            let ids = Set(condition.answerIDs).intersection(shown)
            guard let plan = plan([condition], reading: ids) else { return true }
            return search(plan) { $0.makes(condition, &$1) }
        case .drop:
            let ids = idsThatBear(on: question, below: parent).intersection(shown)
            let conditions = questions.all.filter { ids.contains($0.id) }.compactMap(\.showIf) + [condition]
            guard let plan = plan(conditions, reading: ids) else { return true }
            return search(plan) { step, guess, effort in
                !guess.shows(step.question, below: step.parent, &effort)
            } goal: { guess, effort in
                guess.shows(question, below: parent, &effort)
            }
        }
    }

    /// The questions whose answers decide whether this question is shown, if hidden answers do not count.
    private func idsThatBear(on question: Question, below parent: Question?) -> Set<Identifier> {
        var ids = Set((question.showIf?.answerIDs ?? []) + (parent.map { [$0.id] } ?? []))
        for earlier in questions.all.reversed() where ids.contains(earlier.id) {
            ids.formUnion(earlier.showIf?.answerIDs ?? [])
            if let above = questions.parent(of: earlier) { ids.insert(above.id) }
        }
        return ids
    }
}

extension AnswerSearch {
    /// The plan of a search: the questions with their cases, and the possible results of predicates.
    private struct Plan {
        struct Step {
            let question: Question
            let parent: Question?
            let cases: [JSONValue?]
        }

        var steps: [Step] = []
        var predicates: [(predicate: ConditionPredicate, values: [Bool])] = []
        var leaves = 0

        static let maximumPredicates = 6

        /// The combinations of results that the predicates may have.
        var combinations: [[ConditionPredicate: Bool]] {
            predicates.reduce([[:]]) { combinations, entry in
                combinations.flatMap { combination in
                    entry.values.map { combination.merging([entry.predicate: $0]) { $1 } }
                }
            }
        }
    }

    /// The plan; nil if the possible answers are not known.
    private mutating func plan(_ conditions: [Condition], reading ids: Set<Identifier>) -> Plan? {
        var plan = Plan()
        var tests: [Identifier: [ConditionTest]] = [:]
        for leaf in conditions.flatMap(\.leaves) {
            plan.leaves += 1
            switch leaf {
            case .test(let test):
                guard test.reference.root == .answers, let id = test.reference.path.first else { return nil }
                tests[id, default: []].append(test)
            case .predicate(let predicate):
                // A predicate without a name is the predicate of its question, so it may differ between conditions.
                guard predicate.name != nil || conditions.count == 1 else { return nil }
                if plan.predicates.contains(where: { $0.predicate == predicate }) { continue }
                plan.predicates.append((predicate, values(of: predicate)))
            default: break
            }
        }
        guard plan.predicates.count <= Plan.maximumPredicates else { return nil }
        for question in questions.all where ids.contains(question.id) {
            let cases = AnswerCases(question.type.domain, tests[question.id] ?? [], &effort)?.cases
            guard let cases else { return nil }
            plan.steps.append(Plan.Step(question: question, parent: questions.parent(of: question), cases: cases))
        }
        return plan
    }

    /// A predicate of the definition may hold or not. Any other predicate never holds.
    private func values(of predicate: ConditionPredicate) -> [Bool] {
        let mayHold = predicate.name.map { questions.predicates[$0] != nil } ?? !questions.predicates.isEmpty
        return mayHold ? [true, false] : [false]
    }

    /// Answers to the first questions of a plan.
    private struct Guess {
        let predicates: [ConditionPredicate: Bool]
        var answers: JSONObject = [:]
        var hidden: Set<Identifier> = []
        var position = 0

        func makes(_ condition: Condition, _ effort: inout AnswerEffort) -> Bool {
            condition.holds(for: ConditionFacts(answers: answers), &effort.budget) { predicate, _ in
                predicates[predicate] ?? false
            }
        }

        func shows(_ question: Question, below parent: Question?, _ effort: inout AnswerEffort) -> Bool {
            !(parent.map { hidden.contains($0.id) } ?? false) && question.showIf.map { makes($0, &effort) } ?? true
        }
    }

    /// `hides` reports whether the answers so far hide a question, which then has no answer.
    private mutating func search(
        _ plan: Plan, hides: (Plan.Step, Guess, inout AnswerEffort) -> Bool = { _, _, _ in false },
        goal: (Guess, inout AnswerEffort) -> Bool
    ) -> Bool {
        for predicates in plan.combinations
        where extend(Guess(predicates: predicates), plan, hides: hides, goal: goal) { return true }
        return false
    }

    private mutating func extend(
        _ guess: Guess, _ plan: Plan, hides: (Plan.Step, Guess, inout AnswerEffort) -> Bool,
        goal: (Guess, inout AnswerEffort) -> Bool
    ) -> Bool {
        effort.leaves -= plan.leaves
        guard !effort.isOver else { return true }
        guard guess.position < plan.steps.count else { return goal(guess, &effort) || effort.isOver }
        let step = plan.steps[guess.position]
        let isHidden = hides(step, guess, &effort)
        for answer in isHidden ? [nil] : step.cases {
            var next = guess
            next.position += 1
            next.answers[step.question.id] = answer
            if isHidden { next.hidden.insert(step.question.id) }
            if extend(next, plan, hides: hides, goal: goal) { return true }
        }
        return false
    }
}

extension QuestionSet {
    /// The parent of a sub-question; nil for any other question.
    func parent(of question: Question) -> Question? {
        questions.first { $0.subQuestions.contains { $0.id == question.id } }
    }
}
