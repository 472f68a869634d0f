import BellwetherJSON
import JEXL
import TestSupport
import Testing

@Suite struct LimitTests {
    @Test(arguments: [
        ("(", "1", ")"), ("[", "1", "]"), ("{a:", "1", "}"), ("x[", "0", "]"), ("x|id(", "1", ")"), ("(1 + ", "1", ")"),
        ("[[", "1", "]]"), ("x[.a == (", "1", ")]"),
    ]) func nestingIsBounded(_ open: String, _ middle: String, _ close: String) {
        let levels = open.count { "([{".contains($0) }
        func nested(_ count: Int) -> String {
            String(repeating: open, count: count) + middle + String(repeating: close, count: count)
        }
        let environment = TestEnvironment(context: ["x": [[["a": 1]]]])
        #expect(Example.outcome(of: nested(64 / levels), in: environment) != "ERR limit")
        #expect(Example.outcome(of: nested(64 / levels + 1), in: environment) == "ERR limit")
        let unbounded = JEXLLimits(sourceBytes: .max, depth: .max)
        #expect(Example.outcome(of: nested(100_000), in: environment, limits: unbounded) == "ERR limit")
        #expect(
            Example.outcome(of: String(repeating: open, count: 100_000), in: environment, limits: unbounded)
                == "ERR limit")
    }

    @Test func theTextIsBounded() throws {
        #expect(Example.outcome(of: "1" + String(repeating: " ", count: 9_999), in: TestEnvironment()) == "1.0")
        let error = #expect(throws: JEXLError.self) {
            try CompiledExpression("1" + String(repeating: " ", count: 10_000))
        }
        #expect(error?.kind == .limit)
        #expect(Example.outcome(of: String(repeating: "é", count: 5_001), in: TestEnvironment()) == "ERR limit")
    }

    /// Chains do not count as nesting, however long they are.
    @Test(arguments: [
        (" + 1", "20001.0"), (" - 1", "-19999.0"), (" || 1", "1.0"), (" && 1", "1.0"), (" == 1", "false"),
        ("|id", "1.0"), (".a", "null"), ("[0]", "null"),
        (" ? 1 : 1", "1.0"), (" * 1", "1.0"), (" ^ 1", "1.0"),
    ]) func chainsMayBeLong(_ step: String, _ outcome: String) {
        let limits = JEXLLimits(sourceBytes: .max, steps: .max)
        let text = "1" + String(repeating: step, count: 20_000)
        #expect(Example.outcome(of: text, in: TestEnvironment(), limits: limits) == outcome)
        let chain =
            String(repeating: "(1", count: 60) + String(repeating: step, count: 1000)
            + String(repeating: ")" + step, count: 60)
        #expect(!Example.outcome(of: chain, in: TestEnvironment(), limits: limits).hasPrefix("ERR limit"))
    }

    @Test func stepsAreBounded() {
        let environment = TestEnvironment(context: ["xs": .array(Array(repeating: 1, count: 1_000))])
        func outcome(_ text: String, _ steps: Int) -> String {
            Example.outcome(of: text, in: environment, limits: JEXLLimits(steps: steps))
        }
        #expect(outcome("1", 1) == "1.0")
        #expect(outcome("1", 0) == "ERR limit")
        #expect(outcome("1 + 1", 3) == "2.0")
        #expect(outcome("1 + 1", 2) == "ERR limit")
        #expect(outcome("2 in xs", 1_010) == "false")
        #expect(outcome("2 in xs", 900) == "ERR limit")
        #expect(outcome("xs[.a == 1]", 900) == "ERR limit")
        #expect(outcome("xs == xs", 900) == "ERR limit")
        #expect(outcome("xs != [1]", 100) == "true")
    }

    @Test(arguments: [
        "x == x || true", "(x == x) ? 1 : 2", "(x == x || 1) && 2", "[x == x][0] || 3", "ys[.a == x] || 4",
        "x == x || x == x || 'd'",
    ])
    func nothingSwallowsTheLimit(_ text: String) {
        let wide = JSONValue.array(Array(repeating: ["a"], count: 60_000))
        let environment = TestEnvironment(context: ["x": wide, "ys": [["a": wide]]])
        #expect(Example.outcome(of: text, in: environment) == "ERR limit")
    }

    @Test func longTextsCostSteps() {
        let long = String(repeating: "a", count: 1_000_000)
        let environment = TestEnvironment(context: [
            "s": .string(long), "t": .string(long + "b"), "p": .string(String(repeating: "a", count: 500_000) + "b"),
        ])
        #expect(Example.outcome(of: "'b' in t", in: environment) == "true")
        #expect(Example.outcome(of: "p in s", in: environment) == "ERR limit")
        #expect(
            Example.outcome(of: "s" + String(repeating: " + s", count: 1_000) + " == ''", in: environment)
                == "ERR limit")
        #expect(Example.outcome(of: "s == s", in: environment) == "true")
        #expect(
            Example.outcome(of: String(repeating: "s == s && ", count: 50) + "true", in: environment) == "ERR limit")
    }

    @Test func deepContextsAreHarmless() {
        var deep: JSONValue = 1
        for _ in 0..<1_000 { deep = [deep] }
        let environment = TestEnvironment(context: ["x": deep, "y": deep])
        #expect(Example.outcome(of: "x == y && x in [y]", in: environment) == "true")
    }

    /// Any text gives a value or an error, and the same one twice.
    @Test func randomTextsNeverCrash() {
        var generator = SeededGenerator(seed: 9)
        let pieces = [
            "1", ".5", "'a'", "\"b\"", "x", "true", "null", "in", "&&", "||", "==", "!=", "<", "+", "-", "*", "//", "%",
            "^", "?", ":", "|", ".", "[", "]", "(", ")",
            "{", "}", ",", "[.a ==", "|id", "|eventSum('Days',", "|versionCompare(", "é", "\\", "'", "$", " ", "xs",
            "o",
        ]
        let environment = TestEnvironment(context: ["x": 1, "xs": [1, ["a": 1]], "o": ["a": "b"]])
        var values = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...12, using: &generator)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined(
                separator: " ")
            let outcome = Example.outcome(of: text, in: environment)
            #expect(outcome == Example.outcome(of: text, in: environment))
            if !outcome.hasPrefix("ERR") { values += 1 }
        }
        #expect(values > 75)
    }
}
