import BellwetherJSON
import Testing

@testable import JEXL

/// Segments, lists and answers in expressions (docs/reference/audiences.md#segments).
@Suite struct SegmentTests {
    private static let scope = AudienceScope(segments: [
        "gold": "plan == 'gold'", "both": "segment.gold && segment.active", "active": "'open'|eventSum('Days', 7) > 1",
        "odd": "n", "broken": "missing == 1", "wrong": "plan ==", "a": "segment.b", "b": "segment.a",
        "twice": "segment.gold && segment.gold || segment.gold",
    ])

    private func outcome(_ source: String, _ context: JSONObject = [:], _ scope: AudienceScope = scope) -> String {
        do throws(JEXLError) {
            let expression = try CompiledExpression(source, in: scope)
            return try expression.evaluate(in: TestEnvironment(context: context) { _ in 2 }).text
        } catch {
            return "ERR \(error.kind.rawValue)"
        }
    }

    @Test(arguments: [
        ("segment.gold", "true"), ("segment.gold == false", "false"), ("segment.both ? 1 : 2", "1.0"),
        ("segment.twice", "true"), ("segment.odd", "ERR notBoolean"), ("segment.broken", "ERR undefinedIdentifier"),
        ("segment.broken || segment.gold", "true"), ("segment.nowhere", "ERR undefinedIdentifier"),
        ("segment", "ERR undefinedIdentifier"), ("segment['gold']", "ERR undefinedIdentifier"),
        ("segment.gold.x", "ERR indexType"), ("list.vips", "ERR undefinedIdentifier"), ("segment.", "ERR parse"),
        ("segment.wrong", "ERR parse"), ("segment.a", "ERR limit"),
    ])
    func `A segment is its expression in parentheses`(_ source: String, _ wanted: String) {
        let result = outcome(source, ["plan": "gold", "n": 5])
        #expect(result == wanted || wanted == "ERR indexType" && result != "true", "\(result)")
    }

    @Test func `A declared attribute of that name stays one`() {
        let scope = AudienceScope(attributes: [.segment], segments: ["gold": "false"])
        #expect(outcome("segment.gold", ["segment": ["gold": "x"]], scope) == "\"x\"")
    }

    /// Nine segments deep, and many references to each.
    @Test func `The depth is bounded, and each segment is there once`() throws {
        func chain(_ depth: Int) -> AudienceScope {
            var segments = ["s\(depth)": "true"]
            for level in 1..<depth {
                segments["s\(level)"] = Array(repeating: "segment.s\(level + 1)", count: 50).joined(separator: " && ")
            }
            return AudienceScope(segments: segments)
        }
        #expect(outcome("segment.s1", [:], chain(9)) == "ERR limit")
        let expression = try CompiledExpression("segment.s1", in: chain(8))
        #expect(expression.identifiers.isEmpty)
        #expect(outcome("segment.s8", [:], chain(8)) == "true")
        #expect(expression.segments == (1...8).map { "s\($0)" })
    }

    /// Whatever number of expressions read a segment, its tree exists once.
    @Test func `Expressions share the segments that they read`() throws {
        let first = try CompiledExpression("segment.both && n > 1", in: Self.scope)
        let second = try CompiledExpression("segment.gold", in: Self.scope)
        let both = try #require(Self.scope.segment("both"))
        #expect(first.tree.segments.map { ObjectIdentifier($0.expression.tree) } == [ObjectIdentifier(both.tree)])
        #expect(second.tree.segment(0) === both.tree.segment(0))
        #expect(first.tree.nodes.count == (try CompiledExpression("x && n > 1")).tree.nodes.count)
        let same = AudienceScope(segments: Self.scope.segments, after: Self.scope)
        #expect(same.segment("both")?.tree === both.tree)
        let other = AudienceScope(segments: ["both": "true"], after: Self.scope)
        #expect(other.segment("both")?.tree !== both.tree && other.segment("gold") == nil)
    }

    /// Brackets count across segments, because the evaluation recurses through them.
    @Test func `The brackets of segments count together`() throws {
        func nested(_ inner: String, _ depth: Int) -> String {
            String(repeating: "(", count: depth) + inner + String(repeating: ")", count: depth)
        }
        var segments = ["s0": nested("n > 1", 60)]
        for level in 1..<6 { segments["s\(level)"] = nested("segment.s\(level - 1)", 60) }
        let scope = AudienceScope(segments: segments)
        #expect(outcome("segment.s3", ["n": 2], scope) == "true")
        #expect(outcome("segment.s4", ["n": 2], scope) == "ERR limit")
        #expect(outcome(nested("segment.s3", 16), ["n": 2], scope) == "true")
        #expect(outcome(nested("segment.s3", 17), ["n": 2], scope) == "ERR limit")
    }

    /// The length of a chain is no limit of the machine.
    @Test func `A long chain and a long circle are errors`() {
        var segments = ["s0": "segment.s4999"]
        for level in 1..<5000 { segments["s\(level)"] = "segment.s\(level - 1)" }
        #expect(outcome("segment.s100", [:], AudienceScope(segments: segments)) == "ERR limit")
        segments["s0"] = "true"
        let scope = AudienceScope(segments: segments)
        #expect(outcome("segment.s7", [:], scope) == "true" && outcome("segment.s8", [:], scope) == "ERR limit")
    }

    @Test func `An expression reads what its segments read`() throws {
        let expression = try CompiledExpression("segment.both && list.vips && answer.nps > 3", in: Self.scope)
        #expect(expression.identifiers == ["list.vips", "answer.nps", "plan"])
        #expect(expression.events == ["open"] && expression.usesEventQueries)
        let leaves = expression.failingLeaves(in: TestEnvironment(context: ["plan": "free"]) { _ in 2 })
        #expect(leaves.first?.expression == "segment.both")
        #expect(leaves.first?.values.map(\.name) == ["segment.both"])
    }
}

/// The parts of conjunctions (docs/reference/audiences.md#how-many).
@Suite struct ConjunctTests {
    @Test(arguments: [
        ("a && b", ["a", "b"]), (" a == 1&&(b && c) && d|t(1, 2) ", ["a == 1", "(b && c)", "d|t(1, 2)"]),
        ("a || b && c", ["a || b && c"]), ("a ? b : c && d", ["a ? b : c && d"]), ("(a || b) && c", ["(a || b)", "c"]),
        ("'&&' == a", ["'&&' == a"]), ("true", ["true"]), ("[a && b] && {x: c && d}", ["[a && b]", "{x: c && d}"]),
    ])
    func `A conjunction has the operands of its outermost operators`(_ source: String, _ parts: [String]) throws {
        #expect(try CompiledExpression(source).conjuncts == parts)
    }
}
