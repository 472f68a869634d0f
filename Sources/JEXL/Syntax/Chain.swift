import BellwetherJSON

/// An expression to which steps can still be appended.
package struct Chain {
    var first: NodeIndex
    private(set) var steps: [Step] = []
    /// The offset in the text at which the expression begins.
    let offset: Int

    package init(first: NodeIndex, offset: Int) {
        self.first = first
        self.offset = offset
    }

    package mutating func append(_ action: Step.Action, at offset: Int) {
        steps.append(Step(action: action, offset: Int32(clamping: offset)))
    }

    /// The same expression in parentheses that open at an offset.
    func opening(at offset: Int) -> Chain {
        var chain = Chain(first: first, offset: offset)
        chain.steps = steps
        return chain
    }
}

/// Names without repetition, in the order of their first appearance.
struct DistinctNames {
    private(set) var names: [String] = []
    private var known: Set<Identifier> = []

    mutating func insert(_ name: String) {
        if known.insert(Identifier(name)).inserted { names.append(name) }
    }
}
