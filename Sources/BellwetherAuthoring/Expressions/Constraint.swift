import BellwetherJSON
internal import JEXL

/// A requirement on a part of an expression.
enum Demand {
    case isTrue
    case isFalse
    /// The value is truthy, without an error.
    case isTruthy
    /// The value is falsy, or an error.
    case isNotTruthy
    /// There is a value, but it is not true.
    case isOtherThanTrue

    /// Whether a value meets the demand. Nil is an error.
    func isMet(by value: JSONValue?) -> Bool {
        switch self {
        case .isTrue: value == .bool(true)
        case .isFalse: value == .bool(false)
        case .isTruthy: value?.isTruthy ?? false
        case .isNotTruthy: !(value?.isTruthy ?? false)
        case .isOtherThanTrue: value != nil && value != .bool(true)
        }
    }
}

/// A demand on a part of the abstraction.
struct Constraint {
    let part: NodeIndex
    let demand: Demand
    let unknowns: Set<Int>
    /// The effort of one evaluation: 1 for about sixteen nodes.
    let weight: Int
}

extension Abstraction {
    /// The conditions that must all hold so that an expression meets the demand. `a && b` is true only if `a` is truthy
    /// and `b` is true. `a || b` is false only if `a` is not truthy and `b` is false.
    mutating func constraints(_ demand: Demand, on index: NodeIndex, of tree: Tree) -> [Constraint] {
        guard case .chain(let first, let run) = tree.nodes[Int(index)].kind else {
            return [constraint(demand) { $0.part(index, of: tree) }]
        }
        var steps = tree.steps[run.range]
        var demand = demand
        var constraints: [Constraint] = []
        while let last = steps.last, let (right, earlier) = demand.split(last) {
            constraints += self.constraints(demand, on: right, of: tree)
            demand = earlier
            steps = steps.dropLast()
        }
        return [constraint(demand) { $0.part(first, steps, of: tree) }] + constraints
    }

    private mutating func constraint(_ demand: Demand, _ build: (inout Abstraction) -> Part) -> Constraint {
        let before = builder.nodes.count
        let part = build(&self)
        return Constraint(
            part: close(part), demand: demand, unknowns: part.unknowns,
            weight: 1 + (builder.nodes.count - before) / 16)
    }
}

extension Demand {
    /// The right side of a step, to which the same demand applies, and the demand on all parts before the step.
    fileprivate func split(_ step: Step) -> (right: NodeIndex, earlier: Demand)? {
        switch (self, step.action) {
        case (.isTrue, .operation(.and, let right)), (.isTruthy, .operation(.and, let right)): (right, .isTruthy)
        case (.isFalse, .operation(.or, let right)), (.isNotTruthy, .operation(.or, let right)):
            (right, .isNotTruthy)
        default: nil
        }
    }
}
