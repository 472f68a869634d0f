internal import BellwetherJSON

/// SurveyNative's `show_if` (docs/reference/surveys.md#show_if).
///
/// A condition with a text `id` is a test. A condition with `subconditions` is a tree. A condition whose operation is
/// `custom` is a predicate. Any other condition is malformed, and the question is shown.
enum ShowIfConditions {
    static func read(_ condition: ConditionReader) -> Condition {
        condition.count()
        if let id = condition.identifier("id") { return test(condition, id) }
        if condition.operand("subconditions") != nil { return tree(condition) }
        if condition.text("operation") == "custom" { return custom(condition) }
        return condition.unknown(
            "condition", "expected a condition with id, subconditions or the operation custom", meaning: true,
            absentKeys: ["id", "subconditions"])
    }

    private static func tree(_ condition: ConditionReader) -> Condition {
        let parts = condition.children("subconditions")?.map(read)
        guard let name = condition.text("operation") else { return condition.lacking("operation", meaning: true) }
        switch (name, parts) {
        case ("and", let parts?): return .all(parts)
        case ("or", let parts?): return .any(parts)
        case ("and", nil), ("or", nil): return .constant(true)
        default: return condition.unknown(word: name, "operation", among: ["and", "or"], meaning: true)
        }
    }

    private static func custom(_ condition: ConditionReader) -> Condition {
        let extra = condition.operand("extra")?.object ?? [:]
        let ids = condition.operand("ids")?.array?.compactMap(\.identifier) ?? []
        return .predicate(ConditionPredicate(name: extra["predicate"]?.identifier, ids: ids, extra: extra))
    }

    private struct Meaning {
        let name: String
        let operation: ConditionTest.Operation
        var comparison = Comparison.strict
        var isNegated = false
        var missing: ConditionTest.MissingValue?
        var needsValue = false
    }

    /// The operations, in the order in which messages to authors list them.
    private static let meanings = [
        Meaning(name: "equals", operation: .equals, missing: .equalsMissing),
        Meaning(name: "not equals", operation: .equals, isNegated: true, missing: .equalsMissing),
        Meaning(name: "contains", operation: .contains(.members), needsValue: true),
        Meaning(name: "not contains", operation: .contains(.members), isNegated: true, needsValue: true),
        Meaning(name: "greater than", operation: .greater, comparison: .number),
        Meaning(name: "greater than or equal to", operation: .greaterOrEqual, comparison: .number),
        Meaning(name: "less than", operation: .less, comparison: .number),
        Meaning(name: "less than or equal to", operation: .lessOrEqual, comparison: .number),
    ]

    private static func test(_ condition: ConditionReader, _ id: Identifier) -> Condition {
        guard let name = condition.text("operation") else { return condition.lacking("operation", meaning: true) }
        guard let meaning = meanings.first(where: { $0.name == name }) else {
            return condition.unknown(word: name, "operation", among: meanings.map(\.name), meaning: false)
        }
        let value = condition.operand()
        if meaning.needsValue, value == nil { return condition.lacking("value", meaning: true) }
        return .test(
            ConditionTest(
                ConditionReference(.answers, [id], textMember: condition.identifier("subid")), meaning.operation,
                value.map { .value($0) } ?? .none, comparison: meaning.comparison, isNegated: meaning.isNegated,
                missing: meaning.missing))
    }
}
