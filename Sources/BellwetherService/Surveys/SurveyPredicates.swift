public import BellwetherBase
public import BellwetherJSON
internal import JEXL
public import Surveys

/// The expressions of a survey's custom conditions, parsed once (docs/reference/surveys.md#predicates).
public struct SurveyPredicates: Sendable {
    private let expressions: [Identifier: CompiledExpression]

    /// An expression that cannot be parsed never holds; publishing refuses it.
    public init(_ sources: [Identifier: String]) { self.init(sources, in: .none) }

    init(_ sources: [Identifier: String], in scope: AudienceScope) {
        expressions = sources.compactMapValues { try? CompiledExpression($0, in: scope) }
    }

    /// Whether an expression names a segment that its scope does not have.
    var nameOtherSegments: Bool { expressions.values.contains { !$0.names(after: .segment).isEmpty } }

    /// The names of the respondent's facts that the expressions read.
    public var facts: Set<String> { Set(expressions.values.flatMap { $0.names(after: .answer) }) }

    /// The names of the lists that the expressions read.
    public var lists: Set<String> { Set(expressions.values.flatMap { $0.names(after: .list) }) }

    /// Returns the fault of an expression; nil if it has none.
    static func fault(of source: String) -> String? {
        do throws(JEXLError) {
            _ = try CompiledExpression(source)
            return nil
        } catch {
            return error.message
        }
    }

    /// An expression that fails, or whose value is no boolean, does not hold. Its steps count against the budget,
    /// because they take as long as steps of other conditions.
    public func holds(
        _ question: PredicateInput, attributes: JSONObject, _ budget: inout EvaluationBudget
    ) -> Bool {
        guard let expression = expressions[question.name] else { return false }
        let environment = PredicateEnvironment(question, attributes)
        let given = min(JEXLLimits.standard.steps, budget.steps)
        var left = given
        let isTrue = (try? expression.isTrue(in: environment, steps: &left)) ?? false
        // The expression may have stopped because the budget had too few steps.
        let isShort = left == 0 && given < JEXLLimits.standard.steps
        return budget.spend(isShort ? budget.steps + 1 : given - left) && isTrue
    }

    /// Returns the values that an expression reads, and the reason why it has no value.
    public func reading(_ question: PredicateInput, attributes: JSONObject) -> PredicateReading {
        guard let expression = expressions[question.name] else { return PredicateReading() }
        let environment = PredicateEnvironment(question, attributes)
        var reading = PredicateReading()
        for path in expression.paths {
            reading.values[path.joined(separator: ".")] = environment.value(at: path) ?? .null
        }
        do throws(JEXLError) {
            _ = try expression.isTrue(in: environment)
        } catch {
            reading.error = error.message
        }
        return reading
    }
}

/// The values that a predicate can read: the answers and the extra of its condition, the values of
/// `AppSnapshot.attributes`, and the time.
private struct PredicateEnvironment: JEXLEnvironment {
    private let context: JSONObject

    init(_ question: PredicateInput, _ attributes: JSONObject) {
        var context = attributes
        context["current_date"] = context["current_date"] ?? .integer(question.now.seconds)
        context["answers"] = .object(question.answers)
        context["extra"] = .object(question.extra)
        self.context = context
    }

    func value(of identifier: String) -> JSONValue? {
        // A fact that is not known is null; another name is then an error.
        context[identifier] ?? (AudienceScope.parts(of: identifier)?.word == .answer ? .null : nil)
    }

    func value(at path: [String]) -> JSONValue? {
        path.dropFirst().reduce(path.first.flatMap { value(of: $0) }) { $0?.object?[$1] }
    }

    /// No events are known here, so the result is 0.
    func result(of query: EventQuery) -> Double { 0 }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }

    func transform(
        _ name: String, subject: JSONValue, arguments: [JSONValue]
    ) throws(TransformFailure) -> JSONValue? {
        PredicateTransform(rawValue: name)?.value(of: subject)
    }
}

/// `bellwether survey batch`, with the expressions of the definition.
extension SurveyBatch {
    public static func answer(_ line: JSONValue, at now: Timestamp) -> JSONValue {
        let sources = line.object?["definition"]?.object?["predicates"]?.object ?? [:]
        let predicates = SurveyPredicates(
            Dictionary(sources.compactMap { member in member.value.string.map { (Identifier(member.key), $0) } }) { $1 }
        )
        return answer(line, now: now) {
            predicates.holds($0, attributes: [:], &$1)
        } reading: {
            predicates.reading($0, attributes: [:])
        }
    }
}
