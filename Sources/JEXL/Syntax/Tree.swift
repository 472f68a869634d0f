package import BellwetherJSON

/// An expression after parsing. Nodes are in flat arrays and refer to one another by index. Texts and values are in
/// tables.
///
/// Nodes and steps contain no references, so a traversal does no reference counting. Every operator of JEXL is
/// left-associative, so an expression is a first value with steps applied to it one after another: `a.b == 1 && c` is a
/// single chain. Only brackets nest, so the parser's depth limits the recursion.
package final class Tree: Sendable {
    package let nodes: [Node]
    package let steps: [Step]
    package let members: [Member]
    /// Items of array literals and arguments of transforms.
    package let items: [NodeIndex]
    package let constants: [JSONValue]
    package let names: [String]
    package let queries: [EventQuery]
    /// The segments that the expression itself names, each once.
    package let segments: [(name: String, expression: CompiledExpression)]
    package let root: NodeIndex

    package init(_ builder: TreeBuilder, root: NodeIndex) {
        nodes = builder.nodes
        steps = builder.steps
        members = builder.members
        items = builder.items
        constants = builder.constants
        names = builder.names
        queries = builder.queries
        segments = builder.segments
        self.root = root
    }

    /// The tree of a segment.
    func segment(_ place: Int32) -> Tree { segments[Int(place)].expression.tree }

    package func name(_ index: NameIndex) -> String { names[Int(index)] }
}

package typealias NodeIndex = Int32
package typealias NameIndex = Int32

/// A range of one of the tree's arrays.
package struct ElementRange: BitwiseCopyable {
    package let start: Int32
    package let count: Int32

    package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// A part of an expression that has a value.
package struct Node: BitwiseCopyable {
    package let kind: Kind
    /// The offset in the text that errors of this node report.
    package let offset: Int32

    package enum Kind: BitwiseCopyable {
        case constant(Int32)
        case identifier(NameIndex)
        /// The range of the items.
        case array(ElementRange)
        /// The range of the members.
        case object(ElementRange)
        /// An event query with literal subject and arguments.
        case eventQuery(Int32)
        /// A segment, by its name and its place among the tree's segments. Its value must be true or false.
        case segment(NameIndex, Int32)
        /// A first value and the range of the steps applied to it.
        case chain(NodeIndex, ElementRange)
    }
}

/// A step that is applied to the value on the left.
package struct Step: BitwiseCopyable {
    package let action: Action
    package let offset: Int32

    package enum Action: BitwiseCopyable {
        case operation(Operator, NodeIndex)
        case conditional(then: NodeIndex, otherwise: NodeIndex)
        case property(NameIndex)
        case index(NodeIndex)
        /// The member of each item, the operator, and the right side.
        case filter(NameIndex, Operator, NodeIndex)
        /// A transform, with a range of items as its arguments.
        case call(Transform, NameIndex, ElementRange)
    }
}

/// A member of an object literal.
package struct Member: BitwiseCopyable {
    package let key: NameIndex
    /// The value; nil if the key occurred before. That is an error once evaluation reaches it.
    package let value: NodeIndex?
    package let offset: Int32
}
