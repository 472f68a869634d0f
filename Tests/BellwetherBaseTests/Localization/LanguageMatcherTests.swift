import BellwetherBase
import Testing

/// Which tables of texts a reader of a language reads (docs/reference/messaging.md#languages).
struct LanguageMatcherTests {
    /// A requested language, the tables that exist, and the table that is nearest; nil if the reader reads none.
    @Test(
        arguments: [
            // Scripts and regions that are usual need not be named, on either side.
            ("zh-Hant-TW", ["zh-TW", "zh-CN"], "zh-TW"), ("zh-Hant", ["zh-TW", "zh-CN"], "zh-TW"),
            ("zh-TW", ["zh-Hant", "zh-Hans"], "zh-Hant"), ("zh-Hans-CN", ["zh-TW", "zh-CN"], "zh-CN"),
            ("zh-Hans", ["zh_TW", "zh_CN"], "zh_CN"), ("zh", ["zh-TW", "zh-CN"], "zh-CN"),
            ("zh-SG", ["zh-Hant", "zh-Hans"], "zh-Hans"), ("de", ["de-DE"], "de-DE"), ("de-DE", ["de"], "de"),
            ("pt", ["pt-BR"], "pt-BR"), ("en-Latn-US", ["en"], "en"),
            // A reader of one script does not read another one.
            ("zh-TW", ["zh-CN", "zh"], nil), ("zh-CN", ["zh-Hant"], nil), ("sr-Latn", ["sr"], nil),
            ("sr", ["sr-Latn"], nil), ("ru-Latn", ["ru"], nil), ("uz-AF", ["uz"], nil),
            // Former codes.
            ("iw", ["he"], "he"), ("iw-IL", ["he"], "he"), ("he-IL", ["iw"], "iw"), ("in-ID", ["id"], "id"),
            ("ji", ["yi"], "yi"), ("tl", ["fil"], "fil"), ("mo", ["ro"], "ro"), ("sh", ["sr-Latn"], "sr-Latn"),
            ("sr-Latn-RS", ["sh"], "sh"), ("zh-cmn-Hant", ["zh-TW"], "zh-TW"), ("deu", ["de"], "de"),
            ("en-UK", ["en-GB", "en"], "en-GB"), ("no", ["nb"], "nb"), ("nb-NO", ["no"], "no"), ("nn", ["nb"], "nb"),
            // Parents that are not the tag without its last part.
            ("es-MX", ["es", "es-419"], "es-419"), ("es-419", ["es"], "es"), ("es-ES", ["es-419", "es"], "es"),
            ("es-ES", ["es-419"], nil), ("en-AU", ["en", "en-001"], "en-001"), ("en-AT", ["en-150", "en"], "en-150"),
            ("en-AT", ["en", "en-001"], "en-001"), ("en-US", ["en-001"], nil), ("pt-AO", ["pt-BR", "pt-PT"], "pt-PT"),
            ("pt-PT", ["pt"], "pt"), ("zh-MO", ["zh-TW", "zh-HK"], "zh-HK"), ("zh-HK", ["zh-TW", "zh-CN"], "zh-TW"),
            // A foreign region of a language reads the language; a region does not read another one.
            ("de-CH", ["de"], "de"), ("de-AT", ["de-CH"], nil), ("de", ["de-AT"], nil), ("fr-CA", ["fr", "en"], "fr"),
            // The spelling of the name comes first, then the longer name.
            ("zh-Hant", ["zh-TW", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh-Hant", "zh-TW"], "zh-TW"),
            ("zh-Hant-TW", ["zh-Hant", "zh-TW"], "zh-Hant"), ("DE_de", ["de", "de-DE"], "de-DE"),
            ("de", ["de-DE", "de"], "de"),
            // Variants, private parts, and codes that CLDR does not know.
            ("ca-ES-valencia", ["ca", "ca-valencia"], "ca-valencia"), ("ca-valencia", ["ca"], "ca"),
            ("de", ["de-x-phone"], nil), ("de-x-phone", ["de"], "de"), ("xx-YY", ["xx"], "xx"), ("xx", ["yy"], nil),
        ] as [(String, [String], String?)])
    func theNearestTableIsFound(requested: String, names: [String], found: String?) throws {
        let tag = try #require(LanguageTag(requested))
        let matcher = LanguageMatcher(names)
        #expect(matcher.first(tag).map { names[$0] } == found)
        #expect(matcher.all(tag).first == matcher.first(tag))
    }

    @Test func allTablesThatAReaderReadsAreInOrder() throws {
        let names = ["en", "zh", "zh-Hant", "zh-HK", "zh-TW", "es", "es-419", "es-MX"]
        let matcher = LanguageMatcher(names)
        func all(_ text: String) -> [String] { LanguageTag(text).map { matcher.all($0).map { names[$0] } } ?? [] }
        #expect(all("zh-MO") == ["zh-HK", "zh-Hant", "zh-TW"])
        #expect(all("zh-TW") == ["zh-TW", "zh-Hant"])
        #expect(all("es-MX") == ["es-MX", "es-419", "es"])
        #expect(all("hi-Latn-IN") == ["en"])
        #expect(all("ja") == [])
    }

    @Test(
        arguments: [
            ("fr-CA", "fr", true), ("fr", "fr-CA", false), ("iw-IL", "he", true), ("he", "iw", true),
            ("FR_ca", "fr-CA", true), ("zh-TW", "zh-Hant", false), ("fry", "fr", false),
            ("de-DE-u-co-phonebk", "de-DE", true),
        ] as [(String, String, Bool)])
    func aLocaleIsWithinAnotherOne(own: String, other: String, isWithin: Bool) throws {
        let (own, other) = try (#require(LanguageTag(own)), #require(LanguageTag(other)))
        #expect(own.isWithin(other) == isWithin)
    }
}
