import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// An application id in the spellings that occur in pings (docs/reference/http-api.md#gleans-edge-server).
@Suite struct ApplicationIDTests {
    @Test(
        arguments: [
            ("org.mozilla.ios.Firefox", "org-mozilla-ios-firefox", true),
            ("org.mozilla.ios.Firefox", "org.mozilla.ios.Firefox", true),
            ("org-mozilla-ios-firefox", "org.mozilla.ios.firefox", true),
            ("org.mozilla.firefox_beta", "org-mozilla-firefox-beta", true),
            ("a__b", "a-b", true), ("a.b", "a..b", true), ("app 7", "APP-7", true),
            ("org.mozilla.ios.Firefox", "org-mozilla-ios-firefoxbeta", false),
            ("org.mozilla.ios.Firefox", "org-mozilla-iosfirefox", false), ("ab", "a-b", false), ("a", "", false),
            ("a", "-", false), ("a0", "ap", false), ("é", "e", false),
        ])
    func spellings(_ declared: String, _ asked: String, _ isSame: Bool) throws {
        let manifest = try Sample.manifest(["application_ids": ["other", .string(declared)]])
        #expect(manifest.identity.hasApplication(Identifier(asked)) == isSame)
    }

    @Test func withoutIDsNothingIsTheApp() throws {
        #expect(try !Sample.manifest(["app_id": "org.example"]).identity.hasApplication("org.example"))
    }
}
