internal import BellwetherCore

/// A recipe's document as it arrives.
struct RecipeText {
    let slug: String
    let text: [UInt8]
    let asDraft: Bool
}

extension CatalogEditor {
    /// A new recipe is live at once, or a draft if asked or if a second person must approve; an existing one keeps its
    /// state, and a draft of one that is live lies beside what is served.
    mutating func putRecipe(_ app: String, _ incoming: RecipeText) throws(PublishRefusal) -> PublishReceipt {
        let slug = incoming.slug
        try guardSpelling(of: app, recipe: slug)
        try guardIdentifier(slug)
        guard let manifest = apps[app]?.manifest else { throw .unknownApp }
        let current = apps[app]?.recipes[slug]
        try guardWrite(of: .recipe(slug: slug), in: app)
        let document = successor(
            of: current?.stored.document, retired: apps[app]?.retiredRevisions[slug], text: incoming.text)
        let newest = document ?? current?.stored.document
        let revision = newest?.revision ?? 1
        var intake = RecipeIntake(slug: slug, manifest: manifest, now: now)
        (intake.revision, intake.state) = (revision, current?.stored.state)
        let read = try reading.recipe(incoming.text, intake)
        guard let newest else { throw .notFound }
        let incoming = RecipeText(slug: slug, text: incoming.text, asDraft: incoming.asDraft || requiresApproval)
        let (stored, effect) = write(Self.lay(newest, over: current, read: read.content, incoming), to: app)
        return PublishReceipt(
            effect: effect, revision: revision, state: stored.isNewestDraft ? .draft : stored.state,
            warnings: read.warnings)
    }

    /// The recipe with a new newest revision.
    private static func lay(
        _ document: StoredDocument, over current: LoadedRecipe?, read: Recipe, _ incoming: RecipeText
    ) -> LoadedRecipe {
        guard let current else {
            let state: RecipeState = incoming.asDraft ? .draft : .live
            let stored = StoredRecipe(slug: incoming.slug, state: state, document: document)
            return LoadedRecipe(recipe: read, stored: stored)
        }
        var stored = current.stored
        let isInForce = stored.document == document && stored.inForce == nil
        if incoming.asDraft, stored.state != .draft, !isInForce {
            stored.inForce = stored.inForce ?? stored.document
            stored.document = document
            return LoadedRecipe(recipe: current.recipe, stored: stored)
        }
        stored.inForce = nil
        stored.document = document
        return LoadedRecipe(recipe: read, stored: stored)
    }

    mutating func deleteRecipe(_ app: String, _ slug: String) throws(PublishRefusal) {
        try guardSpelling(of: app, recipe: slug)
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = parts.recipes[slug]?.stored.document else { throw .notFound }
        try guardWrite(of: .recipe(slug: slug), in: app)
        edit(app) { parts in
            parts.recipes[slug] = nil
            parts.retiredRevisions[slug] = current.revision
        }
        note(.deleteRecipe(app: app, slug: slug))
    }
}
