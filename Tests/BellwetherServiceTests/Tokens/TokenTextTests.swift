import Testing

@testable import BellwetherService

/// The texts of tokens that the daemon issues.
@Suite struct TokenTextTests {
    /// RFC 4648 10 without padding, and the two characters that only base64url has.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `Bytes become base64url`(_ bytes: String, _ text: String) {
        #expect(TokenText.make(Array(bytes.utf8)) == "bw_" + text)
    }

    @Test func `The last characters of the alphabet are those of URLs`() {
        #expect(TokenText.make([0xFB, 0xFF, 0xBF]) == "bw_-_-_")
    }

    @Test(arguments: [
        ("bw_", true), ("owl_client_", true), ("0", true), (String(repeating: "a", count: 32), true), ("", false),
        (String(repeating: "a", count: 33), false), ("Owl_", false), ("owl-", false), ("owl ", false), ("ö", false),
        ("a\n", false),
    ])
    func `A prefix has 1 to 32 of a-z, 0-9 and _`(_ prefix: String, _ isPrefix: Bool) {
        #expect(TokenText.isPrefix(prefix) == isPrefix)
    }

    @Test func `A token begins with its prefix, and goes on as others do`() {
        let text = TokenText.make(prefix: "owl_client_")
        #expect(text.hasPrefix("owl_client_") && text.utf8.count == 11 + TokenText.randomCount)
    }

    @Test func `Each is another, and 256 bits long`() {
        let texts = (0..<100).map { _ in TokenText.make() }
        #expect(Set(texts).count == 100)
        #expect(texts.allSatisfy { $0.utf8.count == 3 + TokenText.randomCount })
    }
}
