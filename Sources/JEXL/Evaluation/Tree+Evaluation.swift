package import BellwetherJSON

extension Tree {
    /// The value of a node.
    package func value(
        of index: NodeIndex, in environment: some JEXLEnvironment, _ budget: inout Budget
    ) throws(Fault) -> JSONValue {
        let node = nodes[Int(index)]
        try budget.spend(at: node.offset)
        switch node.kind {
        case .constant(let constant): return constants[Int(constant)]
        case .identifier(let name):
            guard let value = environment.value(of: self.name(name)) else {
                throw Fault(reason: .undefinedIdentifier(self.name(name)), offset: node.offset)
            }
            return value
        case .chain(let first, let steps): return try value(of: first, steps, in: environment, &budget)
        case .eventQuery(let number):
            let query = queries[Int(number)]
            guard environment.registersTransforms else {
                throw Fault(reason: .unknownTransform(query.kind.rawValue), offset: node.offset)
            }
            return query.kind.value(of: environment.result(of: query))
        case .segment(let name, let place):
            let segment = segment(place)
            do throws(Fault) {
                guard case .bool(let isTrue) = try segment.value(of: segment.root, in: environment, &budget) else {
                    throw Fault(reason: .segment(self.name(name)), offset: node.offset)
                }
                return .bool(isTrue)
            } catch {
                throw Fault(reason: error.reason, offset: node.offset)
            }
        case .array(let items): return .array(try values(of: items, in: environment, &budget))
        case .object(let members): return .object(try object(members, in: environment, &budget))
        }
    }

    /// The result of a first value with the steps applied to it. A fault is kept until a `||` or `?:` discards it. The
    /// steps before that are skipped.
    func value(
        of first: NodeIndex, _ steps: ElementRange, in environment: some JEXLEnvironment, _ budget: inout Budget
    ) throws(Fault) -> JSONValue {
        var value = JSONValue.null
        var fault: Fault?
        do throws(Fault) {
            value = try self.value(of: first, in: environment, &budget)
        } catch {
            fault = error
        }
        for index in steps.range {
            let step = self.steps[index]
            let isTruthy = fault == nil && value.isTruthy
            do throws(Fault) {
                switch step.action {
                case .operation(.or, let right):
                    if isTruthy { continue }
                    value = try self.value(of: right, in: environment, &budget)
                    fault = nil
                case .operation(.and, let right):
                    if isTruthy { value = try self.value(of: right, in: environment, &budget) }
                case .conditional(let then, let otherwise):
                    value = try self.value(of: isTruthy ? then : otherwise, in: environment, &budget)
                    fault = nil
                default:
                    if fault == nil { value = try self.value(of: step, on: value, in: environment, &budget) }
                }
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        return value
    }

    func values(
        of items: ElementRange, in environment: some JEXLEnvironment, _ budget: inout Budget
    ) throws(Fault) -> [JSONValue] {
        var values: [JSONValue] = []
        values.reserveCapacity(items.range.count)
        for index in items.range { values.append(try value(of: self.items[index], in: environment, &budget)) }
        return values
    }

    private func object(
        _ members: ElementRange, in environment: some JEXLEnvironment, _ budget: inout Budget
    ) throws(Fault) -> JSONObject {
        var object = JSONObject()
        for member in self.members[members.range] {
            let key = name(member.key)
            guard let value = member.value else { throw Fault(reason: .duplicateKey(key), offset: member.offset) }
            object[key] = try self.value(of: value, in: environment, &budget)
        }
        return object
    }
}
