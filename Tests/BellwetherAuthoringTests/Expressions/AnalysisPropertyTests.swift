import BellwetherAuthoring
import BellwetherBase
import BellwetherJSON
import JEXL
import TestSupport
import Testing

/// No context contradicts an expression that is called never or always true.
@Suite struct AnalysisPropertyTests {
    private static let rounds = Trials.count(250, many: 500)
    private static let contextsEach = 60

    @Test func nothingThatIsCalledNeverOrAlwaysTrueIsOtherwise() throws {
        var random = RandomExpressions(generator: SeededGenerator(seed: 4))
        var told = (never: 0, always: 0, types: 0)
        for _ in 0..<Self.rounds {
            let text = random.expression(depth: 3)
            let expression = try CompiledExpression(text)
            let analysis = ExpressionAnalysis { TypeMistakeTests.types[$0] }
            let isNever = !analysis.mayHold(all: [expression])
            let isAlways = analysis.isAlwaysTrue(expression)
            let isNoBoolean = expression.typeMistakes { TypeMistakeTests.types[$0] }.contains { $0.kind == .notBoolean }
            guard isNever || isAlways || isNoBoolean else { continue }
            told.never += isNever ? 1 : 0
            told.always += isAlways ? 1 : 0
            told.types += isNoBoolean ? 1 : 0
            for _ in 0..<Self.contextsEach {
                let context = random.context()
                guard let value = try? expression.evaluate(in: context) else { continue }
                if isNever { #expect(value != true, "\(text) in \(context.context)") }
                if isAlways { #expect(value == true, "\(text) in \(context.context)") }
                if isNoBoolean { #expect(value.bool == nil, "\(text) in \(context.context)") }
            }
        }
        // The property means nothing if the analysis hardly ever has a result.
        #expect(told.never > Trials.count(15, many: 30), "\(told)")
        #expect(told.always > Trials.count(2, many: 5) && told.types > Trials.count(0, many: 3), "\(told)")
    }

    @Test func listsThatAreCalledImpossibleAre() throws {
        var random = RandomExpressions(generator: SeededGenerator(seed: 5))
        var told = 0
        for _ in 0..<Self.rounds {
            let all = try (0..<2).map { _ in try CompiledExpression(random.expression(depth: 1)) }
            let none = [try CompiledExpression(random.expression(depth: 1))]
            let analysis = ExpressionAnalysis { TypeMistakeTests.types[$0] }
            guard !analysis.mayHold(all: all, none: none) else { continue }
            told += 1
            for _ in 0..<Self.contextsEach {
                let context = random.context()
                let holds = all.allSatisfy { (try? $0.isTrue(in: context)) == true }
                let excludes = none.contains { (try? $0.isTrue(in: context)) != false }
                #expect(!holds || excludes, "\(all.map(\.source)) \(none.map(\.source)) in \(context.context)")
            }
        }
        #expect(told > Trials.count(15, many: 30), "\(told)")
    }

    @Test func leavesAreThereExactlyWhereSomethingIsInTheWay() throws {
        var random = RandomExpressions(generator: SeededGenerator(seed: 6))
        for _ in 0..<Self.rounds {
            let expression = try CompiledExpression(random.expression(depth: 3))
            let context = random.context()
            let value = try? expression.isTrue(in: context)
            for wanted in [true, false] {
                let leaves = expression.failingLeaves(in: context, wanted: wanted)
                #expect(leaves.isEmpty == (value == wanted), "\(expression.source)")
                // Each leaf is a complete expression and a part of the text.
                for leaf in leaves {
                    #expect(throws: Never.self, "\(leaf.expression)") { try CompiledExpression(leaf.expression) }
                    #expect(expression.source.contains(leaf.expression))
                }
            }
        }
    }
}

/// Expressions and contexts over few names and few values, so that they interact.
struct RandomExpressions {
    var generator: SeededGenerator

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    mutating func expression(depth: Int) -> String {
        guard depth > 0, Int.random(in: 0..<5, using: &generator) > 0 else { return comparison() }
        let left = expression(depth: depth - 1)
        let right = expression(depth: depth - 1)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4: return "\(group(left)) && \(group(right))"
        case 4..<8: return "\(group(left)) || \(group(right))"
        case 8: return "(\(left)) ? (\(right)) : (\(expression(depth: depth - 1)))"
        default: return "(\(left)) == \(pick(["true", "false", "(\(right))"]))"
        }
    }

    private mutating func group(_ text: String) -> String { pick([text, "(\(text))"]) }

    private mutating func comparison() -> String {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return pick(["beta", "true", "false", "age", "city", "unknown", "null"])
        case 1: return "\(pick(["'a'", "'ab'", "''", "1", "'b'"])) in \(pick(["city", "tags", "unknown", "device"]))"
        case 2: return "\(pick(["city", "age", "unknown"])) in \(pick(["['a', 'ab', 1]", "[1, 2]", "'abc'", "{a: 1}"]))"
        case 3 where Bool.random(using: &generator): return "'e'|eventAgo(\(pick(["1", "2"])))"
        case 3: return "'e'|eventSum('Days', \(pick(["1", "2"]))) \(sign()) \(pick(["0", "1", "2"]))"
        case 4:
            return "city|versionCompare('\(pick(["1", "1.5", "2.!", "2.*"]))') \(sign()) \(pick(["0", "1", "(0 - 1)"]))"
        case 5: return "\(pick(["age + 1", "device.a", "tags[0]", "age % 2", "tags[.a == 1]"])) \(sign()) \(literal())"
        case 6: return "\(literal()) \(sign()) \(name())"
        case 7: return "\(name()) \(sign()) \(name())"
        case 8: return "tags == \(pick(["[]", "['a']", "[1]"]))"
        default: return "\(name()) \(sign()) \(literal())"
        }
    }

    private mutating func name() -> String { pick(["age", "age", "city", "beta", "unknown"]) }
    private mutating func sign() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

    private mutating func literal() -> String {
        pick(["0", "1", "2", "1.5", "1.0000005", "''", "'a'", "'ab'", "'b'", "true", "false", "null"])
    }

    /// Some attributes are missing or null; the others have their declared types.
    mutating func context() -> RandomContext {
        var context: JSONObject = [:]
        let numbers: [JSONValue] = [0, 1, 2, 3, -1, 0.0, 1.0, 1.5, 2.0, 1.0000005, 0.9999995, 1e17]
        let texts: [JSONValue] = ["", "a", "ab", "b", "abc", "aa", "xaby", "1", "1.5.2", "2", "2.0b1", "1000", "é"]
        let values: [(String, [JSONValue])] = [
            ("age", numbers), ("city", texts), ("beta", [true, false]),
            ("tags", [[], ["a"], ["a", "ab"], [1], [1.0], ["b", 2], [["a": 1], ["a": 1.0]]]),
            ("device", [[:], ["a": 1], ["a": "x", "ab": nil], ["b": 2.0]]),
            ("unknown", numbers + texts + [true, [1], [:]]),
        ]
        for (name, values) in values {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: break
            case 1: context[name] = .some(.null)
            default: context[name] = pick(values)
            }
        }
        let counts: [Double] = [0, 1, 2, 1.5, 3, .infinity]
        let (one, two) = (pick(counts), pick(counts))
        return RandomContext(
            context: context,
            results: { if case .buckets(_, count: 1, _) = $0.scope { one } else { two } })
    }
}

/// A context, and events with fixed results.
struct RandomContext: JEXLEnvironment {
    let context: JSONObject
    let results: @Sendable (EventQuery) -> Double

    func value(of identifier: String) -> JSONValue? { context[identifier] }
    func result(of query: EventQuery) -> Double { results(query) }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}
