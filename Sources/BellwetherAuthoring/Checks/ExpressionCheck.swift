internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Warnings about expressions: incompatible types, and expressions that are never or always true.
final class ExpressionCheck {
    private let attributes: [String: AttributeType]
    private let scope: AudienceScope
    private let context: CheckContext
    private let findings: Findings
    let analysis: ExpressionAnalysis
    private var compiled: [Identifier: CompiledExpression?] = [:]

    init(under manifest: Manifest, in context: CheckContext, findings: Findings) {
        let attributes = manifest.attributes
        self.attributes = attributes
        (scope, self.context) = (context.scope(under: manifest), context)
        self.findings = findings
        analysis = ExpressionAnalysis { ValueTypes(of: $0, in: attributes) }
    }

    /// The compiled expression; nil if the source cannot be parsed.
    func compiled(_ source: String) -> CompiledExpression? {
        let key = Identifier(source)
        if let known = compiled[key] { return known }
        let expression = try? CompiledExpression(source, in: scope)
        compiled[key] = .some(expression)
        return expression
    }

    /// A bare `true` or `false` is intended in a trigger, because a trigger has a name. In targeting it is reported.
    func check(_ expression: CompiledExpression, at location: JSONPointer, isNamed: Bool) {
        context.checkNames(of: expression, at: location, findings: findings)
        guard !CheckTime.isOver() else { return }
        switch expression.constant {
        // The reader already reported these.
        case nil, .success(.bool)?: break
        case .failure?, .success?: return
        }
        let mistakes = expression.typeMistakes { [attributes] in ValueTypes(of: $0, in: attributes) }
        for mistake in mistakes { findings.warn(mistake.kind.code, at: location, mistake.message) }
        guard mistakes.allSatisfy({ $0.kind == .integerInList }) else { return }
        checkTruth(of: expression, at: location, isNamed: isNamed)
    }

    /// Warns of comparisons that disqualify whoever has not answered.
    func checkOperands(of expression: CompiledExpression, at location: JSONPointer) {
        for name in expression.unguardedFacts {
            findings.warn(
                "null_operand", at: location,
                "answer.\(name) is null for whoever has not answered, and null has no order: this is an error, which "
                    + "disqualifies; write answer.\(name) != null && in front of the comparison")
        }
    }

    private func checkTruth(of expression: CompiledExpression, at location: JSONPointer, isNamed: Bool) {
        if case .literal(.bool(let isTrue)) = expression.root.kind {
            if !isTrue, !isNamed { findings.warn("never_true", at: location, "nobody is targeted") }
            return
        }
        let names = expression.identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
        if !analysis.mayHold(all: [expression]) {
            findings.warn(
                "never_true", at: location,
                names.isEmpty
                    ? "the expression is never true" : "the expression is never true, whatever \(names) may be")
        } else if analysis.isAlwaysTrue(expression) {
            findings.warn(
                "always_true", at: location,
                names.isEmpty ? "the expression is always true" : "the expression is true whatever \(names) may be")
        }
    }
}

extension TypeMistake.Kind {
    var code: String {
        switch self {
        case .mismatch: "type_mismatch"
        case .integerInList: "integer_in_list"
        case .failingCall: "always_fails"
        case .neverTrue: "never_true"
        case .notBoolean: "not_boolean"
        case .versionOrder: "version_order"
        case .unit: "unit"
        case .noSuchValue: "no_such_value"
        case .textAsList: "text_as_list"
        }
    }
}

extension ValueTypes {
    /// The types of an attribute's values, without null; nil if the manifest does not declare the attribute. A value
    /// that the daemon derives if it was not sent may also have the type in the SDK.
    init?(of name: String, in attributes: [String: AttributeType]) {
        guard let declared = attributes[name] else { return nil }
        self.init(declared)
        if SDKAttributes.derived.contains(name), let own = SDKAttributes.types[name] { formUnion(ValueTypes(own)) }
    }

    private init(_ type: AttributeType) {
        self =
            switch type {
            case .string: .string
            case .number: .number
            case .boolean: .boolean
            case .object: .object
            case .array: .array
            }
    }
}
