internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The notices about the changes of a publish, which are stored in its commit
/// (docs/reference/http-api.md#notices).
struct CatalogNotices {
    /// The apps before the changes.
    let before: [Identifier: EditableApp]
    let after: [Identifier: EditableApp]
    /// See `ChangeAuthor`.
    let author: String
    /// The public address of the daemon, for links.
    let publicURL: String?
    let now: Timestamp

    /// A change of a document that receivers may be told of.
    private struct Event {
        let occasion: AppNotice.Occasion
        let app: Identifier
        let name: DocumentName
        let document: StoredDocument
    }

    /// The webhooks to send.
    func webhooks(of changes: [CatalogChange]) -> [OutboxRow] {
        changes.compactMap(event).flatMap { event in
            (after[event.app]?.manifest.notices ?? []).filter { $0.occasions.contains(event.occasion) }.map { notice in
                OutboxRow(
                    id: WebhookID.make(), app: event.app, url: notice.url, secretName: notice.secretName,
                    body: body(event, notice.format).encoded, createdAt: now)
            }
        }
    }

    private func event(_ change: CatalogChange) -> Event? {
        switch change {
        case .recipe(let app, let recipe): event(recipe, in: app)
        case .draft(let app, let name, let document):
            document.isDiscarded ? nil : Event(occasion: .draft, app: app, name: name, document: document)
        case .manifest(let app, let document):
            Event(occasion: .live, app: app, name: .manifest, document: document)
        case .strings(let app, let locale, let document):
            Event(occasion: .live, app: app, name: .strings(locale: locale), document: document)
        case .approval, .deleteManifest, .deleteStrings, .deleteRecipe, .message, .record, .revision, .periods,
            .definitions, .pause, .reply, .list, .notices:
            nil
        }
    }

    private func event(_ recipe: StoredRecipe, in app: Identifier) -> Event? {
        let former = before[app]?.recipes[recipe.slug]?.stored
        let name = DocumentName.recipe(slug: recipe.slug)
        if recipe.isNewestDraft, former?.document.revision != recipe.document.revision {
            return Event(occasion: .draft, app: app, name: name, document: recipe.document)
        }
        let isAsBefore = former?.state == recipe.state && former?.served.revision == recipe.served.revision
        guard !isAsBefore, let occasion = AppNotice.Occasion(rawValue: recipe.state.rawValue), occasion != .draft
        else { return nil }
        return Event(occasion: occasion, app: app, name: name, document: recipe.served)
    }

    private func body(_ event: Event, _ format: AppNotice.Format) -> JSONValue {
        switch format {
        case .text: return ["text": .string(ResponseNotice.escaped(sentence(event)))]
        case .json:
            var members: JSONObject = [
                "type": .string(event.occasion.rawValue), "app": .string(event.app), "kind": .string(kind(event.name)),
                "name": documentName(event.name).map { .string($0) } ?? .null,
                "revision": .integer(Int64(event.document.revision)), "by": .string(author),
                "author": event.document.author.isEmpty ? .null : .string(event.document.author),
                "at": .string(now.rfc3339),
            ]
            if let link = link(event) { members["link"] = .string(link) }
            return .object(members)
        }
    }

    /// One sentence for a chat.
    private func sentence(_ event: Event) -> String {
        let what = "\(subject(event)), revision \(event.document.revision)"
        let text =
            switch event.occasion {
            case .draft: "\(author) asks for a review: \(what)."
            case .live: "\(author) put live: \(what)."
            case .paused: "\(author) paused: \(what)."
            case .ended: author == ChangeAuthor.daemon ? "Ended by its date: \(what)." : "\(author) ended: \(what)."
            }
        return link(event).map { "\(text) \($0)" } ?? text
    }

    private func subject(_ event: Event) -> String {
        let app = after[event.app]?.manifest.shortName ?? event.app.text
        return switch event.name {
        case .manifest: "the manifest of \(app)"
        case .strings(let locale): "the texts \(locale) of \(app)"
        case .recipe(let slug): "“\(after[event.app]?.recipes[slug]?.facts.name ?? slug.text)” of \(app)"
        }
    }

    private func kind(_ name: DocumentName) -> String {
        switch name {
        case .manifest: "manifest"
        case .strings: "strings"
        case .recipe: "recipe"
        }
    }

    private func documentName(_ name: DocumentName) -> Identifier? {
        switch name {
        case .manifest: nil
        case .strings(let locale): locale
        case .recipe(let slug): slug
        }
    }

    /// The page of the console where the document is looked at.
    private func link(_ event: Event) -> String? {
        guard let publicURL else { return nil }
        let home = "\(publicURL)/console/a/\(PercentEncoding.queryValue(event.app.text))"
        return switch event.name {
        case .manifest: home + "/app"
        case .strings: home + "/texts"
        case .recipe(let slug):
            "\(home)/r/\(PercentEncoding.queryValue(slug.text))" + (event.occasion == .draft ? "/publish" : "")
        }
    }
}
