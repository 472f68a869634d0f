import JEXL
import Testing

@Suite struct LogicTests {
    @Test(arguments: [
        ("null", false), ("false", false), ("0", false), ("0.0", false), ("''", false), ("i0", false),
        ("(0 - 0)", false),
        ("(0 * (0 - 1))", false), ("(1 / 0)", false), ("true", true), ("1", true), ("0.0000001", true),
        ("(0 - 1)", true),
        ("' '", true), ("'false'", true), ("'0'", true), ("[]", true), ("{}", true), ("[0]", true), ("i1", true),
    ]) func truthiness(_ value: String, _ isTruthy: Bool) throws {
        let context = #"{"i0":0,"i1":1}"#
        #expect(try Example("\(value) ? 'T' : 'F'", "", in: context).evaluated() == (isTruthy ? #""T""# : #""F""#))
        let conjunction = try Example("(\(value) && 'T') == 'T'", "", in: context).evaluated()
        #expect(conjunction == "\(isTruthy)")
        let disjunction = try Example("(\(value) || 'F') == 'F'", "", in: context).evaluated()
        #expect(disjunction == "\(!isTruthy)")
    }

    @Test(arguments: [
        Example("1 && 2", "2.0"), Example("0 && 2", "0.0"), Example("'' && 2", #""""#), Example("null && 2", "null"),
        Example("1 || 2", "1.0"), Example("0 || ''", #""""#), Example("null || []", "[]"), Example("[] && {}", "{}"),
        Example("0 || null", "null"), Example("false || false", "false"), Example("i && i", "0", in: #"{"i":0}"#),
    ]) func resultsAreOperands(_ example: Example) throws {
        let outcome = example.outcome == #""""# ? "\"\"" : example.outcome
        #expect(try example.evaluated() == outcome)
    }

    /// `x` is undefined; `1|error` is an unknown transform; `1 + 'a'` has operands that do not fit.
    @Test(arguments: [
        Example("x || 1", "1.0"), Example("(1 + 'a') || 1", "1.0"), Example("1|error || 1", "1.0"),
        Example("x.y[0].z || 1", "1.0"),
        Example("x == 1 || 2", "2.0"), Example("x + 1 == 2 || 2", "2.0"), Example("[x] || 2", "2.0"),
        Example("{a:1,a:2} || 3", "3.0"),
        Example("1[true] || 2", "2.0"), Example("1[.a == 1] || 2", "2.0"), Example("1|versionCompare('1') || 2", "2.0"),
        Example("x || y", fails: .undefinedIdentifier), Example("x || 1 + 'a'", fails: .unsupportedOperands),
        Example("x || y || 3", "3.0"), Example("x && 1 || 2", "2.0"), Example("x && 1", fails: .undefinedIdentifier),
        Example("x && 1 && 2", fails: .undefinedIdentifier), Example("1 && x", fails: .undefinedIdentifier),
        Example("1 && x || 2", "2.0"), Example("0 && x || 2", "2.0"), Example("(x || 0) && y", "0.0"),
        Example("(x || 1) && y", fails: .undefinedIdentifier), Example("(x && y) == 1 || 4", "4.0"),
        Example("x ? 1 : 2", "2.0"), Example("(1 + 'a') ? 1 : 2", "2.0"), Example("x.y ? 1 : 2", "2.0"),
        Example("1|error ? 1 : 2", "2.0"),
        Example("x ? 1 : y", fails: .undefinedIdentifier), Example("1 ? x : 2", fails: .undefinedIdentifier),
        Example("1 ? x : 2 ? 3 : 4", "4.0"), Example("(1 ? x : 2) ? 3 : 4", "4.0"), Example("(1 ? x : 2) || 5", "5.0"),
        Example("1 + x ? 2 : 3", "4.0"), Example("(1 + x) ? 2 : 3", "3.0"),
        Example("x == 1", fails: .undefinedIdentifier),
        Example("x || 1 == 1", "true"), Example("(x || false) == false", "true"), Example("[x || 1]", "[1.0]"),
        Example("x|error", fails: .undefinedIdentifier), Example("1|error(x)", fails: .undefinedIdentifier),
        Example("x + 1|error", fails: .undefinedIdentifier), Example("1|error + x", fails: .unknownTransform),
        Example("x[y]", fails: .undefinedIdentifier), Example("(x || 1) + (y || 2)", "3.0"),
    ]) func errorsOnTheLeftAreSwallowed(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("true || x", "true"), Example("1 || 1|error", "1.0"), Example("false && x", "false"),
        Example("0 && 1|error", "0.0"),
        Example("true ? 1 : x", "1.0"), Example("false ? x : 2", "2.0"), Example("true || x || y", "true"),
        Example("false && x && y", "false"), Example("true || {a:1,a:1}", "true"), Example("false && 1[true]", "false"),
        Example("true || x && y", fails: .undefinedIdentifier), Example("false && x || true", "true"),
        Example("1 || (1 / 0 > 5)", "1.0"), Example("'a' in ['a', x]", fails: .undefinedIdentifier),
    ]) func theRightIsLazy(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("{a:1,a:2}", fails: .duplicateKey), Example("{a:1,'a':1}", fails: .duplicateKey),
        Example("{'a\\'':1,\"a'\":1}", fails: .duplicateKey), Example("[{b:{a:1,a:2}}]", fails: .duplicateKey),
        Example("{a:x,a:1}", fails: .undefinedIdentifier), Example("{a:1,a:x}", fails: .duplicateKey),
        Example("{a:1,b:x,a:1}", fails: .undefinedIdentifier), Example("{a:{a:1}}", #"{"a":{"a":1.0}}"#),
    ]) func duplicateKeysShowWhenReached(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }
}
