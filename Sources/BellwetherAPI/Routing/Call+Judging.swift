internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The evaluation of owners' patterns and conditions (docs/reference/surveys.md#budget).
extension RoutedRequest {
    /// Judges within the budget of a whole save, and counts the exceeded limits.
    func judging<Value>(_ judge: (inout EvaluationBudget) -> Value) -> Value {
        var budget = EvaluationBudget.wholeSave
        defer { meter.count(budget.overruns) }
        return judge(&budget)
    }
}

extension Call {
    /// Judges within the budget of a write. What takes longer is judged in the queue of checks, within the budget of a
    /// whole save, and not on the event loop.
    func judging<Value: Sendable>(
        _ judge: @escaping @Sendable (inout EvaluationBudget) -> Value,
        then proceed: @escaping (Value) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        var budget = EvaluationBudget.amongWrites
        let value = judge(&budget)
        if budget.overruns.isEmpty { return try proceed(value) }
        let (checks, requester, meter) = (services.checks, requester, meter)
        return park { (ticket: Ticket<Value?>) in
            let isTaken = checks.async(keeping: requester.bytes, for: requester.name) {
                var budget = EvaluationBudget.wholeSave
                let value = judge(&budget)
                meter.count(budget.overruns)
                ticket.complete(value)
            }
            if !isTaken { ticket.complete(nil) }
        } resume: { (value) throws(APIError) in
            guard let value else { throw .tooManyChecks }
            return try proceed(value)
        }
    }

    /// The facts about the requester for an action. With a public token, a new run counts against the limit of the
    /// client's address.
    var requester: Requester {
        var requester = Requester()
        (requester.bytes, requester.name) = (contentBytes, principal?.name ?? "")
        (requester.stream, requester.trace) = (streamName, trace)
        requester.allowance = WebAccess(self)?.allowance
        requester.judgedApart = { [meter] in
            meter.count(.judgedApart)
            meter.count($0)
        }
        return requester
    }
}
