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
        /// `draft`: a draft waits. Otherwise the state that the revision has now.
        let state: RecipeState
        let app: Identifier
        let name: DocumentName
        let document: StoredDocument

        var occasion: AppNotice.Occasion {
            switch state {
            case .draft: .draft
            case .live: .live
            case .paused: .paused
            case .ended: .ended
            }
        }
    }

    /// The webhooks to send.
    func webhooks(of changes: [CatalogChange]) -> [OutboxRow] {
        changes.compactMap(event).flatMap { content($0).webhooks(of: after[$0.app]?.manifest, at: now) }
    }

    private func event(_ change: CatalogChange) -> Event? {
        switch change {
        case .recipe(let app, let recipe): event(recipe, in: app)
        case .draft(let app, let name, let document):
            document.isDiscarded ? nil : Event(state: .draft, app: app, name: name, document: document)
        case .manifest(let app, let document):
            live(document, over: before[app]?.manifestDocument, .manifest, in: app)
        case .strings(let app, let locale, let document):
            live(document, over: before[app]?.strings[locale]?.document, .strings(locale: locale), in: app)
        case .approval, .deleteManifest, .deleteStrings, .deleteRecipe, .message, .record, .revision, .periods,
            .definitions, .pause, .reply, .list, .notices:
            nil
        }
    }

    private func live(
        _ document: StoredDocument, over former: StoredDocument?, _ name: DocumentName, in app: Identifier
    ) -> Event? {
        isTakenOver(former, by: document) ? nil : Event(state: .live, app: app, name: name, document: document)
    }

    /// Whether only the source of a document has changed.
    private func isTakenOver(_ former: StoredDocument?, by document: StoredDocument) -> Bool {
        former?.source == .file && document.source == .api && former?.text == document.text
    }

    private func event(_ recipe: StoredRecipe, in app: Identifier) -> Event? {
        let former = before[app]?.recipes[recipe.slug]?.stored
        let name = DocumentName.recipe(slug: recipe.slug)
        if recipe.isNewestDraft, former?.document.revision != recipe.document.revision {
            // A stage that starts numbers the draft again.
            return author == ChangeAuthor.daemon
                ? nil : Event(state: .draft, app: app, name: name, document: recipe.document)
        }
        let isAsBefore = former?.state == recipe.state && former?.served.revision == recipe.served.revision
        guard !isAsBefore, recipe.state != .draft, !isTakenOver(former?.served, by: recipe.served) else { return nil }
        return Event(state: recipe.state, app: app, name: name, document: recipe.served)
    }

    private func content(_ event: Event) -> NoticeContent {
        NoticeContent(
            occasion: event.occasion, app: event.app, sentence: sentence(event),
            members: [
                "kind": .string(kind(event.name)), "name": documentName(event.name).map { .string($0) } ?? .null,
                "revision": .integer(Int64(event.document.revision)), "by": .string(author),
                "author": event.document.author.isEmpty ? .null : .string(event.document.author),
            ],
            link: NoticeContent.link(publicURL, event.app, page(event)))
    }

    private func sentence(_ event: Event) -> String {
        let what = "\(subject(event)), revision \(event.document.revision)"
        let isDaemon = author == ChangeAuthor.daemon
        return switch event.state {
        case .draft: "\(author) asks for a review: \(what)."
        case .live: isDaemon ? "A stage started: \(what)." : "\(author) put live: \(what)."
        case .paused: "\(author) paused: \(what)."
        case .ended: isDaemon ? "Ended by its date: \(what)." : "\(author) ended: \(what)."
        }
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
    private func page(_ event: Event) -> String {
        switch event.name {
        case .manifest: "app"
        case .strings: "texts"
        case .recipe(let slug):
            "r/\(PercentEncoding.queryValue(slug.text))" + (event.state == .draft ? "/publish" : "")
        }
    }
}
