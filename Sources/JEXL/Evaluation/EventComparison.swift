import BellwetherJSON

/// The most frequent trigger: an event query compared with a number. It is evaluated without creating JSON values.
struct EventComparison: Sendable {
    private let query: EventQuery
    private let sign: Operator
    private let bound: Double

    /// The number of steps that general evaluation would count.
    private static let steps = 3

    /// Creates the comparison; nil if the whole expression has another form.
    init?(_ tree: Tree) {
        guard case .chain(let first, let run) = tree.nodes[Int(tree.root)].kind, run.count == 1,
            case .eventQuery(let number) = tree.nodes[Int(first)].kind,
            case .operation(let sign, let right) = tree.steps[Int(run.start)].action,
            [.less, .greater, .lessOrEqual, .greaterOrEqual].contains(sign),
            case .constant(let constant) = tree.nodes[Int(right)].kind,
            let bound = tree.constants[Int(constant)].double
        else { return nil }
        query = tree.queries[Int(number)]
        guard !query.kind.isBoolean else { return nil }
        self.sign = sign
        self.bound = bound
    }

    /// The result; nil if general evaluation must decide: the value is not a number, too few steps are left, or there
    /// are no transforms.
    func holds(in environment: some JEXLEnvironment, _ limits: JEXLLimits) -> Bool? {
        guard limits.steps >= Self.steps, environment.registersTransforms else { return nil }
        let value = environment.result(of: query)
        guard value.isFinite else { return nil }
        return switch sign {
        case .less: value < bound
        case .greater: value > bound
        case .lessOrEqual: value <= bound
        default: value >= bound
        }
    }
}
