package import BellwetherJSON

/// Collects a tree's arrays while the parser runs.
package struct TreeBuilder {
    package private(set) var nodes: [Node] = []
    private(set) var steps: [Step] = []
    private(set) var members: [Member] = []
    private(set) var items: [NodeIndex] = []
    private(set) var constants: [JSONValue] = []
    private(set) var names: [String] = []
    private(set) var queries: [EventQuery] = []
    private(set) var segments: [(name: String, expression: CompiledExpression)] = []
    /// The names that the expression reads from its environment, in the order of the text.
    private(set) var identifiers = DistinctNames()
    private(set) var transforms = DistinctNames()
    private(set) var events = DistinctNames()
    /// The events whose newest times the expression reads.
    private(set) var timedEvents = DistinctNames()
    private var nameIndices: [Identifier: NameIndex] = [:]

    package init() {}

    mutating func add(_ kind: Node.Kind, at offset: Int) -> NodeIndex {
        nodes.append(Node(kind: kind, offset: Int32(clamping: offset)))
        return NodeIndex(nodes.count - 1)
    }

    package mutating func add(_ value: JSONValue, at offset: Int) -> NodeIndex {
        constants.append(value)
        return add(.constant(Int32(constants.count - 1)), at: offset)
    }

    package mutating func addIdentifier(_ name: String, at offset: Int) -> NodeIndex {
        identifiers.insert(name)
        return add(.identifier(self.name(name)), at: offset)
    }

    /// Adds a reference to a segment. Several references to one segment share it.
    mutating func addSegment(_ name: String, _ expression: CompiledExpression, at offset: Int) -> NodeIndex {
        let place = segments.firstIndex { $0.name == name } ?? segments.count
        if place == segments.count { segments.append((name, expression)) }
        return add(.segment(self.name(name), Int32(place)), at: offset)
    }

    mutating func addArray(_ items: [NodeIndex], at offset: Int) -> NodeIndex {
        if let values = constants(items) { return add(.array(values), at: offset) }
        return add(.array(run(items)), at: offset)
    }

    mutating func addObject(_ members: [Member], at offset: Int) -> NodeIndex {
        let literals = members.compactMap { member in
            member.value.flatMap { constant($0) }.map { (key: names[Int(member.key)], value: $0) }
        }
        if literals.count == members.count { return add(.object(JSONObject(literals)), at: offset) }
        self.members += members
        let start = self.members.count - members.count
        return add(.object(ElementRange(start: Int32(start), count: Int32(members.count))), at: offset)
    }

    /// Adds a transform. An event query with literal subject and arguments becomes one node. A query with mistakes
    /// stays a call, which throws the error when it is evaluated.
    mutating func call(_ name: String, on chain: inout Chain, _ arguments: [NodeIndex], at offset: Int) {
        let transform = Transform(name)
        transforms.insert(name)
        if case .event(let kind) = transform, chain.steps.isEmpty, let subject = constant(chain.first) {
            let other = kind == .eventAfter && arguments.count == 1 ? constant(arguments[0]) : nil
            for case .string(let event)? in [subject, other] {
                events.insert(event)
                if kind.isBoolean { timedEvents.insert(event) }
            }
            if let values = constants(arguments), let query = try? EventQuery(kind, subject: subject, values) {
                queries.append(query)
                chain.first = add(.eventQuery(Int32(queries.count - 1)), at: offset)
                return
            }
        }
        chain.append(.call(transform, self.name(name), run(arguments)), at: offset)
    }

    /// The node of a complete chain. A chain without steps is its first value.
    package mutating func close(_ chain: Chain) -> NodeIndex {
        guard !chain.steps.isEmpty else { return chain.first }
        steps += chain.steps
        let start = steps.count - chain.steps.count
        return add(
            .chain(chain.first, ElementRange(start: Int32(start), count: Int32(chain.steps.count))), at: chain.offset)
    }

    mutating func name(_ name: String) -> NameIndex {
        let key = Identifier(name)
        if let known = nameIndices[key] { return known }
        let index = NameIndex(names.count)
        names.append(name)
        nameIndices[key] = index
        return index
    }

    private mutating func run(_ items: [NodeIndex]) -> ElementRange {
        self.items += items
        return ElementRange(start: Int32(self.items.count - items.count), count: Int32(items.count))
    }

    /// The value of a node that is a literal; nil for another node.
    private func constant(_ index: NodeIndex) -> JSONValue? {
        guard case .constant(let constant) = nodes[Int(index)].kind else { return nil }
        return constants[Int(constant)]
    }

    /// The values of nodes that are all literals; nil if one is not.
    private func constants(_ indices: [NodeIndex]) -> [JSONValue]? {
        let values = indices.compactMap(constant)
        return values.count == indices.count ? values : nil
    }
}
