import BellwetherJSON
import Testing

@testable import BellwetherService

/// The apps that may use a secret, and the URLs that it may be used for (docs/reference/webhooks.md#secrets).
@Suite struct WebhookSecretsTests {
    private func url(_ text: String = "https://crm.example/hook") throws -> WebhookURL {
        try #require(WebhookURL(text))
    }

    private func secrets(_ text: String, for scope: WebhookSecrets.Scope = WebhookSecrets.Scope()) -> WebhookSecrets {
        var secrets = WebhookSecrets()
        let isAdded = secrets.add(text, named: "crm", for: scope)
        #expect(isAdded)
        return secrets
    }

    @Test func `A secret without prefix is the key itself`() throws {
        let url = try url()
        #expect(try secrets("s3cr\u{e9}t").signingKey("crm", of: "a", to: url) == Array("s3cr\u{e9}t".utf8))
        #expect(try secrets("whsec_Zm9v").signingKey("crm", of: "a", to: url) == Array("foo".utf8))
        #expect(throws: SecretRefusal.unknown) { try secrets("x").signingKey("other", of: "a", to: url) }
    }

    @Test(arguments: ["", "whsec_", "whsec_!", "whsec_A"])
    func `What is no secret is refused`(_ text: String) {
        var secrets = WebhookSecrets()
        let isAdded = secrets.add(text, named: "a")
        #expect(!isAdded)
    }

    @Test func `A secret is for the apps that it names`() throws {
        let secrets = secrets("s3cret", for: WebhookSecrets.Scope(apps: ["shop"]))
        let url = try url()
        #expect(try secrets.headerText("crm", of: "shop", to: url, signing: []) == "s3cret")
        #expect(throws: SecretRefusal.otherApp) { try secrets.headerText("crm", of: "other", to: url, signing: []) }
        #expect(throws: SecretRefusal.otherApp) { try secrets.signingKey("crm", of: "other", to: url) }
    }

    @Test(arguments: [
        ("crm.example", "https://crm.example/hook", true), ("CRM.example", "https://crm.EXAMPLE:8443/", true),
        ("crm.example:8443", "https://crm.example:8443/", true), ("crm.example:443", "https://crm.example/", true),
        ("crm.example:8443", "https://crm.example/", false),
        ("crm.example", "https://crm.example.evil.example/", false),
        ("crm.example", "https://crm.example@evil.example/", false), ("crm.example", "https://evilcrm.example/", false),
        ("crm.example", "https://evil.example/?crm.example", false), ("crm.example", "https://crm.example./", false),
        ("k.example", "https://\u{212A}.example/", false), ("127.0.0.1", "http://127.0.0.1:9/", true),
        ("127.0.0.1", "http://2130706433/", false), ("[::1]", "http://[::1]:80/", true),
        ("[::1]:80", "http://[::1]/", true), ("crm.example", "https://crm.example:443:80/", false),
    ])
    func `A secret goes to the hosts that it names`(_ host: String, _ address: String, _ isSent: Bool) throws {
        let scope = WebhookSecrets.Scope(hosts: [try #require(WebhookHost(host))])
        let text = try? secrets("s3cret", for: scope).headerText("crm", of: "a", to: url(address), signing: [])
        #expect(text == (isSent ? "s3cret" : nil))
    }

    @Test(arguments: [
        "", "https://crm.example", "crm.example/", "crm.example:", "crm.example:x", ":80", "a b", "*.example", "u@a",
        "::1",
        "[::1", "[::1]x", "a:1:2",
    ])
    func `Other texts are no hosts`(_ text: String) { #expect(WebhookHost(text) == nil) }

    @Test func `A key that signs is never a header's text`() throws {
        let url = try url()
        #expect(throws: SecretRefusal.signingKey) {
            try secrets("whsec_Zm9v").headerText("crm", of: "a", to: url, signing: [])
        }
        #expect(throws: SecretRefusal.signingKey) {
            try secrets("s3cret").headerText("crm", of: "a", to: url, signing: ["crm"])
        }
        var hooks = WebhookSecrets()
        _ = hooks.add("s3cret", named: "hooks")
        #expect(throws: SecretRefusal.signingKey) { try hooks.headerText("hooks", of: "a", to: url, signing: []) }
        #expect(throws: SecretRefusal.noText) {
            try secrets("two\nlines").headerText("crm", of: "a", to: url, signing: [])
        }
    }
}
