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
        var parts = try self.app(app)
        let current = parts.recipes[incoming.slug]
        try guardWrite(over: current?.stored.document, expected: expected)
        if incoming.asDraft, let state = current?.stored.state, state != .draft { throw .isLive }
        let document = successor(
            of: current?.stored.document, retired: parts.retiredRevisions[incoming.slug], text: incoming.text)
        let revision = document?.revision ?? current?.stored.document.revision ?? 1
        let read = try reading.recipe(
            incoming.text, slug: incoming.slug, revision: revision, manifest: parts.manifest)
        let state = current?.stored.state ?? (incoming.asDraft ? .draft : .live)
        if let document {
            let stored = StoredRecipe(slug: incoming.slug, state: state, document: document)
            parts.recipes[incoming.slug] = PublishedRecipe(recipe: read.content, stored: stored)
            note(.recipe(app: app, stored))
            update(parts)
        }
        return PublishReceipt(
            effect: document == nil ? .unchanged : current == nil ? .created : .changed, revision: revision,
            state: state, warnings: read.warnings)
    }

    mutating func deleteRecipe(_ app: String, _ slug: String, _ expected: Int?) throws(PublishRefusal) {
        var parts = try self.app(app)
        guard let current = parts.recipes.removeValue(forKey: slug) else { throw .notFound }
        try guardWrite(over: current.stored.document, expected: expected)
        parts.retiredRevisions[slug] = current.stored.document.revision
        note(.deleteRecipe(app: app, slug: slug))
        update(parts)
    }
}
