import BellwetherAuthoring
internal import BellwetherJSON
internal import JEXL

/// Any text as an expression: it gives a value or an error, and the same one twice. A byte 1 separates the expression
/// and its context.
public enum JEXLCheck: FuzzCheck {
    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        let parts = bytes.split(separator: 1, maxSplits: 1, omittingEmptySubsequences: false)
        let source = String(decoding: parts.first ?? [], as: UTF8.self)
        let context = parts.count > 1 ? (try? JSONValue(parsing: parts[1]))?.object : nil
        try compareHalves(of: source)
        let compiled: CompiledExpression
        do {
            compiled = try CompiledExpression(source)
        } catch {
            let isInside = (0...source.utf8.count).contains(error.offset ?? 0)
            try require(error.kind == .parse || error.kind == .limit, "it does not compile for \(error.kind)")
            try require(isInside, "an error outside of the text: \(error)")
            return .refused
        }
        try use(compiled, in: FuzzEnvironment(context: context ?? FuzzEnvironment.usual))
        return .taken
    }

    /// Compares the halves of the text as versions: the first must not be both before and after the second.
    private static func compareHalves(of source: String) throws(Violation) {
        let half = source.utf8.count / 2
        let first = String(decoding: source.utf8.prefix(half), as: UTF8.self)
        let second = String(decoding: source.utf8.dropFirst(half), as: UTF8.self)
        guard let order = try? VersionComparison.compare(first, second) else { return }
        try require((try? VersionComparison.compare(first, second)) == order, "compared twice, another order")
        try require((try? VersionComparison.compare(first, first)) == 0, "a version that is not itself")
    }

    private static func use(_ compiled: CompiledExpression, in environment: FuzzEnvironment) throws(Violation) {
        _ = (compiled.constant, compiled.comparisons, compiled.usesEventQueries)
        walk(compiled.root)
        let one = Result { () throws(JEXLError) in try compiled.evaluate(in: environment) }
        let other = Result { () throws(JEXLError) in try compiled.evaluate(in: environment) }
        try require(one == other, "evaluated twice, the outcome is another")
        if case .success(let value) = one {
            let back = try? JSONValue(parsing: value.encoded, limits: JSONLimits(depth: 1024))
            try require(back == value, "a value that is no JSON")
        }
        try judge(compiled, is: try? one.get(), in: environment)
    }

    /// Checks the static analysis of an expression against the result of its evaluation.
    private static func judge(
        _ expression: CompiledExpression, is value: JSONValue?, in environment: FuzzEnvironment
    ) throws(Violation) {
        let analysis = ExpressionAnalysis { _ in nil }
        try require(value != true || analysis.mayHold(all: [expression]), "true, and called never true")
        try require(value != false || analysis.mayHold(all: [], none: [expression]), "false, and called never false")
        let isAlways = analysis.isAlwaysTrue(expression)
        try require(!isAlways || value == nil || value == true, "not true, and called always true")
        for mistake in expression.typeMistakes({ _ in nil }) where mistake.kind == .notBoolean {
            try require(value?.bool == nil, "a boolean, and called none")
        }
        let isTrue = try? expression.isTrue(in: environment)
        for wanted in [true, false] {
            let leaves = expression.failingLeaves(in: environment, wanted: wanted)
            try require(leaves.isEmpty == (isTrue == wanted), "leaves where nothing fails, or none")
            for leaf in leaves {
                try require((try? CompiledExpression(leaf.expression)) != nil, "a leaf that is no expression")
            }
        }
    }

    private static func walk(_ node: SyntaxNode) {
        guard case .chain(let first, let steps) = node.kind else { return }
        walk(first)
        for step in steps { if case .operation(_, let right) = step.kind { walk(right) } }
    }
}

private struct FuzzEnvironment: JEXLEnvironment {
    static let usual: JSONObject = [
        "a": 1, "b": 2.5, "s": "text", "n": nil, "xs": [1, 2.0, "a", ["a": 1]], "o": ["a": ["b": "c"]], "t": true,
    ]

    let context: JSONObject

    func value(of identifier: String) -> JSONValue? { context[identifier] }
    func result(of query: EventQuery) -> Double {
        guard case .buckets(_, let count, let start) = query.scope else { return 1 }
        return start > 5 ? .nan : Double(count)
    }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { text.reduce(0) { ($0 &* 31 &+ UInt64($1)) & 0xFFFF_FFFF_FFFF } }

    func transform(
        _ name: String, subject: JSONValue, arguments: [JSONValue]
    ) throws(TransformFailure) -> JSONValue? {
        switch name {
        case "id": return subject
        case "args": return .array([subject] + arguments)
        case "fail": throw TransformFailure(message: "asked to")
        default: return nil
        }
    }
}
