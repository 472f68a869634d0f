public import BellwetherJSON

/// The reason why a question is shown or hidden: the tests of its condition with the values that they read
/// (docs/reference/surveys.md#why-a-question-is-shown).
public struct QuestionTrace: Sendable {
    public let id: Identifier
    public let isShown: Bool
    /// Whether it is below a question that is hidden.
    public let isBelowHidden: Bool
    /// Empty for a question without a condition.
    public let leaves: [ConditionLeafTrace]

    public var json: JSONValue {
        var json: JSONObject = ["id": .string(id), "shown": .bool(isShown)]
        if isBelowHidden { json["below_hidden"] = true }
        if !leaves.isEmpty { json["tests"] = .array(leaves.map(\.json)) }
        return .object(json)
    }
}

extension QuestionSet {
    /// The traces of all questions, in order.
    public func trace(_ answers: JSONObject, _ facts: QuestionFacts) -> [QuestionTrace] {
        var traces: [QuestionTrace] = []
        var budget = EvaluationBudget.wholeSave
        let present = JSONObject(answers.filter { $0.value != .null })
        _ = walk(present, facts, &budget) { question, visibility, conditionFacts, budget in
            let leaves = question.showIf?.trace(for: conditionFacts, &budget) { predicate, budget in
                trace(predicate, of: question, conditionFacts, facts, &budget)
            }
            traces.append(
                QuestionTrace(
                    id: question.id, isShown: visibility == .shown, isBelowHidden: visibility == .belowHidden,
                    leaves: leaves ?? []))
        }
        return traces
    }
}

extension ConditionLeafTrace {
    /// `{reference, value, holds, error?}`; a missing value is null.
    public var json: JSONValue {
        var json: JSONObject = ["reference": .string(reference), "value": seen ?? .null, "holds": .bool(holds)]
        json["error"] = error.map { .string($0) }
        return .object(json)
    }
}
