public import BellwetherBase
public import BellwetherJSON
internal import JEXL
public import Surveys

/// The expressions of a survey's custom conditions, parsed once (docs/reference/surveys.md#predicates).
public struct SurveyPredicates: Sendable {
    private let expressions: [String: CompiledExpression]

    /// An expression that cannot be parsed never holds; publishing refuses it.
    public init(_ sources: [String: String]) {
        expressions = sources.compactMapValues { try? CompiledExpression($0) }
    }

    /// What is wrong with an expression; nil: nothing.
    static func fault(of source: String) -> String? {
        do throws(JEXLError) {
            _ = try CompiledExpression(source)
            return nil
        } catch {
            return error.message
        }
    }

    /// An expression that fails, or whose value is no boolean, does not hold. It takes its steps from the budget: they
    /// take as long as those of other conditions.
    public func holds(
        _ question: PredicateQuestion, attributes: JSONObject, _ budget: inout EvaluationBudget
    ) -> Bool {
        guard let expression = expressions[question.name] else { return false }
        let environment = PredicateEnvironment(question: question, attributes: attributes)
        let given = min(JEXLLimits.standard.steps, budget.steps)
        var left = given
        let isTrue = (try? expression.isTrue(in: environment, steps: &left)) ?? false
        // It may have stopped for want of steps.
        let isShort = left == 0 && given < JEXLLimits.standard.steps
        return budget.spend(isShort ? budget.steps + 1 : given - left) && isTrue
    }
}

private struct PredicateEnvironment: JEXLEnvironment {
    let question: PredicateQuestion
    let attributes: JSONObject

    func value(of identifier: String) -> JSONValue? {
        switch identifier {
        case "answers": .object(question.answers)
        case "extra": .object(question.extra)
        default: attributes[identifier]
        }
    }
    /// No event is known here.
    func result(of query: EventQuery) -> Double { 0 }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}

/// `bellwether survey batch`, with the expressions of the definition.
extension SurveyBatch {
    public static func answer(_ line: JSONValue, at now: Timestamp) -> JSONValue {
        let sources = line.object?["definition"]?.object?["predicates"]?.object ?? [:]
        let predicates = SurveyPredicates(
            Dictionary(sources.compactMap { member in member.value.string.map { (member.key, $0) } }) { $1 })
        return answer(line, now: now) { predicates.holds($0, attributes: [:], &$1) }
    }
}
