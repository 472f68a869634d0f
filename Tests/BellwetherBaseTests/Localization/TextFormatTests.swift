import BellwetherBase
import Testing

struct TextFormatTests {
    @Test(arguments: [
        ("Help us make %@ better.", ["Firefox"], "Help us make Firefox better."),
        ("Help us make %1$@ better.", ["Firefox"], "Help us make Firefox better."),
        ("%1$@ out of %2$@", ["1", "6"], "1 out of 6"),
        ("%2$@ %1$@ %2$@", ["a", "b"], "b a b"),
        ("%@ %@", ["a", "b"], "a b"),
        ("%@%@", ["a", "b"], "ab"),
        ("%@ %2$@ %@", ["a", "b"], "a b b"),
        ("%01$@", ["a"], "a"),
        ("é%@é", ["🧭"], "é🧭é"),
        ("%@\u{301}", ["e"], "e\u{301}"),
    ])
    func directivesTakeTheirArguments(text: String, arguments: [String], result: String) {
        #expect(TextFormat.apply(text, arguments: arguments) == result)
    }

    @Test(arguments: [
        "50% off", "100%", "%", "%%", "%d", "%s and %ld", "%5.2f", "%1$d", "%1@", "%$@", "%0$@", "%3$@", "%1$", "% @",
        "%-1$@",
        "%99999999999999999999$@", "%１$@", "plain", "",
    ])
    func everythingElseSurvives(text: String) {
        #expect(TextFormat.apply(text, arguments: ["Firefox", "6"]) == text)
    }

    @Test func aDirectiveWithoutArgumentSurvives() {
        #expect(TextFormat.apply("%@ %@", arguments: ["a"]) == "a %@")
        #expect(TextFormat.apply("%@ %1$@", arguments: []) == "%@ %1$@")
    }

    @Test func argumentsAreNotSearched() {
        #expect(TextFormat.apply("%@ %@", arguments: ["%@", "%1$@"]) == "%@ %1$@")
    }

    @Test func aPercentSignBeforeADirectiveIsKept() {
        #expect(TextFormat.apply("100%%@", arguments: ["x"]) == "100%x")
    }

    @Test func manyPercentSignsAreReadInOnePass() {
        let text = String(repeating: "%", count: 200_000) + String(repeating: "%1", count: 100_000)
        #expect(TextFormat.apply(text, arguments: ["x"]) == text)
    }
}
