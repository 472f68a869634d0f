internal import BellwetherService
internal import Surveys

/// The evaluation of owners' patterns and conditions (docs/reference/surveys.md#budget).
extension RoutedRequest {
    /// Judges within the budget of a whole save, and counts the exceeded limits.
    func judging<Value>(_ judge: (inout EvaluationBudget) -> Value) -> Value {
        var budget = EvaluationBudget.wholeSave
        defer { meter.count(budget.overruns) }
        return judge(&budget)
    }

    /// Counts a save that took too long to be judged among other writes.
    func countJudgement(_ overruns: EvaluationBudget.Overruns) {
        meter.count(.judgedApart)
        meter.count(overruns)
    }
}

extension Call {
    /// How often a save is judged again because its run changed meanwhile.
    static let maximumJudgements = 3
}
