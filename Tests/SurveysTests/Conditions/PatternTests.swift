import Surveys
import Testing

/// The patterns of fields and conditions (docs/reference/surveys.md#patterns).
@Suite struct PatternTests {
    @Test(arguments: [
        ("[0-9]{3}", "ab123cd", true), ("[0-9]{3}", "ab12cd", false), ("^a+b?$", "aaab", true),
        ("^a+b?$", "aaabb", false), ("", "", true), ("^$", "x", false), ("a|b|cd", "xxcdxx", true),
        ("(?:ab){2,3}$", "ababab", true), ("^(?:ab){2,3}$", "abababab", false), ("\\bcat\\b", "a cat.", true),
        ("\\bcat\\b", "concat", false), ("[^a-z]", "abc", false), ("[^a-z]", "abC", true),
        ("(?i)straße", "STRAßE", true),
        ("\\d+", "٣", true), ("\\w", "é", true), ("[\\s\\d]", "\u{a0}", true), ("\\p{Lu}", "aB", true),
        ("\\P{L}", "ab", false), ("a.c", "a\nc", false), ("\\u0041", "A", true), ("\\x{1F600}", "😀", true),
        ("[a\\-z]", "-", true), ("[]a]", "]", true), ("x*", "", true), ("(a|b)*?c", "ababc", true),
        ("^AB$", "AB\n", false),
        ("\\.", "a", false), ("[+-]", "-", true),
    ])
    func finds(_ pattern: String, _ text: String, _ isFound: Bool) throws {
        #expect(try Pattern(pattern).isFound(in: text) == isFound)
    }

    @Test(arguments: [
        "(", ")", "a**", "[a", "[z-a]", "(?=a)", "(?<!a)", "(?<name>a)", "(a)\\1", "a{2,1}", "a{1001}", "\\", "\\p{Xx}",
        "[[a]]", "[a&&b]", "\\Q", "a++", "((a{1000}){1000}){2}", "*", "\\u12",
    ])
    func refuses(_ pattern: String) {
        #expect(throws: Pattern.SyntaxError.self) { try Pattern(pattern) }
    }

    /// What makes a backtracking matcher take longer than the universe takes as many steps as any other text.
    @Test func aHostilePatternEnds() throws {
        let text = String(repeating: "a", count: 3_999) + "b"
        #expect(try Pattern("^(a+)+$").isFound(in: text) == false)
        #expect(try Pattern("^(a|a)*$").isFound(in: text) == false)
        #expect(try Pattern("(a*)*b$").isFound(in: text))
    }

    @Test func aTextThatIsTooLongIsNotSearched() throws {
        #expect(try !Pattern("a").isFound(in: String(repeating: "a", count: Pattern.maximumTextLength + 1)))
    }
}
