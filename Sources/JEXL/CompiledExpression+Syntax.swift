public import BellwetherJSON

extension CompiledExpression {
    /// The root of the syntax tree.
    public var root: SyntaxNode { SyntaxNode(tree, tree.root) }

    /// A comparison of an attribute, or of a member of one, with a literal.
    public struct Comparison: Sendable, Hashable {
        /// The identifier and the members after it.
        public let path: [String]
        /// The operator as it is spelled: `==`, `!=`, `<`, `<=`, `>`, `>=` or `in`.
        public let `operator`: String
        public let literal: JSONValue
        /// Whether the literal is on the left: `'en' in locale`.
        public let isLiteralFirst: Bool
        /// The operator's offset in the text, in UTF-8 bytes.
        public let offset: Int
    }

    /// All such comparisons in the expression, inner ones before outer ones.
    public var comparisons: [Comparison] {
        // All nodes are in one array, so no traversal is needed.
        tree.nodes.indices.flatMap { comparisons(in: SyntaxNode(tree, NodeIndex($0))) }
    }

    private func comparisons(in node: SyntaxNode) -> [Comparison] {
        guard case .chain(let first, let steps) = node.kind else { return [] }
        let members = Self.members(steps)
        guard members.count < steps.count, case .operation(let sign, let right) = steps[members.count].kind,
            Operator(rawValue: sign)?.level == Operator.comparison
        else { return [] }
        let offset = steps[members.count].offset
        switch (first.kind, right.kind) {
        case (.identifier(let name), .literal(let literal)):
            let path = [name] + members
            return [
                Comparison(path: path, operator: sign, literal: literal, isLiteralFirst: false, offset: offset)
            ]
        case (.literal(let literal), _) where members.isEmpty:
            guard let path = Self.path(right) else { return [] }
            return [Comparison(path: path, operator: sign, literal: literal, isLiteralFirst: true, offset: offset)]
        default: return []
        }
    }

    /// The names of the leading `.member` steps.
    private static func members(_ steps: [SyntaxStep]) -> [String] {
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step.kind else { break }
            names.append(name)
        }
        return names
    }

    /// The paths that the expression may read, each once, in the order of the text; after them those of its segments. A
    /// path is an identifier and the members after it that literals name.
    public var paths: [[String]] {
        var paths: [[String]] = []
        for part in parts { Self.collect(part.expression.root, &paths) }
        return paths
    }

    /// Only brackets nest, so the parser's depth limits the recursion.
    private static func collect(_ node: SyntaxNode, _ paths: inout [[String]]) {
        switch node.kind {
        case .literal, .eventQuery, .segment: break
        case .identifier(let name): note([name], &paths)
        case .array(let items): for item in items { collect(item, &paths) }
        case .object(let members): for member in members { member.value.map { collect($0, &paths) } }
        case .chain(let first, let steps):
            var rest = steps[...]
            if case .identifier(let name) = first.kind {
                var path = [name]
                while let name = rest.first?.literalMember {
                    path.append(name)
                    rest.removeFirst()
                }
                note(path, &paths)
            } else {
                collect(first, &paths)
            }
            for step in rest { for operand in step.operands { collect(operand, &paths) } }
        }
    }

    private static func note(_ path: [String], _ paths: inout [[String]]) {
        if !paths.contains(where: { $0.elementsEqual(path) { Identifier($0) == $1 } }) { paths.append(path) }
    }

    private static func path(_ node: SyntaxNode) -> [String]? {
        switch node.kind {
        case .identifier(let name): return [name]
        case .chain(let first, let steps):
            let members = members(steps)
            guard case .identifier(let name) = first.kind, members.count == steps.count else { return nil }
            return [name] + members
        default: return nil
        }
    }
}

extension SyntaxStep {
    /// The name in `.name` or `['name']`.
    fileprivate var literalMember: String? {
        switch kind {
        case .member(let name): return name
        case .index(let index):
            guard case .literal(.string(let name)) = index.kind else { return nil }
            return name
        default: return nil
        }
    }

    fileprivate var operands: [SyntaxNode] {
        switch kind {
        case .operation(_, let right), .filter(_, _, let right), .index(let right): [right]
        case .conditional(let then, let otherwise): [then, otherwise]
        case .transform(_, let arguments): arguments
        case .member: []
        }
    }
}
