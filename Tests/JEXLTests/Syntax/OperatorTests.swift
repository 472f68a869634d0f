import JEXL
import Testing

@Suite struct OperatorTests {
    static let context = #"{"i":7,"j":2,"f":2.0,"z":0,"big":9223372036854775807,"e":1e308,"s":"b"}"#

    private func check(_ example: Example) throws {
        let example = Example(example.expression, example.outcome, in: Self.context)
        #expect(try example.evaluated() == example.outcome)
    }

    @Test(arguments: [
        Example("i + j", "9.0"), Example("i - j", "5.0"), Example("i * j", "14.0"), Example("i / j", "3.5"),
        Example("i // j", "3.0"),
        Example("i % j", "1.0"), Example("i ^ j", "49.0"), Example("i", "7"), Example("i + 0", "7.0"),
        Example("big + 0", "9.223372036854776e18"),
        Example("(0 - 7) // 2", "-4.0"), Example("7 // (0 - 2)", "-4.0"), Example("(0 - 7) % 2", "-1.0"),
        Example("7 % (0 - 2)", "1.0"),
        Example("5.5 % 2", "1.5"), Example("2 ^ (0 - 1)", "0.5"), Example("2 ^ 0.5", "1.4142135623730951"),
        Example("0 ^ 0", "1.0"),
        Example("0 * (0 - 1)", "-0.0"), Example("0.1 + 0.2", "0.30000000000000004"),
        Example("1 / 3", "0.3333333333333333"),
        Example("1000000 * 10000000000", "1e16"), Example("1 / 0", "null"), Example("0 / 0", "null"),
        Example("(0 - 1) / z", "null"),
        Example("1 // 0", "null"), Example("0 // 0", "null"), Example("1 % 0", "null"), Example("e * 10", "null"),
        Example("0 - e * 10", fails: .unsupportedOperands),
        Example("e + e", "null"), Example("10 ^ 309", "null"), Example("(0 - 8) ^ (1 / 3)", "null"),
        Example("0 ^ (0 - 1)", "null"),
        Example("e / (1 / e)", "null"), Example("1 / 0 + 1", fails: .unsupportedOperands), Example("1 / 0 || 1", "1.0"),
        Example("1 / 0 == null", "true"), Example("'a' + 'b' + 'c'", #""abc""#), Example("'' + ''", "\"\""),
        Example("s + s", #""bb""#),
        Example("'é' + '\u{301}'", "\"é\u{301}\""),
        Example("'a' - 'b'", fails: .unsupportedOperands), Example("'a' * 2", fails: .unsupportedOperands),
        Example("'1' + 1", fails: .unsupportedOperands), Example("1 + '1'", fails: .unsupportedOperands),
        Example("[1] + [2]", fails: .unsupportedOperands),
        Example("{} + {}", fails: .unsupportedOperands), Example("null + 1", fails: .unsupportedOperands),
        Example("true + true", fails: .unsupportedOperands),
        Example("null + null", fails: .unsupportedOperands), Example("'a' ^ 'b'", fails: .unsupportedOperands),
        Example("'a' % 'b'", fails: .unsupportedOperands),
        Example("'a' / 'b'", fails: .unsupportedOperands), Example("'a' // 'b'", fails: .unsupportedOperands),
    ]) func arithmetic(_ example: Example) throws { try check(example) }

    @Test(arguments: [
        Example("1 < 2", "true"), Example("2 < 2", "false"), Example("2 <= 2", "true"), Example("2 >= 2", "true"),
        Example("2 > 2", "false"),
        Example("i > f", "true"), Example("i >= 7", "true"), Example("i < 7.0000001", "true"),
        Example("big > 9223372036854775806", "false"),
        // Comparisons of order have no tolerance; equality has one.
        Example("1 < 1.0000001", "true"), Example("1 == 1.0000001", "true"), Example("1 >= 1.0000001", "false"),
        Example("'a' < 'b'", "true"), Example("'B' < 'a'", "true"), Example("'a' < 'aa'", "true"),
        Example("'' < 'a'", "true"), Example("'10' < '9'", "true"),
        Example("'b' <= s", "true"), Example("'b' >= s", "true"), Example("'b' > s", "false"),
        Example("'z' < 'é'", "true"), Example("'é' < '€'", "true"),
        // U+FFFD is before U+1F600 by UTF-8 bytes; in UTF-16 the order is the reverse.
        Example("'\u{FFFD}' < '😀'", "true"), Example("'é' < 'e\u{301}'", "false"), Example("'e\u{301}' < 'é'", "true"),
        Example("'1' < 2", fails: .unsupportedOperands), Example("null < null", fails: .unsupportedOperands),
        Example("true > false", fails: .unsupportedOperands),
        Example("[1] < [2]", fails: .unsupportedOperands), Example("{} >= {}", fails: .unsupportedOperands),
        Example("null <= 1", fails: .unsupportedOperands),
    ]) func order(_ example: Example) throws { try check(example) }

    @Test(arguments: [
        Example("i == 7", "true"), Example("i == f", "false"), Example("f == 2", "true"), Example("j == f", "true"),
        Example("j == 2.0", "true"),
        Example("1 == 1.000000999", "true"), Example("1 == 1.000001001", "false"), Example("1 != 1.0000005", "false"),
        Example("0 == 0 * (0 - 1)", "true"),
        Example("big == 9223372036854775806", "true"), Example("e == e", "true"), Example("'a' == 'a'", "true"),
        Example("'a' != 'b'", "true"),
        Example("'é' == 'e\u{301}'", "false"), Example("'é' != 'e\u{301}'", "true"),
        Example("null == null", "true"), Example("true == true", "true"), Example("true == false", "false"),
        Example("null != false", "true"),
        Example("null == 0", "false"), Example("0 == false", "false"), Example("1 == true", "false"),
        Example("'' == null", "false"), Example("'1' == 1", "false"),
        Example("[] == {}", "false"), Example("[] == []", "true"), Example("{} == {}", "true"),
        Example("[1,2] == [1,2]", "true"), Example("[1,2] == [2,1]", "false"),
        Example("[1] == [1.0000001]", "false"), Example("{a:1,b:2} == {b:2,a:1}", "true"),
        Example("{a:1} == {a:1,b:2}", "false"), Example("{a:1} == {b:1}", "false"),
        Example("[j] == [2]", "false"), Example("[f] == [2]", "true"), Example("[j] == [j]", "true"),
        Example("{a:j} == {a:2}", "false"), Example("[[j]] != [[2]]", "true"),
        Example("[0 * (0 - 1)] == [0]", "true"), Example("[null] == [null]", "true"),
        Example("['é'] == ['e\u{301}']", "false"), Example("[1 / 0] == [null]", "true"),
    ]) func equality(_ example: Example) throws { try check(example) }

    @Test(arguments: [
        Example("'b' in 'abc'", "true"), Example("'ac' in 'abc'", "false"), Example("'abc' in 'abc'", "true"),
        Example("'abcd' in 'abc'", "false"),
        Example("'' in ''", "true"), Example("'' in 'a'", "true"), Example("'a' in ''", "false"),
        Example("'bc' in 'abcbc'", "true"), Example("'aab' in 'aaab'", "true"),
        Example("'é' in 'café'", "true"), Example("'e' in 'cafe\u{301}'", "true"),
        Example("'é' in 'cafe\u{301}'", "false"),
        Example("1 in [1]", "true"), Example("1 in [j, f]", "false"), Example("2 in [j]", "false"),
        Example("2 in [f]", "true"), Example("j in [2]", "false"),
        Example("j in [j]", "true"), Example("1 in [1.0000001]", "false"), Example("null in [null]", "true"),
        Example("null in []", "false"), Example("'a' in ['b','a']", "true"),
        Example("'1' in [1]", "false"), Example("[1] in [[1]]", "true"), Example("[1] in [1]", "false"),
        Example("{a:1} in [{a:1}]", "true"), Example("{} in [{}]", "true"),
        Example("true in [true]", "true"), Example("1 / 0 in [null]", "true"), Example("'a' in {a: null}", "true"),
        Example("'b' in {a: 1}", "false"),
        Example("'' in {}", "false"), Example("'é' in {'e\u{301}': 1}", "false"), Example("1 in 2", "false"),
        Example("1 in 1", "false"), Example("i in j", "false"),
        Example("i in 7", "false"), Example("1 in 'a1'", fails: .unsupportedOperands),
        Example("1 in {}", fails: .unsupportedOperands), Example("null in 'null'", fails: .unsupportedOperands),
        Example("null in {}", fails: .unsupportedOperands), Example("'a' in null", fails: .unsupportedOperands),
        Example("'a' in 1", fails: .unsupportedOperands),
        Example("'a' in true", fails: .unsupportedOperands), Example("true in true", fails: .unsupportedOperands),
        Example("1 in null", fails: .unsupportedOperands),
        Example("null in null", fails: .unsupportedOperands), Example("[] in {}", fails: .unsupportedOperands),
        Example("{} in {}", fails: .unsupportedOperands),
        Example("[1] in 'x'", fails: .unsupportedOperands),
    ]) func membership(_ example: Example) throws { try check(example) }
}
