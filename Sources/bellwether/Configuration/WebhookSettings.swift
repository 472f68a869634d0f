internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Webhooks

/// The settings `webhooks.secrets` and `webhooks.allow_networks` (docs/reference/webhooks.md#secrets).
struct WebhookSettings {
    private(set) var secrets = WebhookSecrets()
    /// Secrets that say nothing of the apps and hosts that they are for.
    private(set) var plainNames: [String] = []
    let rules: AddressRules

    /// Adds errors to the faults, which never quote a secret.
    /// - Parameter secrets: each `NAME=SECRET`, or an object as `SettingsFile` writes it.
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
            if !addObject(text, &faults), !addText(text, &faults) {
                faults.append("webhooks.secrets: entry \(position + 1) is not NAME=SECRET")
            }
        }
    }

    /// Where there is something to say at the start.
    var warning: String? {
        guard !plainNames.isEmpty else { return nil }
        return "webhooks.secrets: every app may use \(plainNames.joined(separator: ", ")), and send it to any host: "
            + "write {value, apps, hosts}"
    }

    /// False: the text is none.
    private mutating func addText(_ text: String, _ faults: inout [String]) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        plainNames.append(String(parts[0]))
        add(String(parts[1]), String(parts[0]), WebhookSecrets.Scope(), &faults)
        return true
    }

    /// False: the text is none.
    private mutating func addObject(_ text: String, _ faults: inout [String]) -> Bool {
        guard text.hasPrefix("{"), let object = (try? JSONValue(parsing: text))?.object,
            let name = object["name"]?.string, let value = object["value"]?.string
        else { return false }
        var scope = WebhookSecrets.Scope(apps: object["apps"]?.array?.compactMap(\.string))
        scope.hosts = object["hosts"]?.array?.compactMap(\.string).compactMap { text in
            let host = WebhookHost(text)
            if host == nil { faults.append("webhooks.secrets: \"\(text)\", of the secret \(name), is no host") }
            return host
        }
        add(value, name, scope, &faults)
        return true
    }

    private mutating func add(
        _ value: String, _ name: String, _ scope: WebhookSecrets.Scope, _ faults: inout [String]
    ) {
        if !secrets.add(value, named: name, for: scope) {
            faults.append("webhooks.secrets: the secret \(name) is empty, or no Base64 behind whsec_")
        }
    }
}
