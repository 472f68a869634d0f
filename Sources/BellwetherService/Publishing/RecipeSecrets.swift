internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The secrets of the settings that a published recipe may use (docs/reference/webhooks.md#secrets).
public struct RecipeSecrets {
    private let secrets: WebhookSecrets
    private let app: Identifier
    private let slug: Identifier
    private let recipes: [Identifier: LoadedRecipe]

    /// - Parameter recipes: the recipes of the app.
    public init(
        _ secrets: WebhookSecrets, of app: Identifier, for slug: Identifier, beside recipes: [Identifier: LoadedRecipe]
    ) {
        (self.secrets, self.app, self.slug, self.recipes) = (secrets, app, slug, recipes)
    }

    private var others: some Sequence<LoadedRecipe> {
        recipes.lazy.filter { [slug] in $0.key != slug && $0.value.stored.state != .ended }.map(\.value)
    }

    /// Checks the secrets that hooks name. An unknown secret is a warning, because the settings may get it later.
    func checkHooks(of flow: FlowDefinition, _ findings: Findings) {
        let hooks = flow.hooks.filter { !$0.secretNames.isEmpty }
        let signing = hooks.isEmpty ? [] : Set(others.compactMap(\.signingSecret))
        for hook in hooks {
            guard let url = WebhookURL(hook.url) else { continue }
            for (header, text) in hook.headers.sorted(by: { $0.key.precedes($1.key) }) {
                let pointer = hook.pointer.appending("headers").appending(header)
                for name in HookHeader.secretNames(in: text) {
                    check(name, at: pointer, findings) { () throws(SecretRefusal) in
                        _ = try secrets.headerText(name, of: app, to: url, signing: signing)
                    }
                }
            }
        }
    }

    /// - Parameter headers: secrets that the recipe itself sends in headers.
    func checkNotification(of document: JSONValue, besides headers: [String] = [], _ findings: Findings) {
        guard let notify = document.object?["notify"]?.object, let name = notify["secret_name"]?.string,
            let url = notify["url"]?.string.flatMap({ WebhookURL($0) })
        else { return }
        let pointer = JSONPointer(tokens: ["notify", "secret_name"])
        check(name, at: pointer, findings) { () throws(SecretRefusal) in
            _ = try secrets.signingKey(name, of: app, to: url)
            let isInHeader =
                headers.contains(name) || others.contains { $0.published?.headerSecrets.contains(name) ?? false }
            if isInHeader { throw .inHeader }
        }
    }

    private func check(
        _ name: String, at pointer: JSONPointer, _ findings: Findings, _ use: () throws(SecretRefusal) -> Void
    ) {
        do {
            try use()
        } catch .unknown {
            findings.warn("unknown_secret", at: pointer, SecretRefusal.unknown.sentence(name))
        } catch {
            findings.fault("secret", at: pointer, error.sentence(name))
        }
    }
}

extension LoadedRecipe {
    /// The secret that signs its webhooks.
    var signingSecret: String? { published?.signingSecret ?? recipe.goals?.notify?.secretName }
}
