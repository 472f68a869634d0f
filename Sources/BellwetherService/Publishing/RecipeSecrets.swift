internal import BellwetherJSON
internal import Surveys

/// What a recipe that is published may do with the secrets of the settings (docs/reference/webhooks.md#secrets).
public struct RecipeSecrets {
    private let secrets: WebhookSecrets
    private let app: String
    private let slug: String
    private let recipes: [String: LoadedRecipe]

    /// - Parameter recipes: of the app.
    public init(_ secrets: WebhookSecrets, of app: String, for slug: String, beside recipes: [String: LoadedRecipe]) {
        (self.secrets, self.app, self.slug, self.recipes) = (secrets, app, slug, recipes)
    }

    private var others: some Sequence<LoadedRecipe> {
        recipes.lazy.filter { [slug] in $0.key != slug && $0.value.stored.state != .ended }.map(\.value)
    }

    /// A secret that is unknown is a warning: the settings may get it later.
    func checkHooks(of flow: FlowDefinition, _ findings: Findings) {
        let hooks = flow.hooks.filter { !$0.secretNames.isEmpty }
        let signing = hooks.isEmpty ? [] : Set(others.compactMap(\.signingSecret))
        for hook in hooks {
            guard let url = WebhookURL(hook.url) else { continue }
            for (header, text) in hook.headers.sorted(by: { $0.key.precedes($1.key) }) {
                let place = hook.pointer.appending("headers").appending(header)
                for name in HookHeader.secretNames(in: text) {
                    check(name, at: place, findings) { () throws(SecretRefusal) in
                        _ = try secrets.headerText(name, of: app, to: url, signing: signing)
                    }
                }
            }
        }
    }

    func checkNotification(of document: JSONValue, _ findings: Findings) {
        guard let notify = document.object?["notify"]?.object, let name = notify["secret_name"]?.string,
            let url = notify["url"]?.string.flatMap({ WebhookURL($0) })
        else { return }
        let place = JSONPointer(tokens: ["notify", "secret_name"])
        check(name, at: place, findings) { () throws(SecretRefusal) in
            _ = try secrets.signingKey(name, of: app, to: url)
            let isInHeader = others.contains { $0.published?.headerSecrets.contains(name) ?? false }
            if isInHeader { throw .inHeader }
        }
    }

    private func check(
        _ name: String, at place: JSONPointer, _ findings: Findings, _ use: () throws(SecretRefusal) -> Void
    ) {
        do {
            try use()
        } catch .unknown {
            findings.warn("unknown_secret", at: place, SecretRefusal.unknown.sentence(name))
        } catch {
            findings.fault("secret", at: place, error.sentence(name))
        }
    }
}

extension LoadedRecipe {
    /// The secret that signs its webhooks.
    var signingSecret: String? { published?.signingSecret }
}
