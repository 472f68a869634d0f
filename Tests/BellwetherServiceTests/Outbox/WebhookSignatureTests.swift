import BellwetherJSON
import Testing

@testable import BellwetherService

/// Signatures of Standard Webhooks. A conformance test checks them with the library of that project.
@Suite struct WebhookSignatureTests {
    /// The example of the library of Standard Webhooks.
    @Test func theKnownExample() throws {
        var secrets = WebhookSecrets()
        let isAdded = secrets.add("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", named: "crm")
        #expect(isAdded)
        let url = try #require(WebhookURL("https://crm.example/"))
        let key = try secrets.signingKey("crm", of: "app", to: url)
        let text = WebhookSignature.text(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array("{\"test\": 2432232314}".utf8),
            key: key)
        #expect(text == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
