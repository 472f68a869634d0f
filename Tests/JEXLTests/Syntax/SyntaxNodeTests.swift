import BellwetherJSON
import JEXL
import Testing

@Suite struct SyntaxNodeTests {
    /// The tree as text: a value, and its steps in order.
    private func outline(_ node: SyntaxNode) -> String {
        switch node.kind {
        case .literal(let value): value.text
        case .identifier(let name): name
        case .array(let items): "[\(items.map(outline).joined(separator: " "))]"
        case .object(let members):
            "{\(members.map { "\($0.key):\($0.value.map(outline) ?? "again")" }.joined(separator: " "))}"
        case .eventQuery(let query): "\(query.kind)(\(query.event))"
        case .segment(let name, let root): "segment.\(name)(\(outline(root)))"
        case .chain(let first, let steps): "(\(outline(first))\(steps.map { " " + outline($0) }.joined()))"
        }
    }

    private func outline(_ step: SyntaxStep) -> String {
        switch step.kind {
        case .operation(let sign, let right): "\(sign) \(outline(right))"
        case .conditional(let then, let otherwise): "? \(outline(then)) : \(outline(otherwise))"
        case .member(let name): ".\(name)"
        case .index(let index): "[\(outline(index))]"
        case .filter(let member, let sign, let right): "[.\(member) \(sign) \(outline(right))]"
        case .transform(let name, let arguments): "|\(name)(\(arguments.map(outline).joined(separator: " ")))"
        }
    }

    @Test(arguments: [
        ("1", "1.0"), ("a.b == 1 && c", "(a .b == 1.0 && c)"), ("(a + b) * c", "(a + b * c)"),
        ("a + b * c", "(a + (b * c))"),
        ("a[0][.b in 'x']|f(1, x)", #"(a [0.0] [.b in "x"] |f(1.0 x))"#),
        ("a ? [1, 'b'] : [b]", #"(a ? [1.0,"b"] : [b])"#),
        ("{a: x, a: 1}", "{a:x a:again}"), ("{a: {b: 1}}", #"{"a":{"b":1.0}}"#),
        ("'e'|eventSum('Days', 1) > 2", "(eventSum(e) > 2.0)"),
        ("e|eventSum('Days', 1)", #"(e |eventSum("Days" 1.0))"#), ("((x))", "x"),
    ]) func theTreeHasTheShapeOfTheText(_ text: String, _ expected: String) throws {
        #expect(outline(try CompiledExpression(text).root) == expected)
    }

    @Test func placesAreBytes() throws {
        let root = try CompiledExpression("'é' == x.y").root
        guard case .chain(let first, let steps) = root.kind, case .operation(_, let right) = steps[0].kind else {
            Issue.record("no chain")
            return
        }
        #expect(first.offset == 0)
        #expect(steps[0].offset == 5)
        #expect(right.offset == 8)
    }

    @Test func comparisonsWithLiterals() throws {
        let text =
            "os == 'iOS' && a.b.c >= 3 || ('en' in l.x && (x in ['a'] && [y != null][0])) || 1 < z + 1 || q|f == 1 || p == r"
        let found = try CompiledExpression(text).comparisons.map {
            "\($0.path.joined(separator: ".")) \($0.operator) \($0.literal.text) \($0.isLiteralFirst) \($0.offset)"
        }
        #expect(
            Set(found) == [
                #"os == "iOS" false 3"#, "a.b.c >= 3.0 false 21", #"l.x in "en" true 35"#, #"x in ["a"] false 48"#,
                "y != null false 63",
            ])
        #expect(found.count == 5)
    }
}
