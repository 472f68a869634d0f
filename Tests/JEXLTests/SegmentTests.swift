import BellwetherJSON
import JEXL
import Testing

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
    @Test func `The depth is bounded, and each segment is put in once`() throws {
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
    }

    @Test func `An expression reads what its segments read`() throws {
        let expression = try CompiledExpression("segment.both && list.vips && answer.nps > 3", in: Self.scope)
        #expect(expression.identifiers == ["plan", "list.vips", "answer.nps"])
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
