public import BellwetherJSON

/// An expression that is parsed once and evaluated any number of times. It shares the segments that it names with other
/// expressions (docs/decisions/0141-expressions-share-the-compiled-segments-that-they-read.md).
public struct CompiledExpression: Sendable {
    private final class Contents: Sendable {
        let source: String
        let tree: Tree
        let eventComparison: EventComparison?
        let identifiers: [String]
        let transforms: [String]
        let events: [String]
        let timedEvents: [String]
        let usesEventQueries: Bool
        let nesting: Int
        let depth: Int

        init(_ source: String, _ limits: JEXLLimits, _ scope: AudienceScope) throws(JEXLError) {
            var parser = try Parser(source, limits, scope)
            tree = try parser.tree()
            eventComparison = EventComparison(tree)
            self.source = source
            identifiers = parser.builder.identifiers.names
            transforms = parser.builder.transforms.names
            events = parser.builder.events.names
            timedEvents = parser.builder.timedEvents.names
            usesEventQueries =
                transforms.contains { EventQuery.Kind(rawValue: $0) != nil }
                || tree.segments.contains { $0.expression.usesEventQueries }
            nesting = parser.nesting
            depth = 1 + (tree.segments.map(\.expression.depth).max() ?? 0)
        }
    }

    private let contents: Contents

    /// Throws the errors `parse` and `limit`. Other errors occur only during evaluation.
    ///
    /// - Parameter scope: the segments that the expression can read.
    public init(
        _ source: String, limits: JEXLLimits = .standard, in scope: AudienceScope = .none
    ) throws(JEXLError) {
        contents = try Contents(source, limits, scope)
    }

    public var source: String { contents.source }
    /// The distinct top-level identifiers that the expression may read, in the order of the text; after them those of
    /// its segments.
    public var identifiers: [String] { names(\.identifiers) }
    /// The distinct names of the transforms that the expression may call, known or unknown.
    public var transforms: [String] { names(\.transforms) }
    /// The distinct names of events that its queries contain as literals.
    public var events: [String] { names(\.events) }
    /// Those of the events whose newest times the expression compares.
    public var timedEvents: [String] { names(\.timedEvents) }
    /// The names of the segments in force that it reads, directly or within others, in byte order.
    public var segments: [String] { parts.dropFirst().map(\.name).sorted() }
    /// Whether the expression has event queries, also with computed names.
    public var usesEventQueries: Bool { contents.usesEventQueries }
    /// The brackets that are open at once, segments included.
    var nesting: Int { contents.nesting }
    /// The number of expressions that contain one another: 1 without a segment.
    var depth: Int { contents.depth }

    /// The expression, with an empty name, and the segments that it reads, each once.
    var parts: [(name: String, expression: CompiledExpression)] {
        var parts = [(name: "", expression: self)]
        var known: Set<String> = []
        var next = 0
        while next < parts.count {
            parts += parts[next].expression.tree.segments.filter { known.insert($0.name).inserted }
            next += 1
        }
        return parts
    }

    private func names(_ own: (Contents) -> [String]) -> [String] {
        guard !tree.segments.isEmpty else { return own(contents) }
        var names = DistinctNames()
        for part in parts { for name in own(part.expression.contents) { names.insert(name) } }
        return names.names
    }

    /// The names after a word: those of segments that are not in force, of lists, or of facts.
    public func names(after word: AudienceScope.Word) -> [String] {
        identifiers.compactMap { AudienceScope.parts(of: $0) }.filter { $0.word == word }.map(\.name)
    }

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
