internal import BellwetherBase
public import BellwetherJSON

extension Condition {
    /// Evaluates a predicate within the budget, because this library cannot. An unknown predicate does not hold.
    public typealias Judge = (ConditionPredicate, inout EvaluationBudget) -> Bool

    /// Whether the condition holds. False if the budget is used up before the result is known.
    public func holds(
        for facts: ConditionFacts, _ budget: inout EvaluationBudget, predicate: Judge = { _, _ in false }
    ) -> Bool {
        let isMet = isMet(by: facts, &budget, predicate)
        return !budget.endsShort(\.conditions) && isMet
    }

    private func isMet(by facts: ConditionFacts, _ budget: inout EvaluationBudget, _ predicate: Judge) -> Bool {
        guard budget.spend(1) else { return false }
        return switch self {
        case .constant(let value): value
        case .all(let conditions): conditions.allSatisfy { $0.isMet(by: facts, &budget, predicate) }
        case .any(let conditions): conditions.contains { $0.isMet(by: facts, &budget, predicate) }
        case .not(let condition): !condition.isMet(by: facts, &budget, predicate)
        case .test(let test): test.holds(for: facts, &budget)
        case .predicate(let question): predicate(question, &budget)
        }
    }

    /// The trace of every leaf with the value that it read. It includes leaves that an evaluation would not reach.
    public func trace(
        for facts: ConditionFacts, _ budget: inout EvaluationBudget,
        predicate: (ConditionPredicate, inout EvaluationBudget) -> ConditionLeafTrace = { predicate, _ in
            .unknown(predicate)
        }
    ) -> [ConditionLeafTrace] {
        leaves.compactMap { leaf in
            switch leaf {
            case .test(let test):
                ConditionLeafTrace(
                    reference: test.reference.text, seen: facts.value(test.reference),
                    holds: leaf.holds(for: facts, &budget))
            case .predicate(let question): predicate(question, &budget)
            default: nil
            }
        }
    }
}

/// The trace of one leaf of a condition, for explanations.
public struct ConditionLeafTrace: Sendable, Hashable {
    public let reference: String
    /// The value that the leaf read; nil if it is missing. For a predicate it is an object with all values that it
    /// read.
    public let seen: JSONValue?
    public let holds: Bool
    /// The reason why a predicate has no value.
    public var error: String?

    /// The trace of an unknown predicate.
    public static func unknown(_ predicate: ConditionPredicate) -> ConditionLeafTrace {
        ConditionLeafTrace(reference: "predicate", seen: nil, holds: false)
    }
}

extension ConditionTest {
    /// Whether the test holds. False also if the budget is used up.
    func holds(for facts: ConditionFacts, _ budget: inout EvaluationBudget) -> Bool {
        guard budget.spend(Self.steps + facts.steps(of: reference)) else { return false }
        let value = facts.value(reference)
        switch operation {
        case .exists: return (value != nil) != isNegated
        case .isEmpty(let emptiness): return (value?.isEmpty(emptiness) ?? true) != isNegated
        default: break
        }
        let operand = operandValue(in: facts)
        if let operand {
            guard budget.spend(steps(value ?? .string(""), operand, facts)) else { return false }
        }
        switch (value, missing) {
        case (let value?, _): return holds(value, operand, facts, &budget) != isNegated
        case (nil, .isEmptyText): return holds(.string(""), operand, facts, &budget) != isNegated
        case (nil, .equalsMissing): return (operand == nil) != isNegated
        case (nil, .holds): return true
        case (nil, .fails): return false
        }
    }

    /// The steps that each test costs.
    private static let steps = 8

    /// The steps of an operation without the search for a pattern.
    private func steps(_ value: JSONValue, _ operand: JSONValue, _ facts: ConditionFacts) -> Int {
        let own = value.steps(bytesInOne: bytesInOneStep)
        let other = operand.steps(bytesInOne: bytesInOneStep) + (usesAliases ? facts.aliases.count : 0)
        let (members, wanted) = (value.array?.count ?? 1, operand.array?.count ?? 1)
        return switch operation {
        case .equalsOrHasMember, .contains: own + members * other
        case .isMember, .localeIs, .platformIs: wanted * own + other
        // One text may contain several names.
        case .isNamed: (operand.string?.utf8.count ?? wanted) * own + other
        case .hasAllMembers, .hasAnyMember: members * other + wanted * own
        default: own + other
        }
    }

    /// The number of bytes of a text that the operation reads in one step.
    private var bytesInOneStep: Int {
        switch operation {
        case .platformIs, .localeIs: 1
        case .contains(let containment): containment.contains(.ignoringCase) ? 1 : 4
        case .version, .isNamed: 4
        default: 16
        }
    }

    private func operandValue(in facts: ConditionFacts) -> JSONValue? {
        switch operand {
        case .none: nil
        case .value(let value): value.present
        case .reference(let reference): facts.value(reference)
        }
    }

    /// Whether the operation holds. With a missing operand no operation holds.
    private func holds(
        _ value: JSONValue, _ operand: JSONValue?, _ facts: ConditionFacts, _ budget: inout EvaluationBudget
    ) -> Bool {
        guard let operand else { return false }
        switch operation {
        case .matches(let pattern): return value.string.map { pattern?.isFound(in: $0, &budget) ?? false } ?? false
        case .equals: return areEqual(value, operand, facts)
        case .equalsOrHasMember:
            guard let members = value.array else { return areEqual(value, operand, facts) }
            return members.contains { areEqual($0, operand, facts) }
        case .greater: return isOrdered(value, operand, >)
        case .greaterOrEqual: return isOrdered(value, operand, >=)
        case .less: return isOrdered(value, operand, <)
        case .lessOrEqual: return isOrdered(value, operand, <=)
        case .between: return isBetween(value, operand)
        case .isMember: return operand.array?.contains { areEqual(value, $0, facts) } ?? false
        case .contains(let containment): return contains(value, operand, containment)
        case .hasAllMembers, .hasAnyMember: return hasMembers(value, operand)
        case .isNamed: return operand.names.contains { comparison.areEqual(value, .string($0)) }
        case .startsWith, .endsWith, .version, .localeIs, .platformIs: return holdsOfText(value, operand)
        case .exists, .isEmpty: return false
        }
    }

    private func areEqual(_ value: JSONValue, _ operand: JSONValue, _ facts: ConditionFacts) -> Bool {
        if comparison.areEqual(value, operand) { return true }
        guard usesAliases, let name = operand.identifier else { return false }
        return facts.aliases.contains { alias in
            (alias.id == name && comparison.areEqual(value, .string(alias.value)))
                || (alias.value == name && comparison.areEqual(value, .string(alias.id)))
        }
    }

    private func isOrdered(_ value: JSONValue, _ operand: JSONValue, _ order: (Double, Double) -> Bool) -> Bool {
        guard let left = comparison.number(value), let right = comparison.number(operand) else { return false }
        return order(left, right)
    }

    private func isBetween(_ value: JSONValue, _ operand: JSONValue) -> Bool {
        guard let number = comparison.number(value), let bounds = operand.array, bounds.contains(where: { $0 != .null })
        else { return false }
        for (index, bound) in bounds.prefix(2).enumerated() where bound != .null {
            guard let limit = comparison.number(bound) else { return false }
            if index == 0 ? number < limit : number > limit { return false }
        }
        return true
    }

    private func contains(_ value: JSONValue, _ operand: JSONValue, _ containment: Containment) -> Bool {
        if let members = value.array, containment.contains(.members) {
            return members.contains { comparison.areEqual($0, operand) }
        }
        let text: String
        switch (value, operand) {
        case (.string(let value), _) where !containment.isDisjoint(with: [.texts, .canonicalTexts]): text = value
        case (let value, _) where containment.contains(.canonicalTexts): text = value.canonicalText
        default: return false
        }
        if comparison == .strict, operand.string == nil { return false }
        let part = operand.canonicalText
        return containment.contains(.ignoringCase)
            ? text.lowercased().hasPart(part.lowercased()) : text.hasPart(part)
    }

    private func hasMembers(_ value: JSONValue, _ operand: JSONValue) -> Bool {
        guard let members = value.array, let wanted = operand.array else { return false }
        let isMember = { (item: JSONValue) in members.contains { comparison.areEqual($0, item) } }
        return operation == .hasAllMembers ? wanted.allSatisfy(isMember) : wanted.contains(where: isMember)
    }

    private func holdsOfText(_ value: JSONValue, _ operand: JSONValue) -> Bool {
        guard let text = value.string else { return false }
        switch operation {
        case .startsWith: return operand.string.map { text.utf8.starts(with: $0.utf8) } ?? false
        case .endsWith: return operand.string.map { text.utf8.reversed().starts(with: $0.utf8.reversed()) } ?? false
        case .version(let order): return operand.string.map { order.holds(text, $0) } ?? false
        case .localeIs: return operand.texts.contains { text.isLocale(within: $0) }
        case .platformIs: return operand.texts.contains { text.lowercased().hasSameBytes(as: $0.lowercased()) }
        default: return false
        }
    }
}

extension ConditionTest.VersionOrder {
    fileprivate func holds(_ left: String, _ right: String) -> Bool {
        guard let order = Self.order(left, right) else { return false }
        switch self {
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .equal: return order == 0
        }
    }

    /// The order of two versions, as `versionCompare` has it; nil if a text is not a version.
    private static func order(_ left: String, _ right: String) -> Int? {
        try? VersionComparison.compare(left, right, greatest: .max)
    }

    /// Whether a text is a version that an owner may mean: it can be compared, and begins with a digit.
    static func isVersion(_ text: String) -> Bool {
        guard let first = text.utf8.first, order(text, text) != nil else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    }
}

extension JSONValue {
    fileprivate func isEmpty(_ emptiness: ConditionTest.Emptiness) -> Bool {
        switch (self, emptiness) {
        case (.string(let text), _): text.isEmpty
        case (.array(let values), .collections): values.isEmpty
        case (.object(let members), .collections): members.isEmpty
        default: false
        }
    }

    /// The text, or the texts of an array.
    fileprivate var texts: [String] { string.map { [$0] } ?? array?.compactMap(\.string) ?? [] }

    /// The members of an array, or the parts of a text between commas, without spaces at either end.
    fileprivate var names: [String] {
        if let values = array { return values.map(\.canonicalText) }
        return canonicalText.split(separator: ",").map { part in
            let isSpace = { (character: Character) in character == " " || character == "\t" }
            return String(part.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        }
    }
}

extension String {
    /// Whether this text contains the other one, code point by code point. Every text contains the empty text.
    ///
    /// The time is linear in both (Knuth, Morris and Pratt).
    func hasPart(_ part: String) -> Bool {
        let wanted = Array(part.utf8)
        guard !wanted.isEmpty else { return true }
        // For each prefix of the part: the length of its longest proper suffix that is also a prefix of the part.
        var borders = [0]
        var matched = 0
        for byte in wanted.dropFirst() {
            while matched > 0, wanted[matched] != byte { matched = borders[matched - 1] }
            if wanted[matched] == byte { matched += 1 }
            borders.append(matched)
        }
        matched = 0
        for byte in utf8 {
            while matched > 0, wanted[matched] != byte { matched = borders[matched - 1] }
            if wanted[matched] == byte { matched += 1 }
            if matched == wanted.count { return true }
        }
        return false
    }

    /// Whether a locale is within another one, as `fr-CA` is within `fr`, and `iw-IL` within `he`. `_` counts as `-`,
    /// and case does not matter.
    fileprivate func isLocale(within other: String) -> Bool {
        guard let own = LanguageTag(self), let wanted = LanguageTag(other) else { return hasSameBytes(as: other) }
        return own.isWithin(wanted)
    }
}
