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
        ("de-AT", ["de-at", "de"]), ("de", ["de"]), ("pt_BR", ["pt-br", "pt"]),
        ("zh-Hant-TW", ["zh-hant-tw", "zh-hant", "zh"]), ("de-x-phone", ["de-x-phone", "de"]), ("x", ["x"]),
    ])
    func lookupDropsPartsFromTheEnd(text: String, chain: [String]) {
        #expect(LanguageTag(text)?.lookupChain == chain)
    }

    @Test(arguments: [
        "ar", "ar-EG", "AR", "ar_SA", "he", "iw-IL", "fa", "ur-PK", "ps", "sd", "ug", "yi", "dv", "ckb-IQ", "az-Arab",
        "az-Arab-IR", "en-Hebr", "ff_Adlm",
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
