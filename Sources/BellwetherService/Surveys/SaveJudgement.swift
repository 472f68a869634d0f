internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import Surveys

/// What a save makes of a run, and which conditions of quotas and of the notification hold then: all of a save that
/// depends on what owners write, and so may take long.
///
/// It follows from the request and the situation alone. A transaction judges with a small budget. What needs more is
/// judged by whoever submits the transaction, who submits it again with the judgement; that counts while the situation
/// is the same (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
public struct SaveJudgement: Sendable {
    /// What the rows say.
    public struct Situation: Sendable, Hashable {
        let run: Run
        let standing: RespondentStanding
        let counters: JSONObject
        let limits: [ResponseLimits]
    }

    let situation: Situation
    let result: Result<SavedRun, SaveRefusal>
    /// Whether the condition of each quota of each limit holds.
    let verdicts: [[Bool]]
    /// Whether the condition of the recipe's notification holds.
    let notifies: Bool
    public let overruns: EvaluationBudget.Overruns
}

extension SaveRun {
    /// With the budget of a whole save: what that is not enough for is decided against whoever asks.
    public func judge(_ situation: SaveJudgement.Situation) -> SaveJudgement {
        judge(situation, .wholeSave)
    }

    /// Nil: it takes too long among other writes.
    func judgement(of situation: SaveJudgement.Situation) -> SaveJudgement? {
        if let judgement, judgement.situation == situation { return judgement }
        let judgement = judge(situation, .amongWrites)
        return judgement.overruns.isEmpty ? judgement : nil
    }

    private func judge(_ situation: SaveJudgement.Situation, _ budget: EvaluationBudget) -> SaveJudgement {
        var budget = budget
        var verdicts: [[Bool]] = []
        var notifies = false
        let result = Result { () throws(SaveRefusal) in
            let facts = content.facts(at: now, attributes: request.attributes)
            let saved = try content.run.saving(
                request.save, to: situation.run, situation.standing, facts, &budget)
            var known = ConditionFacts(answers: saved.effectiveAnswers, attributes: request.attributes)
            (known.counters, known.now) = (situation.counters, now)
            verdicts = situation.limits.map { $0.judge(known, &budget) }
            notifies = content.definition.notification?.condition?.holds(for: known, &budget) ?? true
            return saved
        }
        return SaveJudgement(
            situation: situation, result: result, verdicts: verdicts, notifies: notifies, overruns: budget.overruns)
    }
}
