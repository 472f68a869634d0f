internal import BellwetherJSON

/// What can be told of an expression's truth where not everything it asks is known.
public enum PartialTruth: Sendable, Hashable {
    case holds
    case fails
    /// An error, or a value that is no boolean.
    case failed
    /// It depends on what is not known.
    case unknown
}

/// A world of which some things are not known.
public protocol PartialEnvironment: JEXLEnvironment {
    /// How often it was asked what it does not know. The answers that it gave then are of no account.
    var unanswered: Int { get }
}

extension CompiledExpression {
    /// The truth as far as it is known: a part that asks what is not known may be true or false, and `&&`, `||` and `?:`
    /// make of it what they make of either. Elsewhere it makes unknown what it is a part of.
    ///
    /// What is not known counts as a boolean, never as an error.
    public func truth(in environment: some PartialEnvironment, limits: JEXLLimits = .standard) -> PartialTruth {
        var budget = Budget(limits)
        switch tree.partialValue(of: tree.root, in: environment, &budget) {
        case .known(.bool(let value)): return value ? .holds : .fails
        case .known, .fault: return .failed
        case .unknown: return .unknown
        }
    }
}

/// A value that may not be known.
enum PartialValue {
    case known(JSONValue)
    case fault
    case unknown

    /// Whether `&&` goes on from it and `||` ends with it; nil: either.
    var isTruthy: Bool? {
        switch self {
        case .known(let value): value.isTruthy
        case .fault: false
        case .unknown: nil
        }
    }
}

extension Tree {
    /// Recursion is bounded by the parser's depth, for only brackets nest.
    func partialValue(
        of index: NodeIndex, in environment: some PartialEnvironment, _ budget: inout Budget
    ) -> PartialValue {
        guard case .chain(let first, let steps) = nodes[Int(index)].kind,
            let logical = steps.range.first(where: { self.steps[$0].isLogical })
        else { return wholeValue(environment) { (tree) throws(Fault) in
            try tree.value(of: index, in: environment, &budget)
        } }
        let front = Run(start: steps.start, count: Int32(logical) - steps.start)
        var value =
            front.count == 0
            ? partialValue(of: first, in: environment, &budget)
            : wholeValue(environment) { (tree) throws(Fault) in
                try tree.value(of: first, front, in: environment, &budget)
            }
        for place in logical..<steps.range.upperBound {
            value = partialValue(of: self.steps[place], on: value, in: environment, &budget)
        }
        return value
    }

    private func partialValue(
        of step: Step, on left: PartialValue, in environment: some PartialEnvironment, _ budget: inout Budget
    ) -> PartialValue {
        switch step.action {
        case .operation(.or, let right):
            if left.isTruthy == true { return left }
            let right = partialValue(of: right, in: environment, &budget)
            guard left.isTruthy == nil, case .known(.bool(true)) = right else {
                return left.isTruthy == false ? right : .unknown
            }
            return right
        case .operation(.and, let right):
            if left.isTruthy == false { return left }
            let right = partialValue(of: right, in: environment, &budget)
            guard left.isTruthy == nil, case .known(.bool(false)) = right else {
                return left.isTruthy == true ? right : .unknown
            }
            return right
        case .conditional(let then, let otherwise):
            if let isTruthy = left.isTruthy {
                return partialValue(of: isTruthy ? then : otherwise, in: environment, &budget)
            }
            let branches = [then, otherwise].map { partialValue(of: $0, in: environment, &budget) }
            if case .known(let one) = branches[0], case .known(let other) = branches[1], one == other {
                return branches[0]
            }
            return .unknown
        default:
            guard case .known(let subject) = left else { return left }
            return wholeValue(environment) { (tree) throws(Fault) in
                try tree.value(of: step, on: subject, in: environment, &budget)
            }
        }
    }

    /// What needs all its parts to be known.
    private func wholeValue(
        _ environment: some PartialEnvironment, _ value: (Tree) throws(Fault) -> JSONValue
    ) -> PartialValue {
        let before = environment.unanswered
        let result: PartialValue
        do throws(Fault) {
            result = .known(try value(self))
        } catch {
            result = .fault
        }
        return environment.unanswered == before ? result : .unknown
    }
}

extension Step {
    fileprivate var isLogical: Bool {
        switch action {
        case .operation(.or, _), .operation(.and, _), .conditional: true
        default: false
        }
    }
}
