import JEXL
import Testing

@Suite struct ParserTests {
    @Test(arguments: [
        Example("1 + 2 * 3", "7.0"), Example("1 * 2 + 3", "5.0"), Example("10 - 2 - 3", "5.0"),
        Example("100 / 10 / 5", "2.0"), Example("100 / 10 * 5", "50.0"), Example("7 // 2 * 2", "6.0"),
        Example("2 * 7 // 2", "7.0"), Example("2 * 3 ^ 2", "18.0"), Example("2 ^ 3 * 2", "16.0"),
        Example("2 ^ 3 ^ 2", "64.0"), Example("7 % 4 ^ 2", "9.0"), Example("2 ^ 3 % 5", "3.0"),
        Example("1 + 6 % 4 * 2", "5.0"), Example("1 - 2 + 3", "2.0"), Example("1 + 1 == 2", "true"),
        Example("2 == 1 + 1", "true"), Example("1 < 2 == true", "true"),
        Example("true == 1 < 2", fails: .unsupportedOperands),
        Example("1 == 1 == true", "true"), Example("1 != 2 != false", "true"), Example("1 + 1 in [2]", "true"),
        Example("'a' in ['a'] == true", "true"), Example("1 < 2 && 2 < 3", "true"), Example("1 == 2 || 2 == 2", "true"),
        // && and || have the same precedence, and associate from the left.
        Example("false && true || true", "true"), Example("true || false && false", "false"),
        Example("true || true && false", "false"), Example("false || true && true || false", "true"),
        Example("1 || 2 && 3", "3.0"), Example("0 && 1 || 2", "2.0"), Example("true || (false && false)", "true"),
        Example("(2 + 3) * 4", "20.0"), Example("2 * (3 + 4) * 5", "70.0"), Example("((((1))))", "1.0"),
        Example("(1 + 2) - (3 + 4)", "-4.0"), Example("2 ^ (3 ^ 2)", "512.0"), Example("10 - (2 - 3)", "11.0"),
    ]) func precedence(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("true ? 1 : 2", "1.0"), Example("1 == 1 ? 'y' : 'n'", "false"), Example("1 + true ? 2 : 3", "3.0"),
        Example("2 * false ? 2 : 3", "6.0"), Example("true ? 2 : 3 * 10", "20.0"),
        Example("2 ^ true ? 3 : 4 ^ 2", "64.0"),
        Example("true ? 1 : false ? 2 : 3", "2.0"), Example("false ? 1 : 0 ? 2 : 3", "3.0"),
        Example("false ? 1 : (true ? 2 : 3)", "2.0"), Example("true ? (false ? 1 : 2) : 3", "2.0"),
        Example("true ? 'A'|lower : 'B'", #""a""#), Example("false ? 'A' : 'B'|lower", #""b""#),
        Example("'A'|lower ? 1 : 2", "1.0"), Example("true ? a.b : c[0]", "1", in: #"{"a":{"b":1},"c":[2]}"#),
        Example("false && true ? 1 : 2", "false"), Example("true && false ? 1 : 2", "2.0"),
        Example("1 in true ? [1] : [2]", "true"), Example("[true ? 1 : 2][0]", "1.0"),
        Example("{a: false ? 1 : 2}.a", "2.0"),
        Example("(true ? 1 : 2) + 10", "11.0"), Example("true?1:2", "1.0"), Example("true?.5:.25", "0.5"),
        Example("true ? 1 + 1 : 3", fails: .parse), Example("true ? 1 : 3 ? 4", fails: .parse),
        Example("true ? false ? 1 : 2 : 3", fails: .parse), Example("true ? 1", fails: .parse),
        Example("true ? : 2", fails: .parse), Example("true ? 1 :", fails: .parse), Example("? 1 : 2", fails: .parse),
        Example("true : 1", fails: .parse), Example("true ?? 1 : 2", fails: .parse), Example("a ?: b", fails: .parse),
        Example("true ? 1 || 2 : 3", fails: .parse),
    ]) func conditionals(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("a.b|id", "1", in: #"{"a":{"b":1}}"#), Example("a[0]|id", "1", in: #"{"a":[1]}"#),
        Example("'X'|lower|args(1)", #"["x",1.0]"#), Example("1|args()", "[1.0]"), Example("1|args", "[1.0]"),
        Example("1|args(2,)", "[1.0,2.0]"), Example("1|args([2,3,],{a:4,},)", #"[1.0,[2.0,3.0],{"a":4.0}]"#),
        Example("1|args(2 + 3 == 5 && true)", "[1.0,true]"), Example("1|args(2|args(3))", "[1.0,[2.0,3.0]]"),
        Example("1 + 2|args", fails: .unsupportedOperands), Example("(1 + 2)|args", "[3.0]"),
        Example("'A'|lower + 'B'|lower", #""ab""#), Example("'A'|lower == 'a'", "true"), Example("2 ^ 3|id", "8.0"),
        Example("[1,2]|id", "[1.0,2.0]"), Example("{}|id", "{}"), Example("'x'|lower||'y'", #""x""#),
        Example("''|lower||'y'", #""y""#), Example("(o|id).n", "1", in: #"{"o":{"n":1}}"#),
        Example("(o|id)[0]", "1", in: #"{"o":[1]}"#), Example("((1|args)|args)[0][0]", "1.0"),
        Example("true|id ? 1 : 2", "1.0"), Example("(1 == 1)|id", "true"), Example("null|args(null)", "[null,null]"),
        Example("x|größe", fails: .unknownTransform, in: #"{"x":1}"#),
        Example("1|versioncompare('1')", fails: .unknownTransform),
        Example("1|id.n", fails: .parse), Example("1|id[0]", fails: .parse), Example("1|id(1)(2)", fails: .parse),
        Example("1|id(1)[0]", fails: .parse), Example("1|(id)", fails: .parse), Example("1|'id'", fails: .parse),
        Example("1|true", fails: .parse), Example("1|in", fails: .parse), Example("1|null(2)", fails: .parse),
        Example("1|", fails: .parse), Example("|id", fails: .parse), Example("1||id", "1.0"),
        Example("1|||id", fails: .parse),
        Example("1|args(,)", fails: .parse), Example("1|args(1 2)", fails: .parse),
        Example("1|args(1,,2)", fails: .parse),
        Example("1|args(", fails: .parse), Example("1|args(1", fails: .parse), Example("args(1)", fails: .parse),
        Example("'x'|id 'y'", fails: .parse),
    ]) func transforms(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("[]", "[]"), Example("[1]", "[1.0]"), Example("[1,]", "[1.0]"), Example("[[],[[]],]", "[[],[[]]]"),
        Example("[1 + 1, 'a' in 'b', true ? 1 : 2]", "[2.0,false,1.0]"), Example("[x, 1]", "[7,1.0]", in: #"{"x":7}"#),
        Example("{}", "{}"), Example("{a:1}", #"{"a":1.0}"#), Example("{'a b':1,\"c\":2,}", #"{"a b":1.0,"c":2.0}"#),
        Example("{a: {b: [1]}}", #"{"a":{"b":[1.0]}}"#), Example("{a: x}", #"{"a":7}"#, in: #"{"x":7}"#),
        Example("{'': 1}", #"{"":1.0}"#), Example("{'true': 1}", #"{"true":1.0}"#),
        Example("{'a\\'b': 1}", #"{"a'b":1.0}"#), Example("{é: 1, 'e\u{301}': 2}", "{\"é\":1.0,\"e\u{301}\":2.0}"),
        Example("[,]", fails: .parse), Example("[1,,2]", fails: .parse), Example("[1 2]", fails: .parse),
        Example("[", fails: .parse), Example("[1", fails: .parse), Example("]", fails: .parse),
        Example("[1,", fails: .parse),
        Example("{,}", fails: .parse), Example("{a}", fails: .parse), Example("{a:}", fails: .parse),
        Example("{a:1 b:2}", fails: .parse),
        Example("{1:2}", fails: .parse), Example("{true:1}", fails: .parse), Example("{in:1}", fails: .parse),
        Example("{null:1}", fails: .parse), Example("{[a]:1}", fails: .parse), Example("{a:1,,}", fails: .parse),
        Example("{", fails: .parse), Example("{a:1", fails: .parse), Example("(", fails: .parse),
        Example("()", fails: .parse),
        Example("(1", fails: .parse), Example("1)", fails: .parse), Example("(1,2)", fails: .parse),
        Example("(1,)", fails: .parse),
        Example("[1)", fails: .parse), Example("{a:1]", fails: .parse), Example("1,2", fails: .parse),
        Example("1;", fails: .parse),
    ]) func literalsAndBrackets(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("!true", fails: .parse), Example("!x", fails: .parse, in: #"{"x":1}"#), Example("-1", fails: .parse),
        Example("1 + -1", fails: .parse), Example("1 - -1", fails: .parse), Example("(-1)", fails: .parse),
        Example("1 +", fails: .parse), Example("* 2", fails: .parse), Example("1 + * 2", fails: .parse),
        Example("1 === 1", fails: .parse), Example("1 <> 2", fails: .parse), Example("1 =! 2", fails: .parse),
        Example("not true", fails: .parse), Example("1 and 2", fails: .parse), Example("a = 1", fails: .parse),
        Example("'a' in", fails: .parse), Example("in 'a'", fails: .parse), Example("'a' not in 'b'", fails: .parse),
        Example("a.", fails: .parse), Example("a..b", fails: .parse), Example(".a", fails: .parse),
        Example("a.'b'", fails: .parse),
        Example("a.true", fails: .parse), Example("a.null", fails: .parse), Example("a.in", fails: .parse),
        Example("a.1", fails: .parse), Example("a.(b)", fails: .parse), Example("a.[0]", fails: .parse),
        Example("a[]", fails: .parse), Example("a[0", fails: .parse), Example("a[0]]", fails: .parse),
        Example("a[0,1]", fails: .parse),
        Example("a b", fails: .parse), Example("a(1)", fails: .parse), Example("null true", fails: .parse),
    ]) func whatTheLanguageHasNot(_ example: Example) throws {
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        ("", 0, #"expected a value, found the end"#), ("1 +", 3, "expected a value, found the end"),
        ("(1", 2, #"expected ")", found the end"#), ("1 2", 2, #"expected an operator or the end, found "2""#),
        ("a 'b'", 2, "expected an operator or the end, found a string"),
        ("-1", 0, #"expected a value, found "-"; numbers have no sign, write 0 - 1"#),
        ("true ? 1 + 1 : 3", 9, #"expected ":", found "+""#),
        ("a.in", 2, #"expected the name of a member, found "in""#),
        ("1|1", 2, #"expected the name of a transform, found "1""#), ("{1:2}", 1, #"expected a key, found "1""#),
        ("a[.b]", 4, #"expected a comparison, found "]""#), ("a[.b && 1]", 5, #"expected a comparison, found "&&""#),
    ]) func errorsSayWhatWasExpectedAndWhere(_ expression: String, _ offset: Int, _ message: String) {
        let error = #expect(throws: JEXLError.self) { try CompiledExpression(expression) }
        #expect(error?.kind == .parse)
        #expect(error?.offset == offset)
        #expect(error?.message == message)
    }
}
