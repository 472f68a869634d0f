internal import BellwetherBase
internal import BellwetherJSON

/// Reads a condition document and collects its faults. It always gives a condition: a fault is for publishing, and an
/// evaluation says of it what the dialect says.
struct ConditionReader {
    let reader: JSONReader
    let budget: Budget
    private let depth: Int

    /// How many nodes a definition's conditions may have together, and how deep one may be.
    final class Budget {
        static let maximumNodes = 2_000
        static let maximumDepth = 16
        var nodes = 0
        let patterns: PatternBudget
        /// A pattern was over its budget.
        var hasTooLargePattern = false

        init(patterns: PatternBudget = PatternBudget()) { self.patterns = patterns }
    }

    init(_ reader: JSONReader, budget: Budget = Budget()) {
        self.init(reader, budget, depth: 1)
    }

    private init(_ reader: JSONReader, _ budget: Budget, depth: Int) {
        (self.reader, self.budget, self.depth) = (reader, budget, depth)
    }

    var value: JSONValue { reader.value }

    /// Counts the node that is read.
    func count() {
        budget.nodes += 1
        if budget.nodes == Budget.maximumNodes + 1 {
            reader.finding("limit", "conditions may have at most \(Budget.maximumNodes) nodes together")
        }
        if depth == Budget.maximumDepth + 1 {
            reader.finding("limit", "a condition may be at most \(Budget.maximumDepth) levels deep")
        }
    }

    /// The elements of an array, one level deeper; nil if it is none.
    func children(_ key: String) -> [ConditionReader]? {
        reader.required(key)?.elements()?.map { ConditionReader($0, budget, depth: depth + 1) }
    }

    func elements() -> [ConditionReader]? {
        reader.elements()?.map { ConditionReader($0, budget, depth: depth + 1) }
    }

    func child(_ key: String) -> ConditionReader? {
        reader.required(key).map { ConditionReader($0, budget, depth: depth + 1) }
    }

    func text(_ key: String) -> String? { value.object?[key]?.string }

    /// Nil if there is no such member, or null.
    func operand(_ key: String = "value") -> JSONValue? {
        value.object?[key]?.present
    }

    /// A fault, and what the dialect makes of it when it is evaluated.
    func unknown(_ code: String, _ message: String, meaning value: Bool) -> Condition {
        reader.finding(code, message)
        return .constant(value)
    }

    /// A condition whose wrong parts never hold.
    func malformed(_ message: String) -> Condition { unknown("condition", message, meaning: false) }
}

/// The project's own dialect (docs/reference/surveys.md#conditions): `all`, `any`, `not`, `true`, `false` and leaves.
enum CoreConditions {
    /// A condition with a pattern that is over its budget never holds.
    static func read(_ condition: ConditionReader) -> Condition {
        let read = part(condition)
        return condition.budget.hasTooLargePattern ? .constant(false) : read
    }

    private static func part(_ condition: ConditionReader) -> Condition {
        condition.count()
        if let constant = condition.value.bool { return .constant(constant) }
        guard let object = condition.value.object else {
            return condition.malformed("expected an object, true or false")
        }
        let forms = ["all", "any", "not", "op"].filter { object[$0] != nil }
        guard forms.count == 1 else {
            return condition.malformed("expected one of all, any, not, or ref with op")
        }
        switch forms[0] {
        case "all": return condition.children("all").map { .all($0.map(part)) } ?? .constant(false)
        case "any": return condition.children("any").map { .any($0.map(part)) } ?? .constant(false)
        case "not": return condition.child("not").map { .not(part($0)) } ?? .constant(false)
        default: return leaf(condition, object)
        }
    }

    private struct Meaning {
        var operation: ConditionTest.Operation
        var isNegated = false
        var needsOperand = true
    }

    private static func meaning(_ name: String) -> Meaning? {
        switch name {
        case "eq": Meaning(operation: .equals)
        case "neq": Meaning(operation: .equals, isNegated: true)
        case "gt": Meaning(operation: .greater)
        case "gte": Meaning(operation: .greaterOrEqual)
        case "lt": Meaning(operation: .less)
        case "lte": Meaning(operation: .lessOrEqual)
        case "between": Meaning(operation: .between)
        case "in": Meaning(operation: .isMember)
        case "not_in": Meaning(operation: .isMember, isNegated: true)
        case "contains": Meaning(operation: .contains([.members, .texts]))
        case "not_contains": Meaning(operation: .contains([.members, .texts]), isNegated: true)
        case "starts": Meaning(operation: .startsWith)
        case "ends": Meaning(operation: .endsWith)
        case "matches": Meaning(operation: .matches(nil))
        case "exists": Meaning(operation: .exists, needsOperand: false)
        case "empty": Meaning(operation: .isEmpty(.collections), needsOperand: false)
        case "answered": Meaning(operation: .isEmpty(.collections), isNegated: true, needsOperand: false)
        case "member_all": Meaning(operation: .hasAllMembers)
        case "member_any": Meaning(operation: .hasAnyMember)
        case "locale_is": Meaning(operation: .localeIs)
        case "platform_is": Meaning(operation: .platformIs)
        case "visited": Meaning(operation: .equalsOrHasMember)
        case "visited_in": Meaning(operation: .isNamed)
        default: versionMeaning(name)
        }
    }

    private static func versionMeaning(_ name: String) -> Meaning? {
        switch name {
        case "version_gt": Meaning(operation: .version(.greater))
        case "version_gte": Meaning(operation: .version(.greaterOrEqual))
        case "version_lt": Meaning(operation: .version(.less))
        case "version_lte": Meaning(operation: .version(.lessOrEqual))
        case "version_eq": Meaning(operation: .version(.equal))
        default: nil
        }
    }

    private static let comparisons: [String: Comparison] = [
        "strict": .strict, "text": .text, "number": .number, "auto": .automatic,
    ]

    private static func leaf(_ condition: ConditionReader, _ object: JSONObject) -> Condition {
        guard let name = condition.reader.required("op")?.string() else { return .constant(false) }
        if name == "custom" {
            return .predicate(ConditionPredicate(name: object["value"]?.string, ids: [], extra: [:]))
        }
        guard var meaning = meaning(name) else { return condition.malformed("the operation \(name) is unknown") }
        let reference = condition.reader.required("ref").flatMap { self.reference($0) }
        let operand = operand(condition, object, meaning)
        let comparison = comparison(condition)
        let missing = condition.reader.optional("on_missing").flatMap { $0.bool() }
        if case .matches = meaning.operation { meaning.operation = .matches(pattern(condition, operand)) }
        guard let reference, let operand, let comparison else { return .constant(false) }
        return .test(
            ConditionTest(
                reference, meaning.operation, operand, comparison: comparison, isNegated: meaning.isNegated,
                missing: missing.map { $0 ? .holds : .fails }))
    }

    private static func operand(
        _ condition: ConditionReader, _ object: JSONObject, _ meaning: Meaning
    ) -> ConditionTest.Operand? {
        guard meaning.needsOperand else { return ConditionTest.Operand.none }
        if let other = condition.reader.optional("value_ref") { return reference(other).map { .reference($0) } }
        return condition.reader.required("value").map { .value($0.value) }
    }

    private static func comparison(_ condition: ConditionReader) -> Comparison? {
        guard let reader = condition.reader.optional("compare") else { return .automatic }
        guard let name = reader.string() else { return nil }
        if let comparison = comparisons[name] { return comparison }
        reader.finding("choice", "expected one of strict, text, number, auto, found \(name)")
        return nil
    }

    private static func pattern(_ condition: ConditionReader, _ operand: ConditionTest.Operand?) -> Pattern? {
        guard case .value(let value)? = operand else { return nil }
        guard let text = value.string else {
            condition.reader.finding("type", "a pattern is a string")
            return nil
        }
        do throws(Pattern.SyntaxError) {
            return try condition.budget.patterns.compile(text)
        } catch {
            if error == .tooLarge { condition.budget.hasTooLargePattern = true }
            condition.reader.finding("pattern", error.message)
            return nil
        }
    }

    private static let roots: [String: ConditionReference.Root] = [
        "answer": .answers, "step": .steps, "attr": .attributes, "counter": .counters, "session": .session,
        "hook": .hookData, "ledger": .ledger,
    ]

    static func reference(_ reader: JSONReader) -> ConditionReference? {
        guard let text = reader.string() else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch text {
        case "now": return ConditionReference(.now)
        case "run.previous_step": return ConditionReference(.previousStep)
        default: break
        }
        guard let root = roots[parts[0]], parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else {
            reader.finding("reference", "\(text) is not a reference such as answer.q1 or attr.plan")
            return nil
        }
        return ConditionReference(root, Array(parts.dropFirst()))
    }
}
