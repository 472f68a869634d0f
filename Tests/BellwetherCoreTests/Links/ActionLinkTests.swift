import BellwetherCore
import BellwetherJSON
import Testing

struct ActionLinkTests {
    private static let uuid = "1b4e28ba-2fa1-4d2e-883f-0016d3cca427"

    private func url(
        _ template: String, _ parameters: [String: String] = [:], scheme: String? = "fennec", uuid: String? = Self.uuid,
        dialect: Dialect = .ios
    ) -> String? {
        let attributes: [String: JSONValue] = ["locale": "de-AT", "app_version": "131.0", "odd": "a b/ü?#"]
        return ActionLink(
            template: template, parameters: parameters.map { ($0.key, $0.value) }, scheme: scheme, dialect: dialect
        ).url(uuid: uuid) { attributes[$0] }
    }

    @Test func whatUpstreamsTestsSay() {
        #expect(
            url("://open-url", ["url": "https://example.com?foo={uuid}&bar=baz"])
                == "fennec://open-url?url=https://example.com?foo%3D\(Self.uuid)%26bar%3Dbaz")
        #expect(
            url("fennec://open-url?private=true", ["url": "https://example.com"])
                == "fennec://open-url?private=true&url=https://example.com")
        #expect(url("itms-apps://itunes.apple.com/app/id{uuid}") == "itms-apps://itunes.apple.com/app/id\(Self.uuid)")
        #expect(
            url("://open", ["url": "http://mozilla.org"], dialect: .android)
                == "fennec://open?url=http%3A%2F%2Fmozilla.org")
    }

    @Test(arguments: [
        ("://deep-link?url=settings/general", "fennec://deep-link?url=settings/general"),
        ("://open-url", "fennec://open-url"),
        ("https://example.com", "https://example.com"),
        ("https://example.com?", "https://example.com?"),
        ("https://example.com/{locale}/?v={app_version}", "https://example.com/de-AT/?v=131.0"),
        ("https://example.com/{missing}", "https://example.com/%7Bmissing%7D"),
        ("https://example.com/a b/ü", "https://example.com/a%20b/%C3%BC"),
        ("https://example.com/a%20b%zz%4", "https://example.com/a%20b%25zz%254"),
        ("https://example.com/?q=1=2&r=%26#a#b", "https://example.com/?q=1=2&r=%26#a%23b"),
        ("https://user:pw@example.com:8080/", "https://user:pw@example.com:8080/"),
        ("https://[::1]:80/x", "https://[::1]:80/x"),
        ("https://[::1]", "https://[::1]"),
        ("fennec://", "fennec://"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("a+b-c.1://x", "a+b-c.1://x"),
    ])
    func withoutParametersNothingIsAdded(template: String, result: String) {
        #expect(url(template) == result)
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com?k=v"),
        ("https://example.com?", "https://example.com?k=v"),
        ("https://example.com?a=1", "https://example.com?a=1&k=v"),
        ("https://example.com?a=1&", "https://example.com?a=1&&k=v"),
        ("https://example.com#top", "https://example.com?k=v#top"),
        ("https://example.com?a#top?b", "https://example.com?a&k=v#top?b"),
        ("https://example.com?a=%26+b", "https://example.com?a=%26+b&k=v"),
    ])
    func parametersComeBehindTheItemsAndBeforeTheFragment(template: String, result: String) {
        #expect(url(template, ["k": "v"]) == result)
        #expect(url(template, ["k": "v"], dialect: .android) == result)
    }

    @Test func parametersAreSortedByNameInByteOrder() {
        #expect(
            url("://x", ["b": "2", "a": "1", "é": "4", "B": "0", "z": "3"]) == "fennec://x?B=0&a=1&b=2&z=3&%C3%A9=4")
    }

    @Test func valuesAreSubstitutedAndEncoded() {
        #expect(url("://x", ["k": "{odd}"]) == "fennec://x?k=a%20b/%C3%BC?%23")
        #expect(url("://x", ["k": "{odd}"], dialect: .android) == "fennec://x?k=a%20b%2F%C3%BC%3F%23")
        #expect(url("://x", ["k": "100%+&=#"]) == "fennec://x?k=100%25+%26%3D%23")
        #expect(url("://x", ["k": ""]) == "fennec://x?k=")
        #expect(url("://x", ["{locale}": "v"]) == "fennec://x?%7Blocale%7D=v", "names are not substituted")
    }

    @Test func iosEncodesNamesAndAndroidDoesNot() {
        #expect(url("://x", ["a&b": "v"]) == "fennec://x?a%26b=v")
        #expect(url("://x", ["a&b": "v"], dialect: .android) == "fennec://x?a&b=v")
    }

    @Test func oneUuidIsSharedByAllPlaces() {
        #expect(
            url("://x/{uuid}", ["a": "{uuid}", "b": "{uuid}"])
                == "fennec://x/\(Self.uuid)?a=\(Self.uuid)&b=\(Self.uuid)")
        #expect(url("://x/{uuid}", uuid: nil) == "fennec://x/%7Buuid%7D")
    }

    @Test func aUuidIsWantedOnlyWhereItIsNamed() {
        #expect(ActionLink.wantsUUID(template: "://x/{uuid}", parameters: []))
        #expect(ActionLink.wantsUUID(template: "://x", parameters: [("a", "b"), ("c", "d{uuid}e")]))
        #expect(!ActionLink.wantsUUID(template: "://x/{uuid", parameters: [("{uuid}", "uuid")]))
    }

    @Test(arguments: [
        "", "example.com", "/path", "1a://x", "a_b://x", "ä://x", "https://exa mple.com", "https://ex{missing}.com",
        "https://a:b/",
        "https://a:1:2/", "https://[::1", "https://[]", "https://[::1]x", "https://[a[b]", "https://a]b",
        "https://a@b@c", "https://[@x",
        "https://a%zz/", "https://\r\nx/", "https://é.com/", ":", "://",
    ])
    func whatIsNoLinkIsNil(template: String) {
        #expect(url(template, scheme: nil) == nil)
        #expect(url(template, ["k": "v"], scheme: nil) == nil)
    }

    @Test func aSchemeThatIsNoneMakesNoLink() {
        #expect(url("://x", scheme: "") == nil)
        #expect(url("://x", scheme: "a b") == nil)
        #expect(url("://x", scheme: nil) == nil)
    }

    @Test func aHostileLinkIsReadInOnePass() {
        let long = "https://x/" + String(repeating: "%", count: 200_000)
        #expect(url(long)?.utf8.count == 10 + 600_000)
        #expect(url("https://" + String(repeating: "a@", count: 100_000)) == nil)
    }
}
