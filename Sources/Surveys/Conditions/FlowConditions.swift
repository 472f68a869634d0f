internal import BellwetherJSON

/// AppDNA's `depends_on` (docs/reference/surveys.md#depends_on): a field is shown if the answer to another field meets
/// a test. A missing answer reads as the empty text.
enum DependsOnConditions {
    static func read(_ condition: ConditionReader) -> Condition {
        condition.count()
        guard let field = condition.identifier("field_id") else { return condition.lacking("field_id", meaning: true) }
        guard let name = condition.text("operator") else { return condition.lacking("operator", meaning: true) }
        func test(_ operation: ConditionTest.Operation, isNegated: Bool = false) -> Condition {
            let test = ConditionTest(
                ConditionReference(.answers, [field]), operation, condition.operand().map { .value($0) } ?? .none,
                comparison: .textAndJSONNumbers, isNegated: isNegated, missing: .isEmptyText)
            OperandCheck(test, at: condition.reader.optional("value") ?? condition.reader).check(as: name)
            return .test(test)
        }
        switch name {
        case "not_empty", "is_set": return test(.isEmpty(.texts), isNegated: true)
        case "empty": return test(.isEmpty(.texts))
        case "equals": return test(.equals)
        case "not_equals": return test(.equals, isNegated: true)
        case "contains": return test(.contains(.canonicalTexts))
        case "gt": return test(.greater)
        case "lt": return test(.less)
        default: return condition.unknown(word: name, "operator", among: operators, meaning: true)
        }
    }

    /// The operators, in the order in which messages to authors list them.
    private static let operators = ["equals", "not_equals", "contains", "gt", "lt", "empty", "not_empty", "is_set"]
}

/// AppDNA's visibility of blocks and fields (docs/reference/surveys.md#visibility). A condition of an unknown type is
/// true.
enum VisibilityConditions {
    static func read(_ condition: ConditionReader) -> Condition {
        if condition.value == .null { return .constant(true) }
        condition.count()
        guard let type = condition.text("type") else { return condition.lacking("type", meaning: true) }
        let value = condition.operand().map { ConditionTest.Operand.value($0) } ?? .none
        func test(_ operation: ConditionTest.Operation, isNegated: Bool = false) -> Condition {
            .test(
                ConditionTest(
                    path(condition, "variable"), operation, value, comparison: .text, isNegated: isNegated,
                    missing: .equalsMissing))
        }
        switch type {
        case "always": return .constant(true)
        case "when_equals": return test(.equals)
        case "when_not_equals": return test(.equals, isNegated: true)
        case "when_empty": return test(.isEmpty(.texts))
        case "when_not_empty": return test(.isEmpty(.texts), isNegated: true)
        case "when_gt", "when_lt":
            return .test(
                ConditionTest(
                    path(condition, "variable"), type == "when_gt" ? .greater : .less, value, comparison: .number))
        default: return environment(condition, type, value)
        }
    }

    /// Reads the types that AppDNA's documentation names.
    private static func environment(
        _ condition: ConditionReader, _ type: String, _ value: ConditionTest.Operand
    ) -> Condition {
        switch type {
        case "answer_equals":
            guard let answer = condition.reference("answer_key", ConditionReference.init(answerKey:)) else {
                return condition.lacking("answer_key", meaning: false)
            }
            return .test(
                ConditionTest(answer, .equalsOrHasMember, value, comparison: .text, usesAliases: true))
        case "binding_not_empty":
            return .test(ConditionTest(path(condition, "binding"), .isEmpty(.collections), isNegated: true))
        case "platform_is": return .test(ConditionTest(ConditionReference(.platform), .platformIs, value))
        case "locale_matches": return .test(ConditionTest(ConditionReference(.locale), .localeIs, value))
        default: return condition.unknown(word: type, "type", among: types, meaning: true)
        }
    }

    /// The operators, in the order in which messages to authors list them.
    private static let types = [
        "always", "when_equals", "when_not_equals", "when_empty", "when_not_empty", "when_gt", "when_lt",
        "answer_equals", "binding_not_empty", "platform_is", "locale_matches",
    ]

    private static let roots: [String: ConditionReference.Root] = [
        "responses": .steps, "hook_data": .hookData, "user": .user, "session": .session, "context": .context,
    ]

    /// Reads a path. A path with one part, or with an unknown root, has no value.
    private static func path(_ condition: ConditionReader, _ key: String) -> ConditionReference {
        let reference = condition.reference(key) { text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 1, let root = roots[parts[0]] else { return ConditionReference(.nowhere) }
            return ConditionReference(root, parts.dropFirst().map { Identifier($0) })
        }
        return reference ?? ConditionReference(.nowhere)
    }
}

/// AppDNA's rules from one step to the next (docs/reference/surveys.md#rules). The answers are the current step's. A
/// rule without a condition always holds.
enum RuleConditions {
    static func read(_ rule: ConditionReader) -> Condition {
        rule.count()
        let conditions: [Condition]
        if rule.operand("conditions") != nil {
            conditions = rule.children("conditions")?.map(test) ?? []
        } else if rule.operand("condition") != nil {
            conditions = rule.child("condition").map { [test($0)] } ?? []
        } else {
            return .constant(true)
        }
        let isAny = rule.text("logic")?.lowercased() == "or"
        return conditions.isEmpty || !isAny ? .all(conditions) : .any(conditions)
    }

    private static func test(_ condition: ConditionReader) -> Condition {
        condition.count()
        guard let type = condition.text("type") else { return condition.lacking("type", meaning: true) }
        func answer() -> ConditionReference {
            condition.reference("answer_key", ConditionReference.init(answerKey:)) ?? ConditionReference(.nowhere)
        }
        let value = condition.operand().map { ConditionTest.Operand.value($0) } ?? .none
        switch type {
        case "always": return .constant(true)
        case "answer_equals": return equality(condition, answer(), value, type, isNegated: false)
        case "answer_not_equals": return equality(condition, answer(), value, type, isNegated: true)
        case "answer_contains":
            return .test(ConditionTest(answer(), .contains(.texts), value, comparison: .strict))
        case "empty": return .test(ConditionTest(answer(), .isEmpty(.texts)))
        case "not_empty": return .test(ConditionTest(answer(), .isEmpty(.texts), isNegated: true))
        case "previous_step_equals":
            let step = value == .none ? condition.text("previous_step_id").map { .value(.string($0)) } ?? .none : value
            return .test(ConditionTest(ConditionReference(.previousStep), .equals, step, comparison: .text))
        case "previous_step_in":
            let steps = condition.operand() ?? condition.operand("previous_step_ids")
            return .test(
                ConditionTest(
                    ConditionReference(.previousStep), .isNamed, steps.map { .value($0) } ?? .none, comparison: .text))
        default: return condition.unknown(word: type, "type", among: types, meaning: true)
        }
    }

    private static func equality(
        _ condition: ConditionReader, _ answer: ConditionReference, _ value: ConditionTest.Operand, _ type: String,
        isNegated: Bool
    ) -> Condition {
        let test = ConditionTest(
            answer, .equalsOrHasMember, value, isNegated: isNegated, usesAliases: !isNegated)
        OperandCheck(test, at: condition.reader.optional("value") ?? condition.reader).check(as: type)
        return .test(test)
    }

    /// The operators, in the order in which messages to authors list them.
    private static let types = [
        "always", "answer_equals", "answer_not_equals", "answer_contains", "empty", "not_empty",
        "previous_step_equals", "previous_step_in",
    ]
}

/// AppDNA's audience rules over traits (docs/reference/surveys.md#audience). A rule that cannot be read matches no
/// respondent.
enum AudienceConditions {
    static func read(_ rules: ConditionReader) -> Condition {
        if rules.value == .null { return .constant(true) }
        rules.count()
        if rules.value.array != nil { return .all(rules.elements()?.map(test) ?? []) }
        guard rules.value.object != nil else {
            return rules.malformed("expected an object with conditions, or an array of them")
        }
        guard rules.operand("conditions") != nil else { return .constant(true) }
        guard let conditions = rules.children("conditions")?.map(test) else { return .constant(false) }
        let mode = rules.text("match_mode")
        guard rules.operand("match_mode") == nil || mode == "all" || mode == "any" else {
            let word = mode ?? rules.operand("match_mode")?.text ?? ""
            return rules.unknown(word: word, "match_mode", among: ["all", "any"], meaning: false)
        }
        return mode == "any" && !conditions.isEmpty ? .any(conditions) : .all(conditions)
    }

    /// An attribute, or `segment.NAME`, or `answer.NAME`.
    private static func reference(to trait: Identifier) -> ConditionReference {
        for root in [ConditionReference.Root.segments, .personFacts] {
            let prefix = "\(root.rawValue)."
            guard trait.text.hasPrefix(prefix) else { continue }
            return ConditionReference(root, [Identifier(String(trait.text.dropFirst(prefix.count)))])
        }
        return ConditionReference(.attributes, [trait])
    }

    private static func test(_ condition: ConditionReader) -> Condition {
        condition.count()
        guard let trait = condition.identifier("trait") ?? condition.identifier("field") else {
            return condition.lacking("trait", meaning: false)
        }
        guard let name = condition.text("operator") else { return condition.lacking("operator", meaning: false) }
        let listed = condition.operand("values") ?? condition.operand()
        func test(
            _ operation: ConditionTest.Operation, _ operand: JSONValue?, isNegated: Bool = false
        ) -> Condition {
            let test = ConditionTest(
                reference(to: trait), operation, operand.map { .value($0) } ?? .none,
                comparison: .exactTexts, isNegated: isNegated)
            OperandCheck(test, at: location(of: operand, in: condition)).check(as: name)
            return .test(test)
        }
        let value = condition.operand()
        switch name {
        case "equals", "eq": return test(.equals, value)
        case "not_equals", "neq": return test(.equals, value, isNegated: true)
        case "gt": return test(.greater, value)
        case "gte": return test(.greaterOrEqual, value)
        case "lt": return test(.less, value)
        case "lte": return test(.lessOrEqual, value)
        case "contains": return test(.contains([.members, .texts, .ignoringCase]), value)
        case "exists": return test(.exists, nil)
        case "between": return test(.between, bounds(condition))
        case "in": return test(.isMember, listed)
        case "not_in": return test(.isMember, listed, isNegated: true)
        default: return condition.unknown(word: name, "operator", among: operators, meaning: false)
        }
    }

    private static func location(of operand: JSONValue?, in condition: ConditionReader) -> JSONReader {
        ["values", "value"].lazy.compactMap { condition.reader.optional($0) }.first { $0.value == operand }
            ?? condition.reader
    }

    /// The operators, in the order in which messages to authors list them. `eq` and `neq` are accepted too.
    private static let operators = [
        "equals", "not_equals", "gt", "gte", "lt", "lte", "contains", "exists", "between", "in", "not_in",
    ]

    private static func bounds(_ condition: ConditionReader) -> JSONValue? {
        let (low, high) = (condition.operand("min"), condition.operand("max"))
        guard low == nil, high == nil else { return .array([low ?? .null, high ?? .null]) }
        return condition.operand("values") ?? condition.operand()
    }
}
