internal import BellwetherBase
internal import BellwetherJSON

/// Reads a condition document and collects its faults. The result is always a condition: publishing refuses faults, and
/// a faulty part has the value that its dialect defines.
struct ConditionReader {
    let reader: JSONReader
    let budget: Budget
    private let depth: Int

    /// The maximum number of nodes of all conditions of a definition, and the maximum depth of one condition.
    final class Budget {
        static let maximumNodes = 2_000
        static let maximumDepth = 16
        var nodes = 0
        let patterns: PatternBudget
        /// The flow steps whose answers conditions read, with the location of each reference.
        private(set) var steps: [(id: Identifier, pointer: JSONPointer)] = []
        /// Whether a pattern exceeded its budget.
        var hasTooLargePattern = false

        init(patterns: PatternBudget = PatternBudget()) { self.patterns = patterns }

        fileprivate func note(step id: Identifier, at pointer: JSONPointer) { steps.append((id, pointer)) }
    }

    init(_ reader: JSONReader, budget: Budget = Budget()) {
        self.init(reader, budget, depth: 1)
    }

    private init(_ reader: JSONReader, _ budget: Budget, depth: Int) {
        (self.reader, self.budget, self.depth) = (reader, budget, depth)
    }

    var value: JSONValue { reader.value }

    /// Counts the current node.
    func count() {
        budget.nodes += 1
        if budget.nodes == Budget.maximumNodes + 1 {
            reader.finding("limit", "conditions may have at most \(Budget.maximumNodes) nodes together")
        }
        if depth == Budget.maximumDepth + 1 {
            reader.finding("limit", "a condition may be at most \(Budget.maximumDepth) levels deep")
        }
    }

    /// The elements of an array, one level deeper; nil if the value is no array.
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
    func identifier(_ key: String) -> Identifier? { value.object?[key]?.identifier }

    /// The reference under a key. If it names a step of a flow, that step must exist.
    func reference(_ key: String, _ read: (String) -> ConditionReference) -> ConditionReference? {
        guard let reference = text(key).map(read) else { return nil }
        if reference.root == .steps, let id = reference.path.first {
            budget.note(step: id, at: reader.pointer.appending(key))
        }
        return reference
    }

    /// The operand; nil if there is no such member, or if it is null.
    func operand(_ key: String = "value") -> JSONValue? {
        value.object?[key]?.present
    }

    /// Reports a fault, and returns the value that the dialect defines for it.
    func unknown(
        _ code: String, _ message: String, meaning value: Bool, absentKeys: [String] = []
    ) -> Condition {
        reader.finding(code, message, absentKeys: absentKeys)
        return .constant(value)
    }

    /// Reports a word that the dialect does not have, under this key.
    func unknown(word: String, _ key: String, among words: [String], meaning value: Bool) -> Condition {
        (reader.optional(key) ?? reader).unknown(word: word, among: words)
        return .constant(value)
    }

    /// Reports a missing member or text, and returns the value that the dialect defines for it.
    func lacking(_ key: String, meaning value: Bool) -> Condition {
        if let member = reader.required(key) {
            if member.value == .null { member.finding("type", "null is no value") } else { _ = member.string() }
        }
        return .constant(value)
    }

    /// Reports a malformed condition, which never holds.
    func malformed(_ message: String, absentKeys: [String] = []) -> Condition {
        unknown("condition", message, meaning: false, absentKeys: absentKeys)
    }
}

/// The project's own dialect (docs/reference/surveys.md#conditions): `all`, `any`, `not`, `true`, `false` and leaves.
enum CoreConditions {
    /// Reads a condition. It never holds if one of its patterns exceeds the budget.
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
        let forms = forms.filter { object[$0] != nil }
        guard forms.count == 1 else {
            if forms.isEmpty {
                condition.reader.own.refuseNear(keys: leafKeys.union(Self.forms.map { Identifier($0) }))
            }
            return condition.malformed(
                "expected one of all, any, not, or ref with op", absentKeys: forms.isEmpty ? Self.forms : [])
        }
        condition.reader.own.refuseUnknown(keys: forms[0] == "op" ? leafKeys : [Identifier(forms[0])])
        switch forms[0] {
        case "all": return condition.children("all").map { .all($0.map(part)) } ?? .constant(false)
        case "any": return condition.children("any").map { .any($0.map(part)) } ?? .constant(false)
        case "not": return condition.child("not").map { .not(part($0)) } ?? .constant(false)
        default: return leaf(condition, object)
        }
    }

    private struct Meaning {
        let name: String
        var operation: ConditionTest.Operation
        var isNegated = false
        var needsOperand = true

        init(
            _ name: String, _ operation: ConditionTest.Operation, isNegated: Bool = false, needsOperand: Bool = true
        ) {
            (self.name, self.operation, self.isNegated, self.needsOperand) = (name, operation, isNegated, needsOperand)
        }
    }

    /// The operations, in the order in which messages to authors list them.
    private static let meanings = [
        Meaning("eq", .equals), Meaning("neq", .equals, isNegated: true), Meaning("gt", .greater),
        Meaning("gte", .greaterOrEqual), Meaning("lt", .less), Meaning("lte", .lessOrEqual),
        Meaning("between", .between), Meaning("in", .isMember), Meaning("not_in", .isMember, isNegated: true),
        Meaning("contains", .contains([.members, .texts])),
        Meaning("not_contains", .contains([.members, .texts]), isNegated: true), Meaning("starts", .startsWith),
        Meaning("ends", .endsWith), Meaning("matches", .matches(nil)), Meaning("exists", .exists, needsOperand: false),
        Meaning("empty", .isEmpty(.collections), needsOperand: false),
        Meaning("answered", .isEmpty(.collections), isNegated: true, needsOperand: false),
        Meaning("member_all", .hasAllMembers), Meaning("member_any", .hasAnyMember), Meaning("locale_is", .localeIs),
        Meaning("platform_is", .platformIs), Meaning("visited", .equalsOrHasMember), Meaning("visited_in", .isNamed),
        Meaning("version_gt", .version(.greater)), Meaning("version_gte", .version(.greaterOrEqual)),
        Meaning("version_lt", .version(.less)), Meaning("version_lte", .version(.lessOrEqual)),
        Meaning("version_eq", .version(.equal)),
    ]
    private static let byName = Dictionary(uniqueKeysWithValues: meanings.map { ($0.name, $0) })
    /// The operation whose operand is the name of a predicate.
    private static let custom = "custom"

    /// The keys of which a condition must have exactly one.
    private static let forms = ["all", "any", "not", "op"]
    private static let leafKeys: Set<Identifier> = ["op", "ref", "value", "value_ref", "compare", "on_missing"]

    private static let comparisons: [String: Comparison] = [
        "strict": .strict, "text": .text, "number": .number, "auto": .automatic,
    ]

    private static func leaf(_ condition: ConditionReader, _ object: JSONObject) -> Condition {
        guard let name = condition.reader.required("op")?.string() else { return .constant(false) }
        if name == custom {
            return .predicate(ConditionPredicate(name: object["value"]?.identifier, ids: [], extra: [:]))
        }
        guard var meaning = byName[name] else {
            return condition.unknown(word: name, "op", among: meanings.map(\.name) + [custom], meaning: false)
        }
        let reference = condition.reader.required("ref").flatMap { self.reference($0) }
        let operand = operand(condition, object, meaning)
        let comparison = comparison(condition)
        let missing = condition.reader.optional("on_missing").flatMap { $0.bool() }
        if case .matches = meaning.operation { meaning.operation = .matches(pattern(condition, operand)) }
        guard let reference, let operand, let comparison else { return .constant(false) }
        let test = ConditionTest(
            reference, meaning.operation, operand, comparison: comparison, isNegated: meaning.isNegated,
            missing: missing.map { $0 ? .holds : .fails })
        OperandCheck(test, at: condition.reader.optional("value") ?? condition.reader).check(as: name)
        return .test(test)
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
        reader.unknown(word: name, among: ["strict", "text", "number", "auto"])
        return nil
    }

    private static func pattern(_ condition: ConditionReader, _ operand: ConditionTest.Operand?) -> Pattern? {
        guard case .value(let value)? = operand else { return nil }
        let location = condition.reader.optional("value") ?? condition.reader
        guard let text = value.string else {
            location.finding("type", "a pattern is a string")
            return nil
        }
        do throws(Pattern.SyntaxError) {
            return try condition.budget.patterns.compile(text)
        } catch {
            if error == .tooLarge { condition.budget.hasTooLargePattern = true }
            location.finding("pattern", error.sentence)
            return nil
        }
    }

    private static let roots: [String: ConditionReference.Root] = [
        "answer": .answers, "step": .steps, "attr": .attributes, "counter": .counters, "session": .session,
        "hook": .hookData, "ledger": .ledger, "segment": .segments,
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
        return ConditionReference(root, parts.dropFirst().map { Identifier($0) })
    }
}
