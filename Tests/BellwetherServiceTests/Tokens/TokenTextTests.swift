import Testing

@testable import BellwetherService

/// The texts of tokens that the daemon makes.
@Suite struct TokenTextTests {
    /// RFC 4648 10 without padding, and the two characters that base64url has of its own.
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

    @Test func `Each is another, and 256 bits long`() {
        let texts = (0..<100).map { _ in TokenText.make() }
        #expect(Set(texts).count == 100)
        #expect(texts.allSatisfy { $0.utf8.count == 3 + 43 })
    }
}
