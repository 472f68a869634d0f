internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Webhooks

/// The settings `webhooks.secrets` and `webhooks.allow_networks` (docs/reference/webhooks.md#secrets).
struct WebhookSettings {
    private(set) var secrets = WebhookSecrets()
    /// The names of secrets that do not list their apps and hosts.
    private(set) var plainNames: [String] = []
    let rules: AddressRules

    /// Adds errors to the faults. A fault never quotes a secret.
    /// - Parameter secrets: The secrets, each as `NAME=SECRET` or as an object in the form of `SettingsFile`.
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

    /// The warning at the start; nil if there is none.
    var warning: String? {
        guard !plainNames.isEmpty else { return nil }
        return "webhooks.secrets: every app may use \(plainNames.joined(separator: ", ")), and send it to any host: "
            + "write {value, apps, hosts}"
    }

    /// Adds a secret in the form `NAME=SECRET`. Returns false if the text does not have this form.
    private mutating func addText(_ text: String, _ faults: inout [String]) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        plainNames.append(String(parts[0]))
        add(String(parts[1]), String(parts[0]), WebhookSecrets.Scope(), &faults)
        return true
    }

    /// Adds a secret in the form of an object. Returns false if the text does not have this form.
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
