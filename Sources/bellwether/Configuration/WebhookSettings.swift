internal import BellwetherService
internal import HTTPWire
internal import Webhooks

/// The settings `webhooks.secrets` and `webhooks.allow_networks` (docs/reference/webhooks.md#secrets).
struct WebhookSettings {
    private(set) var secrets = WebhookSecrets()
    let rules: AddressRules

    /// What is wrong is added to the faults, which never quote a secret.
    /// - Parameter secrets: each `NAME=SECRET`.
    init(secrets texts: [String], allowing networks: [String], _ faults: inout [String]) {
        var blocks: [AddressBlock] = []
        for text in networks {
            do {
                blocks.append(try AddressBlock(text))
            } catch {
                faults.append("webhooks.allow_networks: \"\(text)\": \(error.reason)")
            }
        }
        rules = AddressRules(allowing: blocks)
        for (position, text) in texts.enumerated() {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                faults.append("webhooks.secrets: entry \(position + 1) is not NAME=SECRET")
                continue
            }
            if !secrets.add(String(parts[1]), named: String(parts[0])) {
                faults.append("webhooks.secrets: the secret \(parts[0]) is empty, or no Base64 behind whsec_")
            }
        }
    }
}
