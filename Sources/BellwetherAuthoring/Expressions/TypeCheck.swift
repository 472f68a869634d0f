import BellwetherJSON
internal import JEXL

/// Infers the type of every part of an expression, and reports incompatible operations
/// (docs/reference/expressions.md#evaluation: nothing is ever converted).
///
/// An identifier may always be null in addition to its declared type. That alone is not a mistake.
struct TypeCheck {
    let tree: Tree
    let source: String
    let types: ExpressionTypes
    private(set) var mistakes: [TypeMistake] = []
    private lazy var text = SourceText(source)
    /// The maximum number of reported mistakes.
    static let maximumMistakes = 16

    init(tree: Tree, source: String, types: ExpressionTypes) {
        self.tree = tree
        self.source = source
        self.types = types
    }

    /// One side of an operator.
    struct Side {
        let types: ValueTypes
        /// The value of a literal.
        var literal: JSONValue?
        /// The path of an attribute, or of a member of an attribute; nil for a computed value.
        var path: [String]?
        /// The query whose result it is.
        var event: EventQuery?
        /// Whether it is the result of the transform `date`.
        var isDate = false

        /// Whether the side is an attribute itself.
        var isAttribute: Bool { path?.count == 1 }

        /// The types without the null that every attribute may have.
        var known: ValueTypes { types == .null ? types : types.subtracting(.null) }
    }

    mutating func types(of index: NodeIndex) -> ValueTypes { side(of: index).types }

    mutating func side(of index: NodeIndex) -> Side {
        switch tree.nodes[Int(index)].kind {
        case .constant(let constant):
            let value = tree.constants[Int(constant)]
            return Side(types: ValueTypes(of: value), literal: value)
        case .identifier(let name):
            return side(at: [tree.name(name)])
        case .array(let items):
            for item in tree.items[items.range] { _ = types(of: item) }
            return Side(types: .array)
        case .object(let members):
            for member in tree.members[members.range] { if let value = member.value { _ = types(of: value) } }
            return Side(types: .object)
        case .eventQuery(let number):
            let query = tree.queries[Int(number)]
            check(query, at: index)
            return Side(types: query.kind.types, event: query)
        case .segment: return Side(types: .boolean)
        case .chain(let first, let steps): return side(of: first, steps)
        }
    }

    private mutating func side(of first: NodeIndex, _ steps: ElementRange) -> Side {
        var left = side(of: first)
        for stepIndex in steps.range {
            let step = TypedStep(
                step: tree.steps[stepIndex], first: first, steps: tree.steps[steps.range.lowerBound...stepIndex])
            let path = member(of: left, step.step)
            let types = result(of: step, on: left)
            left = path.map { side(at: $0) } ?? Side(types: types, isDate: step.step.isCall("date", in: tree))
        }
        return left
    }

    private func side(at path: [String]) -> Side {
        Side(types: types.path(path)?.union(.null) ?? .any, path: path)
    }

    /// The path of a member whose name is a literal.
    private func member(of left: Side, _ step: Step) -> [String]? {
        switch step.action {
        case .property(let name): return left.path.map { $0 + [tree.name(name)] }
        case .index(let index):
            guard case .constant(let constant) = tree.nodes[Int(index)].kind,
                case .string(let name) = tree.constants[Int(constant)]
            else { return nil }
            return left.path.map { $0 + [name] }
        default: return nil
        }
    }

    private mutating func result(of step: TypedStep, on left: Side) -> ValueTypes {
        switch step.step.action {
        case .operation(let binary, let right):
            let right = side(of: right)
            let count = mistakes.count
            let types = operation(binary, left, right, step)
            if mistakes.count == count { checkMeaning(binary, left, right, step) }
            return types
        case .conditional(let then, let otherwise): return types(of: then).union(types(of: otherwise))
        case .property: return access(left, allowed: .object, "only an object has members", step)
        case .index(let index):
            let key = side(of: index)
            if key.known.isDisjoint(with: [.number, .string]) {
                note(.mismatch, step, "an index is a number or a string, not \(key.known.phrase)")
            }
            return access(left, allowed: [.array, .object], "only an array or an object has items", step)
        case .filter(_, _, let right):
            _ = types(of: right)
            _ = access(left, allowed: .array, "only an array can be filtered", step)
            return .array
        case .call(.other, let name, let arguments):
            for argument in tree.items[arguments.range] { _ = types(of: argument) }
            return types.transform(tree.name(name)) ?? .any
        case .call(let transform, _, let arguments): return call(transform, left, arguments, step)
        }
    }

    private mutating func access(
        _ left: Side, allowed: ValueTypes, _ rule: String, _ step: TypedStep
    ) -> ValueTypes {
        if left.known.isDisjoint(with: allowed) { note(.mismatch, step, "\(rule), this is \(left.known.phrase)") }
        return .any
    }

    mutating func note(_ kind: TypeMistake.Kind, _ message: String, at offset: Int) {
        guard mistakes.count < Self.maximumMistakes else { return }
        mistakes.append(TypeMistake(kind: kind, message: message, offset: offset))
    }

    mutating func note(_ kind: TypeMistake.Kind, _ step: TypedStep, _ reason: String) {
        guard mistakes.count < Self.maximumMistakes else { return }
        let part = text.text(of: tree.nodes[Int(step.first)], step.steps)
        note(kind, "in \"\(part)\": \(reason)", at: Int(step.step.offset))
    }
}

extension Step {
    fileprivate func isCall(_ name: String, in tree: Tree) -> Bool {
        if case .call(.other, let own, _) = action { tree.name(own) == name } else { false }
    }
}

/// A step, and all steps before it.
struct TypedStep {
    let step: Step
    let first: NodeIndex
    /// The steps up to and including this step.
    let steps: ArraySlice<Step>
}
