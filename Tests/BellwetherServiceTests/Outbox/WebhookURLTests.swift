import BellwetherJSON
import BellwetherService
import Testing

/// The valid URLs of a webhook, and the form in which they are shown.
@Suite struct WebhookURLTests {
    @Test(arguments: [
        ("https://a.example/hook", "a.example:443", "https://a.example/hook"),
        ("HTTP://A.Example", "a.example:80", "http://A.Example"),
        ("http://user:p%40ss@a.example:8080/x?key=secret#f", "a.example:8080", "http://a.example:8080/x"),
        ("https://u@v@a.example?secret", "a.example:443", "https://a.example"),
        ("https://[2001:db8::1]/x", "[2001:db8::1]:443", "https://[2001:db8::1]/x"),
        ("https://[2001:db8::1]:8443", "[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
    ])
    func hostAndShownText(_ text: String, _ host: String, _ shown: String) throws {
        let url = try #require(WebhookURL(text))
        #expect(url.host == host && url.shown == shown && url.text == text)
    }

    @Test(arguments: [
        "", "a.example", "//a.example", "ftp://a.example", "file:///etc/passwd", "https://", "https:///x",
        "https://u@/x", "https://:80/", "https://a.example/a b", "https://a.example\\@b.example",
        "https://a.example/\r\nX: y", "https:a.example", "gopher://a/", "https://a\u{0}b/",
    ])
    func otherTextsAreNoURL(_ text: String) { #expect(WebhookURL(text) == nil) }

    @Test func idsAreLongAndDiffer() {
        let ids = Set((0..<100).map { _ in WebhookID.make() })
        #expect(ids.count == 100 && ids.allSatisfy { $0.utf8.count == 36 && $0.text.hasPrefix("msg_") })
    }
}
