internal import BellwetherJSON

/// An expression's truth if some of the values that it reads are not known.
public enum PartialTruth: Sendable, Hashable {
    case holds
    case doesNotHold
    /// An error, or a value that is no boolean.
    case failed
    /// It is false or an error, depending on values that are not known.
    case neverHolds
    /// It depends on values that are not known.
    case unknown
}

/// An environment in which some values are not known.
public protocol PartialEnvironment: JEXLEnvironment {
    /// The number of queries for values that are not known. The results of such queries must not be used.
    var unanswered: Int { get }
}

extension CompiledExpression {
    /// The truth as far as it is known, whatever the unknown values are. `&&`, `||` and `?:` are known if one side
    /// alone decides. Any other part with an unknown value is unknown, and so is an evaluation that takes too many
    /// steps.
    public func truth(in environment: some PartialEnvironment, limits: JEXLLimits = .standard) -> PartialTruth {
        var budget = Budget(limits)
        let value = tree.partialValue(of: tree.root, in: environment, &budget)
        // Both sides of an unknown condition were evaluated. If both together exceed the budget, each one alone may
        // still be within it.
        if budget.isSpent { return .unknown }
        switch value {
        case .known(.bool(let value)): return value ? .holds : .doesNotHold
        case .known, .fault: return .failed
        case .notTrue: return .neverHolds
        case .unknown: return .unknown
        }
    }
}

/// A value that may not be known.
private enum PartialValue {
    case known(JSONValue)
    case fault
    /// Falsy or a fault.
    case notTrue
    case unknown(Kind)

    /// The possible values.
    enum Kind: Int {
        case trueOrFalse
        case trueFalseOrFault
        case anything
    }

    /// Whether `&&` continues after it and `||` ends with it; nil if both are possible.
    var isTruthy: Bool? {
        switch self {
        case .known(let value): value.isTruthy
        case .fault, .notTrue: false
        case .unknown: nil
        }
    }

    var kind: Kind {
        switch self {
        case .known(let value): value.bool == nil ? .anything : .trueOrFalse
        case .fault: .trueFalseOrFault
        case .notTrue: .anything
        case .unknown(let kind): kind
        }
    }

    /// The value if it is falsy.
    var falsy: PartialValue { kind == .trueOrFalse ? .known(.bool(false)) : .notTrue }

    /// One of two values. The condition that chooses between them is not known.
    func or(_ other: PartialValue) -> PartialValue {
        if case .known(let own) = self, case .known(let others) = other, own == others { return self }
        if isTruthy == false, other.isTruthy == false { return .notTrue }
        return .unknown(Kind(rawValue: max(kind.rawValue, other.kind.rawValue)) ?? .anything)
    }
}

extension Tree {
    /// Only brackets nest, so the parser's depth limits the recursion.
    fileprivate func partialValue(
        of index: NodeIndex, in environment: some PartialEnvironment, _ budget: inout Budget
    ) -> PartialValue {
        if case .segment(_, let place) = nodes[Int(index)].kind {
            let segment = segment(place)
            switch segment.partialValue(of: segment.root, in: environment, &budget) {
            case .known(let value): return value.bool == nil ? .fault : .known(value)
            case .unknown(.trueOrFalse): return .unknown(.trueOrFalse)
            case .unknown: return .unknown(.trueFalseOrFault)
            case let other: return other
            }
        }
        guard case .chain(let first, let steps) = nodes[Int(index)].kind else {
            return wholeValue(environment, .anything) { () throws(Fault) in
                try self.value(of: index, in: environment, &budget)
            }
        }
        let logical = steps.range.first { self.steps[$0].isLogical } ?? steps.range.upperBound
        let front = ElementRange(start: steps.start, count: Int32(logical) - steps.start)
        var value =
            front.count == 0
            ? partialValue(of: first, in: environment, &budget)
            : wholeValue(environment, kind(of: first, front)) { () throws(Fault) in
                try self.value(of: first, front, in: environment, &budget)
            }
        for stepIndex in logical..<steps.range.upperBound {
            value = partialValue(of: self.steps[stepIndex], on: value, in: environment, &budget)
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
            if left.isTruthy == false { return right }
            // If the left side is truthy, it is the value: true, unless it may be anything.
            return left.kind == .anything ? .unknown(.anything) : right.or(.known(.bool(true)))
        case .operation(.and, let right):
            if left.isTruthy == false { return left }
            let right = partialValue(of: right, in: environment, &budget)
            return left.isTruthy == true ? right : right.or(left.falsy)
        case .conditional(let then, let otherwise):
            if let isTruthy = left.isTruthy {
                return partialValue(of: isTruthy ? then : otherwise, in: environment, &budget)
            }
            let first = partialValue(of: then, in: environment, &budget)
            return first.or(partialValue(of: otherwise, in: environment, &budget))
        default:
            switch left {
            case .known(let subject):
                return wholeValue(environment, step.kind) { () throws(Fault) in
                    try self.value(of: step, on: subject, in: environment, &budget)
                }
            case .fault: return left
            case .notTrue, .unknown: return .unknown(step.kind)
            }
        }
    }

    /// The value of a node that is known only if all its parts are known.
    private func wholeValue(
        _ environment: some PartialEnvironment, _ kind: PartialValue.Kind, _ value: () throws(Fault) -> JSONValue
    ) -> PartialValue {
        let before = environment.unanswered
        let result: PartialValue
        do throws(Fault) {
            result = .known(try value())
        } catch {
            result = .fault
        }
        return environment.unanswered == before ? result : .unknown(kind)
    }

    /// The possible values of a chain. A count of events compared with a number is true or false. Any other comparison
    /// can be a fault, for example with an average over 0 intervals.
    private func kind(of first: NodeIndex, _ steps: ElementRange) -> PartialValue.Kind {
        guard let last = steps.range.last, case .operation(_, let right) = self.steps[last].action,
            self.steps[last].kind == .trueFalseOrFault
        else { return .anything }
        guard steps.count == 1, case .eventQuery(let query) = nodes[Int(first)].kind,
            [.eventSum, .eventCountNonZero, .eventLastSeen].contains(queries[Int(query)].kind),
            case .constant(let constant) = nodes[Int(right)].kind,
            constants[Int(constant)].double != nil
        else { return .trueFalseOrFault }
        return .trueOrFalse
    }
}

extension Step {
    fileprivate var isLogical: Bool {
        switch action {
        case .operation(.or, _), .operation(.and, _), .conditional: true
        default: false
        }
    }

    /// The possible results of the step, whatever its argument is.
    fileprivate var kind: PartialValue.Kind {
        guard case .operation(let binary, _) = action, binary.level == Operator.comparison else { return .anything }
        return .trueFalseOrFault
    }
}
