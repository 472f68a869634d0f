import BellwetherJSON
internal import JEXL

/// Expressions in which each part with an unknown value is replaced by an identifier. The remaining parts are logic and
/// comparisons with literals, and evaluate as in the expression.
///
/// A replaced part may have any value that its kind allows. So a property that holds for the abstraction in all cases
/// also holds for the expression.
struct Abstraction {
    private(set) var builder = TreeBuilder()
    private(set) var unknowns: [Unknown] = []
    private var indices: [String: Int] = [:]
    private let types: (String) -> ValueTypes?

    init(types: @escaping (String) -> ValueTypes?) { self.types = types }

    /// A part, rebuilt.
    struct Part {
        var chain: Chain
        var form: Form
        /// The unknowns in the part.
        var unknowns: Set<Int> = []
    }

    enum Form {
        case literal(JSONValue)
        case unknown(Int)
        /// The value true, the value false, or an error.
        case truth
        /// The value of one of several parts.
        case mixed

        var isTruth: Bool {
            switch self {
            case .truth, .literal(.bool): true
            default: false
            }
        }
    }

    mutating func close(_ part: Part) -> NodeIndex { builder.close(part.chain) }

    mutating func part(_ index: NodeIndex, of tree: Tree) -> Part {
        switch tree.nodes[Int(index)].kind {
        case .constant(let constant):
            let value = tree.constants[Int(constant)]
            return Part(chain: Chain(first: builder.add(value, at: 0), offset: 0), form: .literal(value))
        case .identifier(let name):
            let types = types(tree.name(name))?.union(.null) ?? .any
            return unknown(tree.outline(of: index), .value(types))
        case .eventQuery(let number):
            let isBoolean = tree.queries[Int(number)].kind.isBoolean
            return unknown(tree.outline(of: index), isBoolean ? .value(.boolean) : .count)
        case .segment: return unknown(tree.outline(of: index), .value(.boolean))
        case .array: return unknown(tree.outline(of: index), .value(.array))
        case .object: return unknown(tree.outline(of: index), .value(.object))
        case .chain(let first, let steps): return part(first, tree.steps[steps.range], of: tree)
        }
    }

    /// A first value, and some of the steps after it.
    mutating func part(_ first: NodeIndex, _ steps: ArraySlice<Step>, of tree: Tree) -> Part {
        var left = part(first, of: tree)
        var position = steps.startIndex
        while position < steps.endIndex {
            switch steps[position].action {
            case .operation(let binary, let right) where binary.level == Operator.loosest:
                let right = part(right, of: tree)
                left.append(.operation(binary, builder.close(right.chain)), [right])
            case .operation(let binary, let right) where binary.level == Operator.comparison:
                let right = part(right, of: tree)
                if note(binary, left.form, right.form) {
                    left.append(.operation(binary, builder.close(right.chain)), [right])
                    left.form = .truth
                } else {
                    left = unknown(tree.outline(of: first, steps[...position]), .value(.boolean))
                }
            case .conditional(let then, let otherwise):
                let arms = [part(then, of: tree), part(otherwise, of: tree)]
                left.form = .truth
                left.append(
                    .conditional(then: builder.close(arms[0].chain), otherwise: builder.close(arms[1].chain)), arms)
            case .call(.versionCompare, _, let arguments):
                left =
                    version(of: tree.outline(of: first, steps[..<position]), arguments, tree)
                    ?? unknown(tree.outline(of: first, steps[...position]), .value([.number]))
            default:
                // Only the last of several opaque steps matters.
                while position + 1 < steps.endIndex, steps[position + 1].isOpaque { position += 1 }
                left = unknown(tree.outline(of: first, steps[...position]), .value(steps[position].resultTypes))
            }
            position += 1
        }
        return left
    }

    private mutating func unknown(_ outline: String, _ kind: Unknown.Kind) -> Part {
        let index = index(of: outline, kind)
        return Part(
            chain: Chain(first: builder.addIdentifier(unknowns[index].name, at: 0), offset: 0), form: .unknown(index),
            unknowns: [index])
    }

    private mutating func index(of outline: String, _ kind: Unknown.Kind) -> Int {
        if let index = indices[outline] { return index }
        unknowns.append(Unknown(kind: kind, name: "u\(unknowns.count)"))
        indices[outline] = unknowns.count - 1
        return unknowns.count - 1
    }

    /// Nil if the step does not compare with exactly one literal version.
    private mutating func version(of subject: String, _ arguments: ElementRange, _ tree: Tree) -> Part? {
        guard arguments.count == 1,
            case .constant(let constant) = tree.nodes[Int(tree.items[arguments.range][arguments.range.lowerBound])].kind,
            case .string(let version) = tree.constants[Int(constant)]
        else { return nil }
        let index = index(of: "version of " + subject, .versions)
        let number =
            unknowns[index].versions.firstIndex(bytesOf: version) ?? unknowns[index].versions.count
        if number == unknowns[index].versions.count { unknowns[index].versions.append(version) }
        let name = Unknown.version(number, of: unknowns[index].name)
        return Part(
            chain: Chain(first: builder.addIdentifier(name, at: 0), offset: 0), form: .unknown(index),
            unknowns: [index])
    }

    /// Records the literal that an unknown is compared with. Returns false if the comparison has no literal.
    private mutating func note(_ binary: Operator, _ left: Form, _ right: Form) -> Bool {
        switch (left, right) {
        case (.unknown(let index), .literal(let literal)): return unknowns[index].note(binary, literal)
        case (.literal(let literal), .unknown(let index)):
            guard binary == .isIn else { return unknowns[index].note(binary, literal) }
            unknowns[index].members.append(unlessThere: literal)
            return true
        case (.truth, .truth), (.truth, .literal), (.literal, .truth), (.literal, .literal): return true
        default: return false
        }
    }
}

extension Abstraction.Part {
    fileprivate mutating func append(_ action: Step.Action, _ parts: [Abstraction.Part]) {
        let isTruth = form.isTruth && parts.allSatisfy(\.form.isTruth)
        chain.append(action, at: 0)
        form = isTruth ? .truth : .mixed
        for part in parts { unknowns.formUnion(part.unknowns) }
    }
}

extension Unknown {
    /// Records a literal on the other side of a comparison. Returns false if the literal is a text in which the unknown
    /// is searched.
    fileprivate mutating func note(_ binary: Operator, _ literal: JSONValue) -> Bool {
        guard binary == .isIn else {
            if literal.string != nil, binary != .equal, binary != .notEqual { ordersText = true }
            literals.append(unlessThere: literal)
            return true
        }
        switch literal {
        case .array(let items):
            isStrict = true
            for item in items { literals.append(unlessThere: item) }
        case .object(let members): for key in members.keys { literals.append(unlessThere: .string(key)) }
        case .string: return false
        default: break
        }
        return true
    }
}

extension Array where Element: Equatable {
    fileprivate mutating func append(unlessThere element: Element) { if !contains(element) { append(element) } }
}

extension Step {
    /// Whether the result of the step cannot be derived from the value on its left.
    fileprivate var isOpaque: Bool {
        switch action {
        case .operation(let binary, _): binary.level > Operator.comparison
        case .conditional, .call(.versionCompare, _, _): false
        case .property, .index, .filter, .call: true
        }
    }

    /// The types that the result of an opaque step may have.
    fileprivate var resultTypes: ValueTypes {
        switch action {
        case .call(.bucketSample, _, _): .boolean
        case .call(.event(let kind), _, _): kind.types
        case .filter: .array
        case .operation(.add, _): [.number, .string, .null]
        case .operation: [.number, .null]
        case .conditional, .property, .index, .call: .any
        }
    }
}
