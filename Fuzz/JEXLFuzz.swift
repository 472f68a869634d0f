import BellwetherJSON
import JEXL

/// Any text: a value or an error, and the same twice. A byte 1 stands between the expression and its context.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJEXL(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 1, maxSplits: 1, omittingEmptySubsequences: false)
    let source = String(decoding: parts.first ?? [], as: UTF8.self)
    let context = parts.count > 1 ? (try? JSONValue(parsing: parts[1]))?.object : nil
    let environment = FuzzEnvironment(context: context ?? FuzzEnvironment.usual)
    do {
        let compiled = try CompiledExpression(source)
        _ = (compiled.constant, compiled.comparisons, compiled.usesEventQueries)
        walk(compiled.root)
        let one = Result { () throws(JEXLError) in try compiled.evaluate(in: environment) }
        let other = Result { () throws(JEXLError) in try compiled.evaluate(in: environment) }
        guard one == other else { fatalError("evaluated twice, the outcome is another") }
        if case .success(let value) = one {
            guard let back = try? JSONValue(parsing: value.encoded, limits: JSONLimits(depth: 1024)), back == value
            else {
                fatalError("a value that is no JSON")
            }
        }
        check(compiled, is: try? one.get(), in: environment)
    } catch {
        guard error.kind == .parse || error.kind == .limit, (0...source.utf8.count).contains(error.offset ?? 0) else {
            fatalError("a compilation failed in a way it should not")
        }
    }
    let half = source.utf8.count / 2
    _ = try? VersionComparison.compare(
        String(decoding: source.utf8.prefix(half), as: UTF8.self),
        String(decoding: source.utf8.dropFirst(half), as: UTF8.self))
    return 0
}

/// What is said of an expression without evaluating it must hold when it is.
private func check(_ expression: CompiledExpression, is value: JSONValue?, in environment: FuzzEnvironment) {
    let analysis = ExpressionAnalysis { _ in nil }
    if !analysis.mayHold(all: [expression]), value == true { fatalError("true, and called never true") }
    if !analysis.mayHold(all: [], none: [expression]), value == false { fatalError("false, and called never false") }
    if analysis.isAlwaysTrue(expression), let value, value != true { fatalError("not true, and called always true") }
    for mistake in expression.typeMistakes({ _ in nil }) where mistake.kind == .notBoolean {
        if value?.bool != nil { fatalError("a boolean, and called none") }
    }
    let isTrue = try? expression.isTrue(in: environment)
    for wanted in [true, false] {
        let leaves = expression.failingLeaves(in: environment, wanted: wanted)
        guard leaves.isEmpty == (isTrue == wanted) else { fatalError("leaves where nothing fails, or none") }
        for leaf in leaves where (try? CompiledExpression(leaf.expression)) == nil {
            fatalError("a leaf that is no expression")
        }
    }
}

private func walk(_ node: SyntaxNode) {
    guard case .chain(let first, let steps) = node.kind else { return }
    walk(first)
    for step in steps { if case .operation(_, let right) = step.kind { walk(right) } }
}

private struct FuzzEnvironment: JEXLEnvironment {
    static let usual: JSONObject = [
        "a": 1, "b": 2.5, "s": "text", "n": nil, "xs": [1, 2.0, "a", ["a": 1]], "o": ["a": ["b": "c"]], "t": true,
    ]

    let context: JSONObject

    func value(of identifier: String) -> JSONValue? { context[identifier] }
    func result(of query: EventQuery) -> Double { query.start > 5 ? .nan : Double(query.count) }
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
