internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The run after a save, and the conditions of quotas and of the notification that hold then. These are all results of
/// a save that depend on owners' conditions, and so may take long.
///
/// It depends only on the request and the situation. A transaction judges with a small budget. If that is too small, it
/// needs a judgement that was made before (`Need.judgement`). A judgement is valid while the situation is the same
/// (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
struct SaveJudgement: Sendable {
    /// The facts from the rows that a judgement depends on.
    struct Situation: Sendable, Hashable {
        let run: Run
        let standing: RespondentStanding
        let counters: JSONObject
        let segments: JSONObject
        /// The values that predicates read beside the answers: see `AppSnapshot.attributes`.
        let attributes: JSONObject
        let limits: [ResponseLimits]
    }

    let situation: Situation
    let result: Result<SavedRun, SaveRefusal>
    /// Whether the condition of each quota of each limit holds.
    let verdicts: [[Bool]]
    /// Whether the condition of the recipe's notification holds.
    let notifies: Bool
    let overruns: EvaluationBudget.Overruns
}

extension SaveRun {
    /// The judgement of a situation; nil if it takes too long among other writes.
    func judgement(of situation: SaveJudgement.Situation) -> SaveJudgement? {
        if let judgement, judgement.situation == situation { return judgement }
        let judgement = judge(situation, .amongWrites)
        return judgement.overruns.isEmpty ? judgement : nil
    }

    /// The save with a judgement of the budget of a whole save. If the budget is not enough, the decision goes against
    /// the requester.
    func judged(_ situation: SaveJudgement.Situation) -> (next: SaveRun, overruns: EvaluationBudget.Overruns) {
        var next = self
        let judgement = judge(situation, .wholeSave)
        next.judgement = judgement
        return (next, judgement.overruns)
    }

    private func judge(_ situation: SaveJudgement.Situation, _ budget: EvaluationBudget) -> SaveJudgement {
        var budget = budget
        var verdicts: [[Bool]] = []
        var notifies = false
        let result = Result { () throws(SaveRefusal) in
            let facts = content.facts(at: now, attributes: situation.attributes)
            let saved = try content.run.saving(
                request.save, to: situation.run, situation.standing, facts, &budget)
            var known = ConditionFacts(answers: saved.effectiveAnswers, attributes: request.attributes)
            (known.counters, known.segments, known.now) = (situation.counters, situation.segments, now)
            verdicts = situation.limits.map { $0.judge(known, &budget) }
            notifies = content.definition.notification?.condition?.holds(for: known, &budget) ?? true
            return saved
        }
        return SaveJudgement(
            situation: situation, result: result, verdicts: verdicts, notifies: notifies, overruns: budget.overruns)
    }
}
