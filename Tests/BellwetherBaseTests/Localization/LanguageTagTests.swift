import BellwetherBase
import Testing

struct LanguageTagTests {
    @Test(arguments: ["e", "en", "en-US", "pt_BR", "zh-Hant-TW", "de-1996", "abcdefghijklmnopqrstuvwxyz-12345678"])
    func tagsAreKeptAsAsked(text: String) {
        #expect(LanguageTag(text)?.text == text)
    }

    @Test(arguments: [
        "", "-", "en-", "-en", "en--US", "en_-US", "_", "en US", "en/US", "en.US", "dé", "e\u{301}n", "en\u{0}", "*",
        "en;q=1",
        "abcdefghijklmnopqrstuvwxyz-123456789",
    ])
    func anythingElseIsNoTag(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test(
        arguments: [
            ("en-US", "en", "US"), ("en", "en", nil), ("zh-Hant-TW", "zh", "Hant"), ("en_US", "en_US", nil),
            ("pt_BR-x", "pt_BR", "x"), ("DE-at", "DE", "at"),
        ] as [(String, String?, String?)])
    func languageAndRegionAreTheFirstTwoPartsBetweenDashes(text: String, language: String?, region: String?) {
        #expect(LanguageTag(text)?.language == language)
        #expect(LanguageTag(text)?.region == region)
    }

    @Test(arguments: [
        ("en_US@rg=gbzzzz", "en-US"), ("de_AT@calendar=buddhist;collation=phonebook", "de-AT"), ("en@", "en"),
        ("de-DE-u-co-phonebk", "de-DE"), ("en-US-u-rg-gbzzzz-x-a", "en-US"), ("ja-t-it-m0-xxx", "ja"),
        ("th-TH-u-ca-buddhist-nu-thai-hc-h23-mu-celsius", "th-TH"), ("en_US_u_rg_gbzzzz", "en_US"),
        ("de-x-phone", "de-x-phone"), ("i-klingon", "i-klingon"),
    ])
    func extensionsAreLeftOut(text: String, tag: String) {
        #expect(LanguageTag(text)?.text == tag)
        #expect((LanguageTag(tableName: text) == nil) == (text != tag))
    }

    @Test func languageAndRegionOfAnIdentifierWithKeywordsAreItsParts() {
        #expect(LanguageTag("en_US@rg=gbzzzz")?.language == "en")
        #expect(LanguageTag("en_US@rg=gbzzzz")?.region == "US")
    }

    @Test(arguments: ["@", "@rg=gbzzzz", "en US@rg=gb", "en@a b", "en@a\u{0}", "en-@a", "en-u--ca"])
    func keywordsMakeNoTagOfAnotherText(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test func aTagIsShortWithItsExtensionsToo() {
        let longest = "en@" + String(repeating: "a", count: 252)
        #expect(LanguageTag(longest)?.text == "en")
        #expect(LanguageTag(longest + "a") == nil)
    }

    @Test(arguments: [
        "ar", "ar-EG", "AR", "ar_SA", "he", "iw-IL", "fa", "ur-PK", "ps", "sd", "ug", "yi", "dv", "ckb-IQ", "az-Arab",
        "az-Arab-IR", "en-Hebr", "ff_Adlm", "pa-PK", "uz-AF", "iw", "ks",
    ])
    func theseRunFromRightToLeft(text: String) {
        #expect(LanguageTag(text)?.isRightToLeft == true)
    }

    @Test(arguments: [
        "en", "de", "ja", "az", "ur-Latn", "ar-Latn-EG", "arn", "en-x-arab", "en-US", "de-1996", "tr", "ku", "hi",
        "fil",
    ])
    func theseDoNot(text: String) {
        #expect(LanguageTag(text)?.isRightToLeft == false)
    }

    @Test(arguments: [
        ("de", "de"), ("de, en;q=0.8", "de"), ("en;q=0.8, de", "de"), ("fr;q=0.5,de;q=0.9,en;q=0.9", "de"),
        ("*;q=0.1, de;q=0.2", "de"), ("de;q=0, en;q=0.001", "en"), ("de;q=1.000", "de"),
        (" , ,\tde-AT ; q=0.5 ,", "de-AT"),
        ("de;Q=0.5", "de"), ("zh-Hant-TW", "zh-Hant-TW"), ("de;q=1.", "de"), ("de;q=0.,en;q=0.1", "en"),
    ])
    func theWeightiestLanguageIsPreferred(header: String, tag: String) {
        #expect(AcceptLanguage(header).tags.first?.text == tag)
    }

    @Test(arguments: [
        "", " ", ",", "*", "*;q=1", "de;q=0", "de;q=0.000", "de;q=2", "de;q=1.001", "de;q=0.1234", "de;q=.5", "de;q=",
        "de;",
        "de;q=-1", "de;q=0,5", "de; q =0.5", "de;q= 0.5", "de;x=1", "de;q=1;q=1", "d e", "de_AT", "1de", "abcdefghi",
        "de-", "é",
        "de;q=00.5", "de;q=1.0000", "de;q=0.5a",
    ])
    func whatTheGrammarDoesNotAllowIsPassedOver(header: String) {
        #expect(AcceptLanguage(header).tags == [])
        #expect(AcceptLanguage(header + ", fr;q=0.001").tags.map(\.text) == (header.hasPrefix("*") ? [] : ["fr"]))
    }
}
