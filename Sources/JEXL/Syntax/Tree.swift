package import BellwetherJSON

/// An expression after parsing: nodes in flat arrays that refer to one another by index, texts and values in tables.
///
/// Nodes and steps are plain bits, so walking them counts no references. Every operator of JEXL is left-associative,
/// hence an expression is a first value and steps applied to it one after another, and `a.b == 1 && c` is a single
/// chain. Only brackets nest, so that recursion is bounded by the parser's depth.
package final class Tree: Sendable {
    package let nodes: [Node]
    package let steps: [Step]
    package let members: [Member]
    /// Items of array literals and arguments of transforms.
    package let items: [NodeIndex]
    package let constants: [JSONValue]
    package let names: [String]
    package let queries: [EventQuery]
    package let root: NodeIndex

    package init(_ builder: TreeBuilder, root: NodeIndex) {
        nodes = builder.nodes
        steps = builder.steps
        members = builder.members
        items = builder.items
        constants = builder.constants
        names = builder.names
        queries = builder.queries
        self.root = root
    }

    package func name(_ index: NameIndex) -> String { names[Int(index)] }
}

package typealias NodeIndex = Int32
package typealias NameIndex = Int32

/// A run of one of the tree's arrays.
package struct ElementRange: BitwiseCopyable {
    package let start: Int32
    package let count: Int32

    package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// Something with a value.
package struct Node: BitwiseCopyable {
    package let kind: Kind
    /// The byte of the text that an error here names.
    package let offset: Int32

    package enum Kind: BitwiseCopyable {
        case constant(Int32)
        case identifier(NameIndex)
        /// A run of items.
        case array(ElementRange)
        /// A run of members.
        case object(ElementRange)
        /// An event query with literal subject and arguments.
        case eventQuery(Int32)
        /// A first value and the run of steps applied to it.
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
        /// The member of each item, how it is compared, and with what.
        case filter(NameIndex, Operator, NodeIndex)
        /// The arguments are a run of items.
        case call(Transform, NameIndex, ElementRange)
    }
}

/// A member of an object literal.
package struct Member: BitwiseCopyable {
    package let key: NameIndex
    /// Nil if the key came before: an error, once evaluation comes that far.
    package let value: NodeIndex?
    package let offset: Int32
}
