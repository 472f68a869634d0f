public import BellwetherJSON

/// The smallest part of an expression that prevents the wanted truth value.
public struct FailingLeaf: Sendable, Hashable {
    /// The expression as it is written.
    public let expression: String
    /// The values that it reads, each once, in the order of the text: attributes, and event queries as they are
    /// written. Nil means undefined.
    public let values: [Reading]
    /// The error, if the part has no value.
    public let error: JEXLError?

    public init(expression: String, values: [Reading], error: JEXLError?) {
        self.expression = expression
        self.values = values
        self.error = error
    }

    public struct Reading: Sendable, Hashable {
        public let name: String
        public let value: JSONValue?

        public init(name: String, value: JSONValue?) {
            self.name = name
            self.value = value
        }
    }
}

extension CompiledExpression {
    /// The parts that prevent an expression from being `wanted`, in the order of the text; empty if it is.
    ///
    /// In `a && b` these are the sides that are not true. In `a || b` they are both sides, because one true side would
    /// be enough.
    public func failingLeaves(in environment: some JEXLEnvironment, wanted: Bool = true) -> [FailingLeaf] {
        if let isTrue = try? isTrue(in: environment), isTrue == wanted { return [] }
        var blame = Blame(tree: tree, text: SourceText(source), environment: environment)
        blame.look(at: tree.root, wanted: wanted)
        return blame.leaves
    }
}

/// Descends to the parts that decide.
private struct Blame<Environment: JEXLEnvironment> {
    /// The maximum number of leaves that are reported.
    static var maximumLeaves: Int { 32 }
    /// A longer chain is reported as a whole.
    static var maximumSteps: Int { 256 }

    let tree: Tree
    let text: SourceText
    let environment: Environment
    private(set) var leaves: [FailingLeaf] = []

    init(tree: Tree, text: SourceText, environment: Environment) {
        self.tree = tree
        self.text = text
        self.environment = environment
    }

    mutating func look(at index: NodeIndex, wanted: Bool) {
        guard case .chain(let first, let steps) = tree.nodes[Int(index)].kind else {
            return add(index, ElementRange.none)
        }
        look(at: first, steps, wanted: wanted)
    }

    private mutating func look(at first: NodeIndex, _ steps: ElementRange, wanted: Bool) {
        guard steps.count > 0, steps.count <= Self.maximumSteps else { return add(first, steps) }
        let before = steps.dropLast
        switch tree.steps[steps.range.upperBound - 1].action {
        case .operation(.and, let right), .operation(.or, let right):
            let (left, other) = (outcome(first, before), outcome(right))
            let count = leaves.count
            if left.isInNeed(of: wanted) { look(at: first, before, wanted: wanted) }
            if other.isInNeed(of: wanted) { look(at: right, wanted: wanted) }
            // This is a side that is truthy, but not true.
            if leaves.count == count { add(first, steps) }
        case .conditional(let then, let otherwise):
            let isTruthy = (try? outcome(first, before).get())?.isTruthy ?? false
            let arm = isTruthy ? then : otherwise
            if case .constant = tree.nodes[Int(arm)].kind {
                look(at: first, before, wanted: !isTruthy)
            } else {
                look(at: arm, wanted: wanted)
            }
        default: add(first, steps)
        }
    }

    private func outcome(_ index: NodeIndex) -> Result<JSONValue, Fault> { outcome(index, .none) }

    private func outcome(_ first: NodeIndex, _ steps: ElementRange) -> Result<JSONValue, Fault> {
        var budget = Budget(.standard)
        return Result { () throws(Fault) in
            guard steps.count > 0 else { return try tree.value(of: first, in: environment, &budget) }
            return try tree.value(of: first, steps, in: environment, &budget)
        }
    }

    private mutating func add(_ first: NodeIndex, _ steps: ElementRange) {
        guard leaves.count < Self.maximumLeaves else { return }
        var readings = Readings(tree: tree, text: text, environment: environment)
        readings.read(first)
        for step in tree.steps[steps.range] { readings.read(step) }
        var error: JEXLError?
        if case .failure(let fault) = outcome(first, steps) { error = fault.error }
        let leaf = FailingLeaf(
            expression: text.text(of: tree.nodes[Int(first)], tree.steps[steps.range]), values: readings.values,
            error: error)
        if !leaves.contains(leaf) { leaves.append(leaf) }
    }
}

extension Result<JSONValue, Fault> {
    /// Whether the outcome must change to become `wanted`.
    fileprivate func isInNeed(of wanted: Bool) -> Bool {
        switch self {
        case .success(let value): value.isTruthy != wanted
        case .failure: true
        }
    }
}

extension ElementRange {
    fileprivate static let none = ElementRange(start: 0, count: 0)

    fileprivate var dropLast: ElementRange { ElementRange(start: start, count: count - 1) }
}
