internal import BellwetherJSON

/// SurveyNative's `show_if` (docs/reference/surveys.md#show_if).
///
/// A condition with a text `id` is a test, one with `subconditions` a tree, one whose operation is `custom` a
/// predicate. Anything else is malformed, and the question is shown.
enum ShowIfConditions {
    static func read(_ condition: ConditionReader) -> Condition {
        condition.count()
        if let id = condition.text("id") { return test(condition, id) }
        if condition.operand("subconditions") != nil { return tree(condition) }
        if condition.text("operation") == "custom" { return custom(condition) }
        return condition.unknown(
            "condition", "expected a condition with id, subconditions or the operation custom", meaning: true)
    }

    private static func tree(_ condition: ConditionReader) -> Condition {
        let parts = condition.children("subconditions")?.map(read)
        switch (condition.text("operation"), parts) {
        case ("and", let parts?): return .all(parts)
        case ("or", let parts?): return .any(parts)
        default: return condition.unknown("operation", "expected the operation and, or", meaning: true)
        }
    }

    private static func custom(_ condition: ConditionReader) -> Condition {
        let extra = condition.operand("extra")?.object ?? [:]
        let ids = condition.operand("ids")?.array?.compactMap(\.string) ?? []
        return .predicate(ConditionPredicate(name: extra["predicate"]?.string, ids: ids, extra: extra))
    }

    private static func test(_ condition: ConditionReader, _ id: String) -> Condition {
        let reference = ConditionReference(.answers, [id], textMember: condition.text("subid"))
        let value = condition.operand()
        let operand = value.map { ConditionTest.Operand.value($0) } ?? .none
        guard let name = condition.text("operation") else {
            return condition.unknown("operation", "the operation is missing", meaning: true)
        }
        func compare(_ operation: ConditionTest.Operation) -> Condition {
            .test(ConditionTest(reference, operation, operand, comparison: .number))
        }
        switch name {
        case "equals", "not equals":
            return .test(
                ConditionTest(
                    reference, .equals, operand, comparison: .strict, isNegated: name == "not equals",
                    missing: .equalsMissing))
        case "contains", "not contains":
            guard value != nil else {
                return condition.unknown("value", "the operation \(name) needs a value", meaning: true)
            }
            return .test(
                ConditionTest(
                    reference, .contains(.members), operand, comparison: .strict, isNegated: name == "not contains"))
        case "greater than": return compare(.greater)
        case "greater than or equal to": return compare(.greaterOrEqual)
        case "less than": return compare(.less)
        case "less than or equal to": return compare(.lessOrEqual)
        default: return condition.unknown("operation", "the operation \(name) is unknown", meaning: false)
        }
    }
}
