import BellwetherJSON
internal import JEXL

extension EventQuery.Scope {
    fileprivate var outline: String {
        switch self {
        case .buckets(let interval, let count, let start): "\(interval) \(count) \(start)"
        case .seconds(let from, let to): "\(from) \(to)"
        case .since(let event): JSONValue.string(event).text
        }
    }
}

extension Tree {
    /// A text that is equal for two parts only if the parts are identical.
    func outline(of index: NodeIndex) -> String {
        let node = nodes[Int(index)]
        switch node.kind {
        case .constant(let constant): return constants[Int(constant)].text
        case .identifier(let name): return self.name(name)
        case .eventQuery(let number):
            let query = queries[Int(number)]
            return "\(query.kind)(\(JSONValue.string(query.event).text) \(query.scope.outline))"
        case .segment(let name, _): return "segment.\(self.name(name))"
        case .array(let items): return "[\(self.items[items.range].map(outline).joined(separator: ","))]"
        case .object(let members):
            let texts = self.members[members.range].map { member in
                JSONValue.string(name(member.key)).text + (member.value.map { ":" + outline(of: $0) } ?? "")
            }
            return "{\(texts.joined(separator: ","))}"
        case .chain(let first, let steps): return "(\(outline(of: first, self.steps[steps.range])))"
        }
    }

    /// The outline of a first value and the steps after it.
    func outline(of first: NodeIndex, _ steps: ArraySlice<Step>) -> String {
        steps.reduce(into: outline(of: first)) { $0 += outline(of: $1) }
    }

    private func outline(of step: Step) -> String {
        switch step.action {
        case .operation(let binary, let right): " \(binary.rawValue) \(outline(of: right))"
        case .conditional(let then, let otherwise): " ? \(outline(of: then)) : \(outline(of: otherwise))"
        case .property(let name): ".\(self.name(name))"
        case .index(let index): "[\(outline(of: index))]"
        case .filter(let name, let binary, let right):
            "[.\(self.name(name)) \(binary.rawValue) \(outline(of: right))]"
        case .call(_, let name, let arguments):
            "|\(self.name(name))(\(items[arguments.range].map(outline).joined(separator: ",")))"
        }
    }
}
