import BellwetherJSON
import JEXL
import Testing

/// A context, events with fixed results, and the transforms of the vectors: `id` returns its subject, `args` the
/// subject and the arguments, `lower` lowercases.
struct TestEnvironment: JEXLEnvironment {
    var context: JSONObject = [:]
    var results: @Sendable (EventQuery) -> Double = { _ in 0 }
    var hash: @Sendable ([UInt8]) -> UInt64 = SHA256.hash48

    func value(of identifier: String) -> JSONValue? { context[identifier] }
    func result(of query: EventQuery) -> Double { results(query) }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { hash(text) }

    func transform(
        _ name: String, subject: JSONValue, arguments: [JSONValue]
    ) throws(TransformFailure) -> JSONValue? {
        switch name {
        case "id": return subject
        case "args": return .array([subject] + arguments)
        case "lower":
            guard case .string(let text) = subject else { throw TransformFailure(message: "lower is for strings") }
            return .string(text.lowercased())
        default: return nil
        }
    }
}

/// An expression, its context as JSON, and the expected outcome: JSON text as written by serde_json, or a class of
/// failure.
struct Example: Sendable, CustomTestStringConvertible {
    let expression: String
    let context: String
    let outcome: String

    init(_ expression: String, _ outcome: String, in context: String = "{}") {
        self.expression = expression
        self.context = context
        self.outcome = outcome
    }

    init(_ expression: String, fails kind: JEXLError.Kind, in context: String = "{}") {
        self.init(expression, "ERR \(kind)", in: context)
    }

    var testDescription: String { "\(expression)  in \(context)" }

    /// The actual outcome.
    func evaluated(limits: JEXLLimits = .standard) throws -> String {
        let context = try JSONValue(parsing: context, limits: JSONLimits(depth: 200))
        return Self.outcome(of: expression, in: TestEnvironment(context: context.object ?? [:]), limits: limits)
    }

    static func outcome(
        of expression: String, in environment: some JEXLEnvironment, limits: JEXLLimits = .standard
    ) -> String {
        do {
            let compiled = try CompiledExpression(expression, limits: limits)
            return try compiled.evaluate(in: environment, limits: limits).text
        } catch {
            return "ERR \(error.kind)"
        }
    }
}
