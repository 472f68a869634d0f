public import BellwetherJSON

/// A part of an expression with a value, for rules that inspect expressions without evaluating them.
///
/// It has the same structure as the tree. Every operator is left-associative, so `a.b == 1 && c` is the identifier `a`
/// and three steps. Only brackets nest, so a traversal can recurse.
public struct SyntaxNode: Sendable {
    private let tree: Tree
    private let index: NodeIndex

    init(_ tree: Tree, _ index: NodeIndex) {
        self.tree = tree
        self.index = index
    }

    public enum Kind: Sendable {
        /// A literal. Arrays and objects of literals are literals too.
        case literal(JSONValue)
        case identifier(String)
        case array([SyntaxNode])
        /// An object. The value of a member is nil if its key occurred before.
        case object([(key: String, value: SyntaxNode?)])
        /// An event query with literal subject and arguments. Any other event query is a `transform` step.
        case eventQuery(EventQuery)
        /// A segment, by its name, with its expression.
        case segment(String, SyntaxNode)
        case chain(SyntaxNode, [SyntaxStep])
    }

    /// The offset in the expression, in UTF-8 bytes. In a segment it is the offset in the segment's expression.
    public var offset: Int { Int(tree.nodes[Int(index)].offset) }

    public var kind: Kind {
        switch tree.nodes[Int(index)].kind {
        case .constant(let constant): .literal(tree.constants[Int(constant)])
        case .identifier(let name): .identifier(tree.name(name))
        case .array(let items): .array(tree.items[items.range].map { SyntaxNode(tree, $0) })
        case .object(let members): .object(tree.members[members.range].map(member))
        case .eventQuery(let query): .eventQuery(tree.queries[Int(query)])
        case .segment(let name, let place): .segment(tree.name(name), tree.segments[Int(place)].expression.root)
        case .chain(let first, let steps):
            .chain(SyntaxNode(tree, first), tree.steps[steps.range].map { SyntaxStep(tree, $0) })
        }
    }

    private func member(_ member: Member) -> (key: String, value: SyntaxNode?) {
        (key: tree.name(member.key), value: member.value.map { SyntaxNode(tree, $0) })
    }
}

/// A step that an expression applies to the value on its left.
public struct SyntaxStep: Sendable {
    private let tree: Tree
    private let step: Step

    init(_ tree: Tree, _ step: Step) {
        self.tree = tree
        self.step = step
    }

    public enum Kind: Sendable {
        /// A binary operator in its spelling, and its right side.
        case operation(String, SyntaxNode)
        case conditional(then: SyntaxNode, otherwise: SyntaxNode)
        case member(String)
        case index(SyntaxNode)
        case filter(member: String, operator: String, SyntaxNode)
        case transform(String, [SyntaxNode])
    }

    /// The offset in the expression, in UTF-8 bytes, of the operator, the bracket, the dot or the transform's name.
    public var offset: Int { Int(step.offset) }

    public var kind: Kind {
        switch step.action {
        case .operation(let binary, let right): .operation(binary.rawValue, SyntaxNode(tree, right))
        case .conditional(let then, let otherwise):
            .conditional(then: SyntaxNode(tree, then), otherwise: SyntaxNode(tree, otherwise))
        case .property(let name): .member(tree.name(name))
        case .index(let index): .index(SyntaxNode(tree, index))
        case .filter(let name, let binary, let right):
            .filter(member: tree.name(name), operator: binary.rawValue, SyntaxNode(tree, right))
        case .call(_, let name, let arguments):
            .transform(tree.name(name), tree.items[arguments.range].map { SyntaxNode(tree, $0) })
        }
    }
}
