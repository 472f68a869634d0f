import JEXL
import Testing

@Suite struct LexerTests {
    @Test(arguments: [
        Example("0", "0.0"), Example("007", "7.0"), Example("1.50", "1.5"), Example(".25", "0.25"),
        Example("12345678901234567890", "1.2345678901234567e19"),
        Example("0.1", "0.1"), Example("100000000000000000000000", "1e23"), Example("00.10", "0.1"),
        Example("0.00001", "0.00001"), Example("0.000001", "1e-6"),
        // Beyond the range of floats: null, like every overflow.
        Example(String(repeating: "9", count: 400), "null"),
        Example("\(String(repeating: "9", count: 400)) == null", "true"),
        Example("0.\(String(repeating: "0", count: 400))1", "0.0"),
        Example("1.5.5", fails: .parse), Example("1..5", fails: .parse), Example("1.", fails: .parse),
        Example("1. 5", fails: .parse), Example(". 5", fails: .parse), Example(".", fails: .parse),
        Example("1e5", fails: .parse), Example("1E5", fails: .parse), Example("1_000", fails: .parse),
        Example("0x10", fails: .parse), Example("+1", fails: .parse), Example("1 2", fails: .parse),
        Example("1a", fails: .parse), Example("a.5", fails: .parse, in: #"{"a":1}"#),
        // A dot without a following digit is the member operator.
        Example("1.a", "null"), Example("1.5.a", "null"), Example(".5.a", "null"), Example("1.e5", "null"),
        Example("1.in", fails: .parse), Example("١", fails: .parse),
    ]) func numbers(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("''", "\"\""), Example("\"\"", "\"\""), Example("'a\"b'", #""a\"b""#),
        Example("\"a'b\"", #""a'b""#), Example(#"'\''"#, #""'""#), Example(#""\"""#, #""\"""#),
        Example("'a\nb\r\n\tc'", #""a\nb\r\n\tc""#), Example("'é😀\u{0}'", "\"é😀\\u0000\""),
        Example("'// no comment'", #""// no comment""#), Example("  'x'  ", #""x""#),
        Example(#"'a\\b'"#, fails: .parse), Example(#"'\"'"#, fails: .parse), Example(#""\'""#, fails: .parse),
        Example(#"'\n'"#, fails: .parse), Example(#"'\u0041'"#, fails: .parse), Example(#"'\'"#, fails: .parse),
        Example(#"'\"#, fails: .parse), Example("'", fails: .parse), Example("\"abc", fails: .parse),
        Example("'abc\"", fails: .parse), Example("'a' 'b'", fails: .parse), Example("`a`", fails: .parse),
    ]) func strings(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("_", "1", in: #"{"_":1}"#), Example("_a1_", "1", in: #"{"_a1_":1}"#),
        Example("größe", "1", in: #"{"größe":1}"#), Example("данные.имя", "1", in: #"{"данные":{"имя":1}}"#),
        Example("x٣", "1", in: #"{"x٣":1}"#), Example("xⅧ", "1", in: #"{"xⅧ":1}"#),
        Example("x²", "1", in: #"{"x²":1}"#),
        Example("'é' == x", "true", in: #"{"x":"é"}"#),
        // Names are compared by their bytes: a composed é differs from a decomposed one, whose accent is not a letter.
        Example("é", fails: .undefinedIdentifier, in: #"{"e\u0301":1}"#),
        Example("e\u{301}", fails: .parse, in: "{\"e\u{301}\":1}"),
        Example("'é' == x", "false", in: #"{"x":"e\u0301"}"#),
        Example("true1", "1", in: #"{"true1":1}"#), Example("nulls", "1", in: #"{"nulls":1}"#),
        Example("inn", "1", in: #"{"inn":1}"#), Example("True", "1", in: #"{"True":1}"#),
        Example("NULL", "1", in: #"{"NULL":1}"#), Example("In", "1", in: #"{"In":1}"#),
        Example("1a", fails: .parse), Example("a-b", fails: .undefinedIdentifier, in: #"{"a-b":1}"#),
        Example("$", fails: .parse), Example("a$", fails: .parse, in: #"{"a$":1}"#), Example("@", fails: .parse),
        Example("😀", fails: .parse), Example("a;", fails: .parse, in: #"{"a":1}"#), Example("#", fails: .parse),
        Example("a\u{0}", fails: .parse, in: #"{"a":1}"#), Example("\u{feff}1", fails: .parse),
    ]) func words(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("1\u{a0}+\u{2003}1\u{3000}", "2.0"), Example("\u{85}1\u{2028}", "1.0"), Example("1\u{b}\u{c}", "1.0"),
        Example("", fails: .parse), Example(" \t\n", fails: .parse), Example("1\u{200b}", fails: .parse),
        Example("a . b", "1", in: #"{"a":{"b":1}}"#), Example("a [ 0 ]", "1", in: #"{"a":[1]}"#),
        Example("a [ . b == 1 ]", #"[{"b":1}]"#, in: #"{"a":[{"b":1}]}"#), Example("'X' | lower", #""x""#),
        Example("'x' | args ( 1 )", #"["x",1.0]"#), Example("a|  id", "1", in: #"{"a":1}"#),
        Example("1==1", "true"), Example("1= =1", fails: .parse), Example("1 < = 1", fails: .parse),
        Example("1&&1", "1.0"), Example("1& &1", fails: .parse), Example("1| |1", fails: .parse),
        Example("8/ /2", fails: .parse), Example("! = 1", fails: .parse), Example("1in[1]", "true"),
        Example("'a'in'abc'", "true"), Example("1 in[1]", "true"), Example("7//2", "3.0"),
        Example("7///2", fails: .parse),
    ]) func whitespace(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        ("1 = 1", 2), ("a & b", 2), ("!a", 0), ("1 + $", 4), ("'é' + #", 7), ("'abc", 0), (#"'a\n'"#, 2), ("a ~ b", 2),
    ]) func errorsNameTheByte(_ expression: String, _ offset: Int) {
        let error = #expect(throws: JEXLError.self) { try CompiledExpression(expression) }
        #expect(error?.kind == .parse)
        #expect(error?.offset == offset)
    }
}
