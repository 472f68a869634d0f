internal import BellwetherCore

/// A recipe's document as it arrives.
struct RecipeText {
    let slug: String
    let text: [UInt8]
    let asDraft: Bool
}

extension CatalogEditor {
    /// A new recipe is live at once, or a draft if asked; an existing one keeps its state.
    mutating func putRecipe(_ app: String, _ incoming: RecipeText, _ expected: Int?) throws(PublishRefusal)
        -> PublishReceipt
    {
        let slug = incoming.slug
        guard let manifest = apps[app]?.manifest else { throw .unknownApp }
        let current = apps[app]?.recipes[slug]?.stored
        try guardWrite(over: current?.document, expected: expected)
        if incoming.asDraft, let state = current?.state, state != .draft { throw .isLive }
        let document = successor(
            of: current?.document, retired: apps[app]?.retiredRevisions[slug], text: incoming.text)
        let revision = document?.revision ?? current?.document.revision ?? 1
        let read = try reading.recipe(incoming.text, slug: slug, revision: revision, manifest: manifest)
        let state = current?.state ?? (incoming.asDraft ? .draft : .live)
        if let document {
            let stored = StoredRecipe(slug: slug, state: state, document: document)
            edit(app) { $0.recipes[slug] = PublishedRecipe(recipe: read.content, stored: stored) }
            note(.recipe(app: app, stored))
        }
        return PublishReceipt(
            effect: document == nil ? .unchanged : current == nil ? .created : .changed, revision: revision,
            state: state, warnings: read.warnings)
    }

    mutating func deleteRecipe(_ app: String, _ slug: String, _ expected: Int?) throws(PublishRefusal) {
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = parts.recipes[slug]?.stored.document else { throw .notFound }
        try guardWrite(over: current, expected: expected)
        edit(app) { parts in
            parts.recipes[slug] = nil
            parts.retiredRevisions[slug] = current.revision
        }
        note(.deleteRecipe(app: app, slug: slug))
    }
}
