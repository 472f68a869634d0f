import Testing

@testable import BellwetherService

/// Signatures of Standard Webhooks. Conformance checks them with that project's own library.
@Suite struct WebhookSignatureTests {
    /// The example of the library of Standard Webhooks.
    @Test func theKnownExample() throws {
        var secrets = WebhookSecrets()
        let isAdded = secrets.add("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", named: "crm")
        #expect(isAdded)
        let key = try #require(secrets.key(named: "crm"))
        let text = WebhookSignature.text(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array("{\"test\": 2432232314}".utf8),
            key: key)
        #expect(text == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func aSecretWithoutPrefixIsTheKeyItself() {
        var secrets = WebhookSecrets()
        #expect(secrets.isEmpty)
        let areAdded = secrets.add("s3cr\u{e9}t", named: "a") && secrets.add("whsec_Zm9v", named: "b")
        #expect(areAdded)
        #expect(secrets.key(named: "a") == Array("s3cr\u{e9}t".utf8) && secrets.key(named: "b") == Array("foo".utf8))
        #expect(secrets.key(named: "c") == nil && !secrets.isEmpty)
    }

    @Test(arguments: ["", "whsec_", "whsec_!", "whsec_A"])
    func whatIsNoSecretIsRefused(_ text: String) {
        var secrets = WebhookSecrets()
        let isAdded = secrets.add(text, named: "a")
        #expect(!isAdded && secrets.key(named: "a") == nil)
    }
}
