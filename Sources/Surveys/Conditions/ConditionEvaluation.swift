internal import BellwetherBase
public import BellwetherJSON

extension Condition {
    /// `predicate` answers what this library cannot; a predicate that nobody knows does not hold.
    public func holds(
        for facts: ConditionFacts, predicate: (ConditionPredicate) -> Bool = { _ in false }
    ) -> Bool {
        switch self {
        case .constant(let value): value
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: facts, predicate: predicate) }
        case .any(let conditions): conditions.contains { $0.holds(for: facts, predicate: predicate) }
        case .not(let condition): !condition.holds(for: facts, predicate: predicate)
        case .test(let test): test.holds(for: facts)
        case .predicate(let question): predicate(question)
        }
    }

    /// Every leaf with the value that it saw, also those that an evaluation would not reach.
    public func trace(
        for facts: ConditionFacts, predicate: (ConditionPredicate) -> Bool = { _ in false }
    ) -> [ConditionLeafTrace] {
        leaves.map { leaf in
            let holds = leaf.holds(for: facts, predicate: predicate)
            guard case .test(let test) = leaf else {
                return ConditionLeafTrace(reference: "predicate", seen: nil, holds: holds)
            }
            return ConditionLeafTrace(
                reference: test.reference.text, seen: facts.value(test.reference), holds: holds)
        }
    }
}

/// What explain says of one leaf.
public struct ConditionLeafTrace: Sendable, Hashable {
    public let reference: String
    /// Nil: the value is missing.
    public let seen: JSONValue?
    public let holds: Bool
}

extension ConditionTest {
    func holds(for facts: ConditionFacts) -> Bool {
        let value = facts.value(reference)
        switch operation {
        case .exists: return (value != nil) != isNegated
        case .isEmpty(let emptiness): return (value?.isEmpty(emptiness) ?? true) != isNegated
        default: break
        }
        let operand = operandValue(in: facts)
        switch (value, missing) {
        case (let value?, _): return holds(value, operand, facts) != isNegated
        case (nil, .isEmptyText): return holds(.string(""), operand, facts) != isNegated
        case (nil, .equalsMissing): return (operand == nil) != isNegated
        case (nil, .holds): return true
        case (nil, .fails): return false
        }
    }

    private func operandValue(in facts: ConditionFacts) -> JSONValue? {
        switch operand {
        case .none: nil
        case .value(let value): value.present
        case .reference(let reference): facts.value(reference)
        }
    }

    /// A missing operand is no value: no operation holds of it.
    private func holds(_ value: JSONValue, _ operand: JSONValue?, _ facts: ConditionFacts) -> Bool {
        guard let operand else { return false }
        switch operation {
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
        case .startsWith, .endsWith, .matches, .version, .localeIs, .platformIs: return holdsOfText(value, operand)
        case .exists, .isEmpty: return false
        }
    }

    private func areEqual(_ value: JSONValue, _ operand: JSONValue, _ facts: ConditionFacts) -> Bool {
        if comparison.areEqual(value, operand) { return true }
        guard usesAliases, let name = operand.string else { return false }
        return facts.aliases.contains { alias in
            (alias.id.hasSameBytes(as: name) && comparison.areEqual(value, .string(alias.value)))
                || (alias.value.hasSameBytes(as: name) && comparison.areEqual(value, .string(alias.id)))
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
        case .matches(let pattern): return pattern?.isFound(in: text) ?? false
        case .version(let order): return operand.string.map { order.holds(text, $0) } ?? false
        case .localeIs: return operand.texts.contains { text.isLocale(within: $0) }
        case .platformIs: return operand.texts.contains { text.lowercased().hasSameBytes(as: $0.lowercased()) }
        default: return false
        }
    }
}

extension ConditionTest.VersionOrder {
    fileprivate func holds(_ left: String, _ right: String) -> Bool {
        guard let left = Self.parts(left), let right = Self.parts(right) else { return false }
        let count = max(left.count, right.count)
        let padded = { (parts: [UInt64]) in parts + repeatElement(0, count: count - parts.count) }
        let (first, second) = (padded(left), padded(right))
        let isLess = first.lexicographicallyPrecedes(second)
        switch self {
        case .greater: return !isLess && first != second
        case .greaterOrEqual: return !isLess
        case .less: return isLess
        case .lessOrEqual: return isLess || first == second
        case .equal: return first == second
        }
    }

    private static func parts(_ text: String) -> [UInt64]? {
        var parts: [UInt64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = UInt64(part)
            else { return nil }
            parts.append(number)
        }
        return parts
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

    /// A text, or the texts of an array.
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
    /// Whether the other text is a part of this one, code point by code point. Each text has the empty text as a part.
    func hasPart(_ part: String) -> Bool {
        let (whole, wanted) = (Array(utf8), Array(part.utf8))
        guard let first = wanted.first else { return true }
        guard wanted.count <= whole.count else { return false }
        for start in 0...(whole.count - wanted.count) where whole[start] == first {
            if whole[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
        }
        return false
    }

    /// `fr-CA` is within `fr`; `_` counts as `-`, and case does not matter.
    fileprivate func isLocale(within other: String) -> Bool {
        let (own, wanted) = (LanguageTag.folded(self), LanguageTag.folded(other))
        return own.hasSameBytes(as: wanted) || own.utf8.starts(with: (wanted + "-").utf8)
    }
}
