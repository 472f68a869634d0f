internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The messages of a recipe for a client of one branch. Their triggers are ignored (docs/web.md#preview).
struct MessagePreview {
    let slug: Identifier
    let revision: Int
    let document: JSONValue
    let app: AppSnapshot
    let locale: LanguageTag?

    /// The branches with messages. A document without branches has the one branch `rollout`.
    var branches: [Identifier] { read(document)?.messagingByBranch.compactMap { $0.1 == nil ? nil : $0.0 } ?? [] }

    /// The messages; nil if the document or the branch has none.
    ///
    /// - Parameter branch: The branch; nil for the first with messages.
    func json(branch: Identifier?) -> JSONValue? {
        guard let recipe = read(document) else { return nil }
        let messaging = recipe.messagingByBranch.first { name, value in
            value != nil && (branch.map { name == $0 } ?? true)
        }?.value
        guard let messaging, let alone = read(Self.withoutContents(messaging)) else { return nil }
        let compiled = CompiledApp(
            manifest: app.manifest, manifestRevision: app.manifestDocument.revision, strings: app.strings,
            recipes: RecipesInForce(live: [alone]), revision: 1)
        let keys = messaging["messages"]?.object ?? [:]
        let messages = compiled.catalog.messages.filter { keys[$0.key] != nil }
        return messages.isEmpty ? nil : ["messages": .array(messages.map(rendered))]
    }

    /// Removes presented content, which is another recipe with its own preview. The card that offers the content stays.
    private static func withoutContents(_ messaging: JSONObject) -> JSONValue {
        var messaging = messaging
        let messages = (messaging["messages"]?.object ?? [:]).map { key, message in
            guard var card = message.object, card["presents"] != nil else { return (key: key, value: message) }
            card["presents"] = nil
            return (key: key, value: .object(card))
        }
        messaging["messages"] = .object(JSONObject(messages))
        return .object(messaging)
    }

    private func read(_ document: JSONValue) -> Recipe? {
        Recipe.read(document, slug: slug, revision: revision, manifest: app.manifest, findings: Findings())
    }

    /// Renders a message as the poll does, but without the action of a press.
    private func rendered(_ message: Message) -> JSONValue {
        let presentation = Presentation(
            message, manifest: app.manifest, localizer: app.strings.localizer(for: locale), requestedLocale: locale)
        let rendered = RenderedMessage(
            message, presentation: presentation, action: nil, theme: app.manifest.theme)
        return (try? JSONValue(parsing: rendered.beforeCount + [UInt8(ascii: "0")] + rendered.afterCount)) ?? .null
    }
}
