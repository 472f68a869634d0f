import BellwetherCore
import Testing

struct PrivacyLinkTests {
    private let firefox = PrivacyLink(
        base: "https://www.mozilla.org/", path: "privacy/firefox/", fallback: "https://www.mozilla.org/privacy/firefox",
        utmMedium: "firefox-mobile", utmSource: "modal", utmCampaign: "microsurvey")

    private static let query = "?utm_medium=firefox-mobile&utm_source=modal&utm_campaign=microsurvey"

    @Test(
        arguments: [
            ("en-US", "homepage", "https://www.mozilla.org/en-US/privacy/firefox/" + query + "&utm_content=homepage"),
            ("de", nil, "https://www.mozilla.org/de/privacy/firefox/" + query),
            ("de-AT", "", "https://www.mozilla.org/de-AT/privacy/firefox/" + query + "&utm_content="),
            ("pt_BR", nil, "https://www.mozilla.org/pt_BR/privacy/firefox/" + query),
            (
                "fr", "a b&c=d#é/100%",
                "https://www.mozilla.org/fr/privacy/firefox/" + query + "&utm_content=a%20b%26c%3Dd%23%C3%A9%2F100%25"
            ),
        ] as [(String, String?, String)])
    func theLinkIsInTheRequestedLanguage(locale: String, content: String?, url: String) {
        #expect(firefox.url(requestedLocale: locale, utmContent: content) == url)
    }

    @Test(arguments: [nil, "", "not a tag", "../..", "en-", "de/../x", "en?x=", "é"])
    func whatIsNoLanguageTagGetsTheFallback(locale: String?) {
        #expect(
            firefox.url(requestedLocale: locale, utmContent: "homepage") == "https://www.mozilla.org/privacy/firefox")
    }

    @Test func missingParametersAreLeftOutAndEmptyOnesAreNot() {
        let bare = PrivacyLink(base: "https://example.org/", path: "p", fallback: "f")
        #expect(bare.url(requestedLocale: "en", utmContent: nil) == "https://example.org/en/p")
        #expect(bare.url(requestedLocale: "en", utmContent: "c") == "https://example.org/en/p?utm_content=c")
        let empty = PrivacyLink(base: "https://example.org/", path: "", fallback: "f", utmSource: "")
        #expect(empty.url(requestedLocale: "en", utmContent: nil) == "https://example.org/en/?utm_source=")
    }

    @Test func aBaseWithoutSlashGetsOne() {
        let link = PrivacyLink(base: "https://example.org", path: "privacy?v=2#top", fallback: "f", utmMedium: "m")
        #expect(
            link.url(requestedLocale: "de", utmContent: nil) == "https://example.org/de/privacy?v=2&utm_medium=m#top")
    }

    @Test func whatALinkMayNotContainIsEncoded() {
        let link = PrivacyLink(base: "https://example.org/über?l=", path: "é f", fallback: "f", utmSource: "s")
        #expect(
            link.url(requestedLocale: "de", utmContent: "c")
                == "https://example.org/%C3%BCber?l=/de/%C3%A9%20f&utm_source=s&utm_content=c")
    }

    @Test(arguments: ["", "www.mozilla.org/", "https://a b/", "/", "https://example.org/#"])
    func aBaseThatMakesNoLinkGetsTheFallback(base: String) {
        let link = PrivacyLink(base: base, path: "p", fallback: "https://example.org/", utmMedium: "m")
        #expect(link.url(requestedLocale: "en", utmContent: nil) == "https://example.org/")
    }
}
