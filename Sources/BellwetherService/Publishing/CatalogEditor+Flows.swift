internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The active flow of a bundle, among all flows of the app (docs/reference/flows.md#bundles).
extension CatalogEditor {
    /// Refuses a bundle whose active flow is neither in it nor stored.
    func guardActiveFlow(of batch: RecipeBatch, in app: Identifier) throws(PublishRefusal) {
        guard let active = batch.activeFlow else { return }
        let isStored = apps[app]?.recipes[active].map { $0.flow != nil && $0.stored.state != .ended } ?? false
        let isBrought = batch.entries.contains { $0.slug == active }
        guard !isStored, !isBrought else { return }
        let finding = Finding(
            pointer: JSONPointer.root.appending("active_flow_id"), code: "unknown_flow",
            message: "neither the bundle nor the app has a flow \"\(active)\"")
        throw .faults([finding], warnings: [])
    }

    /// Makes the other flows of the app agree with the bundle. Each gets a revision that states whether it is the
    /// active one. If the bundle's active flow is refused, the other flows stay as they are.
    ///
    /// - Returns: the results for the flows that did not agree, in byte order.
    mutating func activateFlow(
        of batch: RecipeBatch, in app: Identifier, after results: [RecipeResult]
    ) -> [RecipeResult] {
        guard let active = batch.activeFlow, let recipes = apps[app]?.recipes,
            !results.contains(where: { $0.isRefused && $0.slug == active })
        else { return [] }
        let flows = recipes.values.filter { $0.flow != nil && $0.stored.state != .ended }.map(\.stored)
        let entries = flows.sorted { $0.slug < $1.slug }.flatMap { stored in
            stored.marked(isActive: stored.slug == active)
        }
        return put(entries, app)
    }
}

extension StoredRecipe {
    /// The revisions that state whether the flow is the active one; none if it states this already. A draft beside the
    /// revision in force stays a draft of its author.
    fileprivate func marked(isActive: Bool) -> [RecipeBatch.Entry] {
        let text = served.marked(isActive: isActive)
        var entries = text.map { [RecipeBatch.Entry(slug: slug, text: $0, refusal: nil, isStored: true)] } ?? []
        guard inForce != nil else { return entries }
        if let draft = document.marked(isActive: isActive) ?? (text == nil ? nil : document.text) {
            entries.append(
                RecipeBatch.Entry(
                    slug: slug, text: draft, refusal: nil, isDraft: true, isStored: true, author: document.author))
        }
        return entries
    }
}

extension StoredDocument {
    /// The flow with this value of `active`; nil if it has this value already.
    fileprivate func marked(isActive: Bool) -> [UInt8]? {
        guard var document = (try? JSONValue(parsing: text, limits: .kept))?.object,
            (document["active"] == true) != isActive
        else { return nil }
        document["active"] = .bool(isActive)
        return JSONValue.object(document).encoded
    }
}

extension Recipe {
    /// Whether the recipe is live at once when it is first stored, unless a draft was requested
    /// (docs/reference/flows.md#the-status-of-a-flow).
    var isPublished: Bool { content != .flow || FlowDefinition.isPublished(document) }
}
