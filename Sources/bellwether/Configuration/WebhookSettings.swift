internal import BellwetherJSON
internal import BellwetherService
internal import BellwetherSettings
internal import HTTPWire
internal import Webhooks

/// The settings `webhooks.secrets` and `webhooks.allow_networks` (docs/reference/webhooks.md#secrets).
struct WebhookSettings {
    private(set) var secrets = WebhookSecrets()
    /// The names of secrets that do not list their apps and hosts.
    private(set) var plainNames: [String] = []
    let rules: AddressRules

    /// Adds errors to the faults. A fault never quotes a secret.
    /// - Parameter entries: See `SettingsLayers.secrets`.
    init(
        secrets entries: [(name: String, secret: SecretSetting)?], allowing networks: [String],
        _ faults: inout [String]
    ) {
        var blocks: [AddressBlock] = []
        for text in networks {
            do {
                blocks.append(try AddressBlock(text))
            } catch {
                faults.append("webhooks.allow_networks: \"\(text)\": \(error.reason)")
            }
        }
        rules = AddressRules(allowing: blocks)
        for (position, entry) in entries.enumerated() {
            if let entry {
                add(entry.secret, entry.name, &faults)
            } else {
                faults.append("webhooks.secrets: entry \(position + 1) is not NAME=SECRET")
            }
        }
    }

    /// The warning at the start; nil if there is none.
    var warning: String? {
        guard !plainNames.isEmpty else { return nil }
        return "webhooks.secrets: every app may use \(plainNames.joined(separator: ", ")), and send it to any host: "
            + "write {value, apps, hosts}"
    }

    private mutating func add(_ secret: SecretSetting, _ name: String, _ faults: inout [String]) {
        if secret.scope == nil { plainNames.append(name) }
        var scope = WebhookSecrets.Scope(apps: secret.scope?.apps?.map { Identifier($0) })
        scope.hosts = secret.scope?.hosts?.compactMap { text in
            let host = WebhookHost(text)
            if host == nil { faults.append("webhooks.secrets: \"\(text)\", of the secret \(name), is no host") }
            return host
        }
        if !secrets.add(secret.value, named: name, for: scope) {
            faults.append("webhooks.secrets: the secret \(name) is empty, or no Base64 behind whsec_")
        }
    }
}
