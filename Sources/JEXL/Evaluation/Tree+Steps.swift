import BellwetherJSON

extension Tree {
    /// Applies a step that is not lazy to the value on its left.
    func value(
        of step: Step, on subject: JSONValue, in environment: some JEXLEnvironment, _ budget: inout Budget
    ) throws(Fault) -> JSONValue {
        switch step.action {
        case .operation(let binary, let right):
            let right = try value(of: right, in: environment, &budget)
            return try binary.result(subject, right, &budget, at: step.offset)
        case .property(let name):
            try budget.spend(at: step.offset)
            return subject.member(self.name(name))
        case .index(let index):
            return try subject.item(try value(of: index, in: environment, &budget), at: step.offset)
        case .filter(let name, let binary, let right):
            guard case .array(let items) = subject else {
                throw Fault(reason: .filterSubject(subject.typeName), offset: step.offset)
            }
            let filter = Filter(
                member: self.name(name), binary: binary, right: try value(of: right, in: environment, &budget),
                offset: step.offset)
            return .array(try filter.kept(items, &budget))
        case .call(let transform, let name, let arguments):
            let arguments = try values(of: arguments, in: environment, &budget)
            let call = Call(transform: transform, name: self.name(name), subject: subject, arguments: arguments)
            return try call.value(in: environment, &budget, at: step.offset)
        case .conditional(let then, let otherwise):
            return try value(of: subject.isTruthy ? then : otherwise, in: environment, &budget)
        }
    }
}

/// The filter `[.member OP right]`.
private struct Filter {
    let member: String
    let binary: Operator
    let right: JSONValue
    let offset: Int32

    /// The items for which the comparison is true. An item whose comparison is an error is dropped.
    func kept(_ items: [JSONValue], _ budget: inout Budget) throws(Fault) -> [JSONValue] {
        var kept: [JSONValue] = []
        for item in items {
            try budget.spend(at: offset)
            do throws(Fault) {
                if try binary.result(item.member(member), right, &budget, at: offset).isTruthy { kept.append(item) }
            } catch  where error.isOutOfSteps {
                throw error
            } catch {}
        }
        return kept
    }
}

extension JSONValue {
    /// A number; null if it is not finite.
    static func finite(_ number: Double) -> JSONValue { number.isFinite ? .number(number) : .null }

    /// Whether the value is truthy. null, false, 0 and the empty string are falsy; arrays and objects never are.
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .integer(let value): value != 0
        case .unsigned(let value): value != 0
        case .number(let value): value != 0
        case .string(let value): !value.isEmpty
        case .array, .object: true
        }
    }

    /// The member of an object; null if there is none, or if the value is no object.
    func member(_ name: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The subscript of a value: a number, rounded down, for an array; a key for an object.
    func item(_ index: JSONValue, at offset: Int32) throws(Fault) -> JSONValue {
        if case .string(let name) = index { return member(name) }
        guard let number = index.double else { throw Fault(reason: .indexType(index.typeName), offset: offset) }
        // Truncation is enough here, because a negative number becomes 0.
        let position = Int(saturating: number)
        guard case .array(let values) = self, position < values.count else { return .null }
        return values[position]
    }
}
