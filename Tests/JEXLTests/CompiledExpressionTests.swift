import BellwetherJSON
import JEXL
import Testing

@Suite struct CompiledExpressionTests {
    @Test func knowsWhatItAsksFor() throws {
        let text = """
            app.version|versionCompare('1.!') >= 0 && xs[.a == limit] || ('e1'|eventSum('Days', n) > 1 && {k: app}.k)
              || ['e2'|eventLastSeen('Days'), name|eventSum('Days', 1), 'e1'|eventSum('Days', 1), 'x'|eventSum('?')]|custom(y)
            """
        let compiled = try CompiledExpression(text)
        #expect(compiled.source == text)
        #expect(compiled.identifiers == ["app", "xs", "limit", "n", "name", "y"])
        #expect(compiled.transforms == ["versionCompare", "eventSum", "eventLastSeen", "custom"])
        #expect(compiled.events == ["e1", "e2", "x"])
        #expect(compiled.usesEventQueries)
    }

    @Test func mayAskForNothing() throws {
        let compiled = try CompiledExpression("1 + 1 == 2")
        #expect(compiled.identifiers.isEmpty && compiled.transforms.isEmpty && compiled.events.isEmpty)
        #expect(!compiled.usesEventQueries)
        #expect(try CompiledExpression("name|eventSum('Days', 1)").usesEventQueries)
    }

    @Test(
        arguments: [
            ("true", "true"), ("1 + 1", "2.0"), ("[1, 'a'][1]", #""a""#), ("true || x", "true"),
            ("false && 'a'|eventSum('Days', 1)", "false"),
            ("1 + 'a'", "ERR unsupportedOperands"), ("{a:1,a:2}", "ERR duplicateKey"),
            ("'1'|versionCompare('2')", "-1"), ("'a'|eventSum('days', 1)", "ERR transform"),
            ("x", nil), ("x || true", nil), ("false || x", nil), ("'a'|eventSum('Days', 1)", nil),
            ("0|bucketSample(0, 1, 1)", nil), ("0|custom", nil),
            ("true ? x : 1", nil), ("false ? x : 1", "1.0"),
        ] as [(String, String?)]) func constants(_ expression: String, _ outcome: String?) throws
    {
        let constant = try CompiledExpression(expression).constant
        switch constant {
        case .success(let value): #expect(value.text == outcome)
        case .failure(let error): #expect("ERR \(error.kind)" == outcome)
        case nil: #expect(outcome == nil)
        }
    }

    @Test(arguments: [("true", true), ("1 == 2", false), ("x", true), ("x && true", true)])
    func isTrueForBooleans(_ expression: String, _ isTrue: Bool) throws {
        let environment = TestEnvironment(context: ["x": true])
        #expect(try CompiledExpression(expression).isTrue(in: environment) == isTrue)
    }

    @Test(arguments: ["1", "0", "null", "''", "'true'", "[]", "{}", "1 && 2", "x && 'y'", "1 / 0"])
    func isTrueForNothingElse(_ expression: String) throws {
        let environment = TestEnvironment(context: ["x": true])
        let compiled = try CompiledExpression(expression)
        let error = #expect(throws: JEXLError.self) { try compiled.isTrue(in: environment) }
        #expect(error?.kind == .notBoolean)
        #expect(error?.offset == nil)
    }

    @Test func isTruePassesErrorsOn() throws {
        let compiled = try CompiledExpression("y")
        let error = #expect(throws: JEXLError.self) { try compiled.isTrue(in: TestEnvironment()) }
        #expect(error?.kind == .undefinedIdentifier)
    }

    @Test(
        arguments: [
            ("1 + xyz", .undefinedIdentifier, 4, #"the identifier "xyz" is not defined"#),
            ("'é' + 1", .unsupportedOperands, 5, #""+" cannot be applied to string and number"#),
            ("1 < 2 < 3", .unsupportedOperands, 6, #""<" cannot be applied to boolean and number"#),
            ("1|foo|bar", .unknownTransform, 2, #"there is no transform "foo""#),
            ("[1][true]", .indexType, 3, "an index must be a number or a string, not boolean"),
            ("{}[.a == 1]", .filterSubject, 2, "only an array can be filtered, not object"),
            ("{a:1, 'a':2}", .duplicateKey, 6, #"the object has the key "a" twice"#),
            ("1 || 'a' && 1|versionCompare('1')", nil, 0, ""),
            ("'x' && 1|versionCompare('1')", .transform, 9, "versionCompare is for a string, not number"),
            (
                "'e'|eventSum('day', 1)", .transform, 4,
                "the interval of eventSum must be Minutes, Hours, Days, Weeks, Months or Years"
            ),
            ("1|lower", .transform, 2, "lower is for strings"),
        ] as [(String, JEXLError.Kind?, Int, String)]) func errorsSayWhatAndWhere(
            _ expression: String, _ kind: JEXLError.Kind?, _ offset: Int, _ message: String
        ) throws
    {
        let compiled = try CompiledExpression(expression)
        guard let kind else { return }
        let error = #expect(throws: JEXLError.self) { try compiled.evaluate(in: TestEnvironment()) }
        #expect(error == JEXLError(kind: kind, message: message, offset: offset))
    }

    @Test func anEnvironmentNeedsNoTransforms() throws {
        struct Bare: JEXLEnvironment {
            func value(of identifier: String) -> JSONValue? { nil }
            func result(of query: EventQuery) -> Double { 0 }
            func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
        }
        #expect(Example.outcome(of: "1|anything", in: Bare()) == "ERR unknownTransform")
        #expect(Example.outcome(of: "'b'|versionCompare('a')", in: Bare()) == "1")
    }
}
