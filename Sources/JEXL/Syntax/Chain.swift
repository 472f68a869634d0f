import BellwetherJSON

/// An expression that is still growing to the right.
package struct Chain {
    var first: NodeIndex
    private(set) var steps: [Step] = []
    /// Where it begins in the text.
    let offset: Int

    package init(first: NodeIndex, offset: Int) {
        self.first = first
        self.offset = offset
    }

    package mutating func append(_ action: Step.Action, at offset: Int) {
        steps.append(Step(action: action, offset: Int32(clamping: offset)))
    }

    /// The same expression, in parentheses that open there.
    func opening(at offset: Int) -> Chain {
        var chain = Chain(first: first, offset: offset)
        chain.steps = steps
        return chain
    }
}

/// Names without repetition, in the order of their first appearance.
struct DistinctNames {
    private(set) var names: [String] = []
    private var known: Set<ByteKey> = []

    mutating func insert(_ name: String) {
        if known.insert(ByteKey(text: name)).inserted { names.append(name) }
    }
}
