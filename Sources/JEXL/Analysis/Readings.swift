import BellwetherJSON

/// Collects the values that a part of an expression reads.
struct Readings<Environment: JEXLEnvironment> {
    let tree: Tree
    let text: SourceText
    let environment: Environment
    private(set) var values: [FailingLeaf.Reading] = []

    init(tree: Tree, text: SourceText, environment: Environment) {
        self.tree = tree
        self.text = text
        self.environment = environment
    }

    mutating func read(_ index: NodeIndex) {
        let node = tree.nodes[Int(index)]
        switch node.kind {
        case .constant: break
        case .identifier(let name): note(tree.name(name), environment.value(of: tree.name(name)))
        case .eventQuery(let query):
            let query = tree.queries[Int(query)]
            let result = environment.registersTransforms ? environment.result(of: query) : nil
            note(text.text(of: node, []), result.map { query.kind.value(of: $0) })
        case .segment(let name, _):
            var budget = Budget(.standard)
            let value = try? tree.value(of: index, in: environment, &budget)
            note("segment.\(tree.name(name))", value)
        case .array(let items): read(items)
        case .object(let members): for member in tree.members[members.range] { member.value.map { read($0) } }
        case .chain(let first, let steps):
            read(first)
            for step in tree.steps[steps.range] { read(step) }
        }
    }

    mutating func read(_ step: Step) {
        switch step.action {
        case .operation(_, let right), .filter(_, _, let right), .index(let right): read(right)
        case .conditional(let then, let otherwise):
            read(then)
            read(otherwise)
        case .call(_, _, let arguments): read(arguments)
        case .property: break
        }
    }

    private mutating func read(_ items: ElementRange) { for item in tree.items[items.range] { read(item) } }

    private mutating func note(_ name: String, _ value: JSONValue?) {
        guard !values.contains(where: { Identifier($0.name) == name }) else { return }
        values.append(FailingLeaf.Reading(name: name, value: value))
    }
}
