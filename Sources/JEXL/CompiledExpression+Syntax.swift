public import BellwetherJSON

extension CompiledExpression {
    /// The whole expression, to walk.
    public var root: SyntaxNode { SyntaxNode(tree, tree.root) }

    /// A comparison of an attribute, or of a member of one, with a literal.
    public struct Comparison: Sendable, Hashable {
        /// The identifier, and the members behind it.
        public let path: [String]
        /// As it is spelled: `==`, `!=`, `<`, `<=`, `>`, `>=` or `in`.
        public let `operator`: String
        public let literal: JSONValue
        /// Whether the literal stands on the left: `'en' in locale`.
        public let isLiteralFirst: Bool
        /// The operator's offset in the text, in UTF-8 bytes.
        public let offset: Int
    }

    /// Every such comparison in the expression, inner ones before outer ones.
    public var comparisons: [Comparison] {
        // All nodes lie in one array, so that nothing needs to be walked.
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

    /// The names of the `.member` steps in front.
    private static func members(_ steps: [SyntaxStep]) -> [String] {
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step.kind else { break }
            names.append(name)
        }
        return names
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
