import BellwetherBase
import Testing

struct LocalizerTests {
    private static let builtIn = ["Built In": ["Continue": "Continue on", "Submit": "Submit it"]]

    private let tables = StringTables(
        defaultLocale: "en-US",
        locales: [
            "en-US": [
                "Default Browser": ["Title": "Switch", "OnlyEnglish": "Only English", "Echo": "Echo"],
                "Localizable": ["Hello": "Hello there", "a/": "trailing"],
                "Built In": ["Submit": "Send"],
            ],
            "de": [
                "Default Browser": ["Title": "Wechseln", "Echo": "Echo!"],
                "Built In": ["Continue": "Weiter"],
            ],
            "de-AT": ["Default Browser": ["Title": "Umsteigen"]],
            "pt_BR": ["Default Browser": ["Title": "Trocar", "OnlyEnglish": ""]],
            "fr": ["Elsewhere": ["Key": "Clé"]],
        ], builtIn: Self.builtIn)

    private func resolve(_ text: String, in locale: String?) -> Localizer.Resolved {
        tables.localizer(for: locale.flatMap { LanguageTag($0) }).resolve(text)
    }

    @Test(
        arguments: [
            ("de-AT", "Umsteigen", "de-AT"), ("DE_at", "Umsteigen", "de-AT"), ("de-AT-1996", "Umsteigen", "de-AT"),
            ("de-CH", "Wechseln", "de"), ("de", "Wechseln", "de"), ("pt-BR", "Trocar", "pt_BR"),
            ("pt", "Trocar", "pt_BR"),
            ("en-GB", "Switch", "en-US"), ("ja", "Switch", "en-US"), (nil, "Switch", "en-US"),
        ] as [(String?, String, String)])
    func aTextIsSoughtAlongTheChain(locale: String?, text: String, found: String) {
        let resolved = resolve("Default Browser/Title", in: locale)
        #expect(resolved.text == text)
        #expect(resolved.locale == found)
        #expect(!resolved.looksLikeMissingId)
    }

    /// An `Accept-Language` field, and the language that is chosen.
    @Test(
        arguments: [
            ("it, de", "de"), ("it, de-CH;q=0.9, fr;q=0.8", "de-CH"), ("fr;q=0.1, it, de-AT;q=0.5", "de-AT"),
            ("it;q=0.8, en;q=0.5, de;q=0.3", "en"), ("ja, en-GB, de", "en-GB"), ("ja, pt, de", "pt-BR"),
            ("ja, it", "ja"), ("ja, *, de", "ja"), ("*, de;q=0.9", nil), ("de;q=0, ja", "ja"), ("", nil),
        ] as [(String, String?)])
    func acceptedLanguagesAreNegotiated(field: String, tag: String?) {
        #expect(tables.language(for: AcceptLanguage(field))?.text == tag)
        let empty = StringTables(defaultLocale: "en-US", locales: [:], builtIn: [:])
        #expect(empty.language(for: AcceptLanguage(field)) == AcceptLanguage(field).tags.first)
    }

    @Test func eachKeyFallsBackByItself() {
        #expect(resolve("Default Browser/OnlyEnglish", in: "de-AT").locale == "en-US")
        #expect(resolve("Default Browser/Title", in: "de-AT").locale == "de-AT")
    }

    @Test func anEmptyTextIsAText() {
        #expect(resolve("Default Browser/OnlyEnglish", in: "pt-BR").text == "")
    }

    @Test func aValueEqualToItsKeyCountsAsNotFound() {
        #expect(resolve("Default Browser/Echo", in: "de").text == "Echo!")
        let resolved = resolve("Default Browser/Echo", in: nil)
        #expect(resolved.text == "Default Browser/Echo")
        #expect(resolved.locale == nil)
        #expect(resolved.looksLikeMissingId)
    }

    @Test func anIdWithoutTableIsInTheDefaultTable() {
        #expect(resolve("Hello", in: "de").text == "Hello there")
        #expect(resolve("Hello", in: "de").locale == "en-US")
        #expect(resolve("Localizable/Hello", in: nil).text == "Hello there")
    }

    @Test(arguments: ["/Default Browser/Title", "//Default Browser/Title"])
    func emptyPartsAreDropped(id: String) {
        #expect(resolve(id, in: nil).text == "Switch")
    }

    /// The text has one part and nothing behind the slash, so the whole text is the key.
    @Test func aTrailingSlashBelongsToTheKey() {
        #expect(resolve("a/", in: nil).text == "trailing")
    }

    @Test(arguments: [
        "", "/", "//", "Yes/No", "Terms and/or conditions", "24/7", "https://example.com/a", "How satisfied are you?",
        "Elsewhere", "Default Browser", "Default Browser/", "default browser/Title", "Default Browser/\u{338}Title",
    ])
    func proseIsShownUnchanged(text: String) {
        let resolved = resolve(text, in: "de")
        #expect(resolved.text == text)
        #expect(resolved.locale == nil)
        #expect(!resolved.looksLikeMissingId)
    }

    @Test(arguments: ["Built In/NoSuchId.v1", "Default Browser/Nope", "Elsewhere/Key", "Default Browser/Title/x"])
    func anIdOfAKnownTableThatNoLocaleOfTheChainHasIsReported(id: String) {
        let resolved = resolve(id, in: "de")
        #expect(resolved.text == id)
        #expect(resolved.locale == nil)
        #expect(resolved.looksLikeMissingId)
    }

    @Test func theBuiltInEnglishStandsBehindTheApps() {
        #expect(resolve("Built In/Continue", in: "de").locale == "de")
        #expect(resolve("Built In/Continue", in: "fr").text == "Continue on")
        #expect(resolve("Built In/Continue", in: "fr").locale == "en")
        #expect(resolve("Built In/Submit", in: "fr").text == "Send")
    }

    @Test func anAppWithoutStringsHasTheBuiltInEnglish() {
        let localizer = StringTables(defaultLocale: "fr", locales: [:], builtIn: Self.builtIn)
            .localizer(for: LanguageTag("de"))
        #expect(localizer.resolve("Built In/Submit").text == "Submit it")
        #expect(localizer.resolve("Built In/Nope").looksLikeMissingId)
        #expect(localizer.resolve("Default Browser/Title").text == "Default Browser/Title")
    }

    @Test func theDefaultLocaleIsFoundByItsLanguageToo() {
        let tables = StringTables(defaultLocale: "en-US", locales: ["en": ["Localizable": ["a": "A"]]], builtIn: [:])
        #expect(tables.localizer(for: LanguageTag("ja")).resolve("a").locale == "en")
    }

    @Test func ofTwoSpellingsTheFirstInByteOrderCounts() {
        let tables = StringTables(
            defaultLocale: "en", locales: ["pt_BR": ["T": ["k": "under"]], "pt-BR": ["T": ["k": "dash"]]],
            builtIn: [:])
        #expect(tables.localeNames == ["pt-BR", "pt_BR"])
        #expect(tables.localizer(for: LanguageTag("pt-br")).resolve("T/k").text == "dash")
    }
}
