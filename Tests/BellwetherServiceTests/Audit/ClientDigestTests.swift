import BellwetherBase
import BellwetherJSON
import BellwetherService
import Testing

@Suite struct ClientDigestTests {
    private let secret = [UInt8](0..<32)

    private func digest(_ app: Identifier, _ id: String, secret: [UInt8]? = nil) -> [UInt8] {
        ClientDigest.make(ClientReference(app: app, id: Identifier(id)), secret: secret ?? self.secret)
    }

    @Test func `The same client has the same digest, under one secret only`() {
        #expect(digest("a", "c") == digest("a", "c"))
        #expect(digest("a", "c").count == 32)
        #expect(digest("a", "c", secret: [UInt8](1..<33)) != digest("a", "c"))
    }

    @Test func `No two clients share one`() {
        let clients = [("a", "c"), ("ac", ""), ("", "ac"), ("a", "C"), ("b", "c"), ("a", "c\0"), ("a\0", "c")]
        #expect(Set(clients.map { digest(Identifier($0.0), $0.1) }).count == clients.count)
        // The two ids are equal as Swift strings, but have different bytes.
        #expect(digest("a", "\u{e9}") != digest("a", "e\u{301}"))
    }

    /// The expected value is from: printf 'bellwether erased client\0\0\0\0\001ac' | openssl dgst -sha256 -mac HMAC
    /// -macopt hexkey:000102…1f
    @Test func `It is HMAC-SHA256 over the app's length, the app and the id`() {
        #expect(Digest.hex(digest("a", "c")) == "6cd0d17dba31d969067eea64dd2ecfb639fde64b4816ce561eced5f96c4ed5e7")
    }
}
