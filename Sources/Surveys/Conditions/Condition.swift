public import BellwetherJSON

/// A tree of tests on the facts about a respondent: answers, attributes, counters and so on.
///
/// Every dialect compiles to this tree, and there is one evaluator. The differences between dialects are data of a test
/// (docs/reference/surveys.md#conditions). Evaluation is pure, total and linear in the number of nodes.
public indirect enum Condition: Sendable, Hashable {
    case constant(Bool)
    /// Holds if all conditions hold; an empty list holds.
    case all([Condition])
    /// Holds if one condition holds; an empty list does not hold.
    case any([Condition])
    case not(Condition)
    case test(ConditionTest)
    /// A condition that is decided outside of this library, for example by a JEXL expression.
    case predicate(ConditionPredicate)
}

/// One leaf: a value, an operation, and the operand.
public struct ConditionTest: Sendable, Hashable {
    public enum Operation: Sendable, Hashable {
        case equals
        /// Whether the value equals the operand. An array holds if one element does.
        case equalsOrHasMember
        case greater
        case greaterOrEqual
        case less
        case lessOrEqual
        /// The operand is `[low, high]`, both inclusive; one of them may be null.
        case between
        /// The operand is an array.
        case isMember
        case contains(Containment)
        case startsWith
        case endsWith
        /// Whether a pattern is found in the text; it need not match the whole text. It is nil if the pattern cannot be
        /// compiled.
        case matches(Pattern?)
        case exists
        case isEmpty(Emptiness)
        case hasAllMembers
        case hasAnyMember
        /// Compares versions such as `1.10.2` or `3.0.0-beta` (docs/reference/expressions.md#versions).
        case version(VersionOrder)
        /// Whether the operand, or one of the operands, is a prefix of the locale: `fr` is a prefix of `fr-CA`.
        case localeIs
        /// Whether the texts are equal without regard to case. The operand may be an array.
        case platformIs
        /// Whether the operand contains the value. The operand is an array, or a text of names separated by commas.
        case isNamed
    }

    /// The values in which `contains` searches.
    public struct Containment: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An array that contains the operand as an element.
        public static let members = Containment(rawValue: 1)
        /// A text that contains the operand.
        public static let texts = Containment(rawValue: 2)
        /// The canonical text of any value.
        public static let canonicalTexts = Containment(rawValue: 4)
        /// Texts are compared without regard to the case of letters.
        public static let ignoringCase = Containment(rawValue: 8)
    }

    /// The values that count as empty, in addition to a missing value.
    public enum Emptiness: Sendable, Hashable {
        /// The empty text.
        case texts
        /// The empty text, array and object.
        case collections
    }

    public enum VersionOrder: Sendable, Hashable { case greater, greaterOrEqual, less, lessOrEqual, equal }

    /// The outcome of a test on a missing value. JSON's null is missing.
    public enum MissingValue: Sendable, Hashable {
        case fails
        case holds
        /// The value is compared as the empty text.
        case isEmptyText
        /// The value equals a missing operand, and no other value.
        case equalsMissing
    }

    public enum Operand: Sendable, Hashable {
        case none
        case value(JSONValue)
        case reference(ConditionReference)
    }

    public var reference: ConditionReference
    public var operation: Operation
    public var operand: Operand
    public var comparison: Comparison
    /// Whether the result of the operation is inverted. The outcome for a missing value is not inverted.
    public var isNegated: Bool
    public var missing: MissingValue
    /// Whether an option's id and its value count as equal.
    public var usesAliases: Bool

    public init(
        _ reference: ConditionReference, _ operation: Operation, _ operand: Operand = .none,
        comparison: Comparison = .automatic, isNegated: Bool = false, missing: MissingValue? = nil,
        usesAliases: Bool = false
    ) {
        self.reference = reference
        self.operation = operation
        self.operand = operand
        self.comparison = comparison
        self.isNegated = isNegated
        self.missing = missing ?? (isNegated ? .holds : .fails)
        self.usesAliases = usesAliases
    }
}

/// A condition that the caller evaluates: SurveyNative's custom condition.
public struct ConditionPredicate: Sendable, Hashable {
    /// The name; nil if the condition has none, and then the question's id is the name.
    public var name: Identifier?
    /// The questions whose answers it may read.
    public var ids: [Identifier]
    public var extra: JSONObject

    public init(name: Identifier?, ids: [Identifier], extra: JSONObject) {
        self.name = name
        self.ids = ids
        self.extra = extra
    }
}

extension Condition {
    /// The tests and predicates of the condition, in the order of the document.
    public var leaves: [Condition] {
        switch self {
        case .constant: []
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.leaves)
        case .not(let condition): condition.leaves
        case .test, .predicate: [self]
        }
    }

    /// The names of the attributes that the condition reads.
    public var attributeNames: [Identifier] {
        leaves.flatMap { leaf -> [Identifier] in
            guard case .test(let test) = leaf else { return [] }
            return test.references.compactMap { $0.root == .attributes ? $0.path.first : nil }
        }
    }

    /// Whether the condition reads a segment, or a fact of the respondent.
    var readsPerson: Bool {
        leaves.contains { leaf in
            guard case .test(let test) = leaf else { return false }
            return test.references.contains { $0.root == .segments || $0.root == .personFacts }
        }
    }

    /// The ids of the questions whose answers the condition reads.
    public var answerIDs: [Identifier] {
        leaves.flatMap { leaf -> [Identifier] in
            switch leaf {
            case .test(let test): return test.references.compactMap(\.answerID)
            case .predicate(let predicate): return predicate.ids
            default: return []
            }
        }
    }
}

extension ConditionTest {
    var references: [ConditionReference] {
        if case .reference(let other) = operand { [reference, other] } else { [reference] }
    }
}
