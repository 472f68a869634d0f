public import BellwetherJSON

/// An expression that is parsed once and evaluated any number of times.
public struct CompiledExpression: Sendable {
    private final class Contents: Sendable {
        let source: String
        let tree: Tree
        let eventComparison: EventComparison?
        let identifiers: [String]
        let transforms: [String]
        let events: [String]
        let timedEvents: [String]
        let segments: [String]

        init(_ source: String, _ limits: JEXLLimits, _ scope: AudienceScope) throws(JEXLError) {
            var parser = try Parser(source, limits, scope)
            tree = try parser.tree()
            eventComparison = EventComparison(tree)
            self.source = source
            identifiers = parser.builder.identifiers.names
            transforms = parser.builder.transforms.names
            events = parser.builder.events.names
            timedEvents = parser.builder.timedEvents.names
            segments = parser.segments.keys.sorted()
        }
    }

    private let contents: Contents

    /// Throws the errors `parse` and `limit`. Other errors occur only during evaluation.
    ///
    /// - Parameter scope: the segments that are put in.
    public init(
        _ source: String, limits: JEXLLimits = .standard, in scope: AudienceScope = .none
    ) throws(JEXLError) {
        contents = try Contents(source, limits, scope)
    }

    public var source: String { contents.source }
    /// The distinct top-level identifiers that the expression may read, in the order of the text.
    public var identifiers: [String] { contents.identifiers }
    /// The distinct names of the transforms that the expression may call, known or unknown.
    public var transforms: [String] { contents.transforms }
    /// The distinct names of events that its queries contain as literals.
    public var events: [String] { contents.events }
    /// Those of the events whose newest times the expression compares.
    public var timedEvents: [String] { contents.timedEvents }
    /// The names of the segments that were put in, in byte order.
    public var segments: [String] { contents.segments }
    /// Whether the expression has event queries, also with computed names.
    public var usesEventQueries: Bool { transforms.contains { EventQuery.Kind(rawValue: $0) != nil } }

    package var tree: Tree { contents.tree }

    /// The value of the whole expression, of any type.
    public func evaluate(
        in environment: some JEXLEnvironment, limits: JEXLLimits = .standard
    ) throws(JEXLError) -> JSONValue {
        var budget = Budget(limits)
        return try value(in: environment, &budget)
    }

    private func value(in environment: some JEXLEnvironment, _ budget: inout Budget) throws(JEXLError) -> JSONValue {
        do {
            return try tree.value(of: tree.root, in: environment, &budget)
        } catch {
            throw error.error
        }
    }

    /// The value for triggers and targeting. It must be a boolean; truthiness does not count
    /// (docs/reference/expressions.md#boolean-evaluation).
    public func isTrue(
        in environment: some JEXLEnvironment, limits: JEXLLimits = .standard
    ) throws(JEXLError) -> Bool {
        if let isTrue = contents.eventComparison?.holds(in: environment, limits) { return isTrue }
        return try Self.truth(of: try evaluate(in: environment, limits: limits))
    }

    /// The same, with steps that several evaluations share. It subtracts the steps that it uses.
    public func isTrue(in environment: some JEXLEnvironment, steps: inout Int) throws(JEXLError) -> Bool {
        var budget = Budget(JEXLLimits(steps: steps))
        defer { steps = budget.stepsLeft }
        return try Self.truth(of: try value(in: environment, &budget))
    }

    private static func truth(of value: JSONValue) throws(JEXLError) -> Bool {
        guard case .bool(let isTrue) = value else {
            throw JEXLError(
                kind: .notBoolean, message: "the result must be true or false, not \(value.typeName)", offset: nil)
        }
        return isTrue
    }
}

extension CompiledExpression {
    /// The value, or the error, of a constant expression. Its evaluation reads no identifier, event or bucket, and
    /// calls no transform of the environment. Nil for any other expression.
    public var constant: Result<JSONValue, JEXLError>? {
        let probe = Probe()
        let result: Result<JSONValue, JEXLError>
        do {
            result = .success(try evaluate(in: probe))
        } catch {
            result = .failure(error)
        }
        return probe.wasAsked ? nil : result
    }

    /// An environment without any facts. It records whether it was queried.
    private final class Probe: JEXLEnvironment {
        private(set) var wasAsked = false

        func value(of identifier: String) -> JSONValue? {
            wasAsked = true
            return nil
        }

        func result(of query: EventQuery) -> Double {
            wasAsked = true
            return 0
        }

        func hash48(ofJSON text: [UInt8]) -> UInt64 {
            wasAsked = true
            return 0
        }

        func transform(
            _ name: String, subject: JSONValue, arguments: [JSONValue]
        ) throws(TransformFailure) -> JSONValue? {
            wasAsked = true
            return nil
        }
    }
}
