internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// A recipe that a collection shows, under the id of its record there.
///
/// Live and paused experiments and rollouts are shown. Paused ones are shown because a record that disappears ends the
/// enrollments of all phones. Drafts are not shown, and neither are recipes that have not begun or have ended, because
/// phones ignore the dates. Bare messaging values are not shown, because they are no Nimbus recipes.
struct ShownRecipe {
    let app: Identifier
    let id: Identifier
    let recipe: LoadedRecipe

    var content: StoredRecord.Content {
        .recipe(
            slug: recipe.stored.slug, revision: recipe.recipe.revision,
            isPaused: recipe.stored.state == .paused)
    }

    /// The shown recipes by collection, in the order of apps and slugs.
    static func all(of apps: [Identifier: AppSnapshot]) -> [Identifier: [ShownRecipe]] {
        var shown: [Identifier: [ShownRecipe]] = [:]
        var taken: [Identifier: Set<Identifier>] = [:]
        for app in apps.values.sorted(by: { $0.name < $1.name }) {
            let recipes = (app.compiledApp.live + app.compiledApp.paused).filter { $0.experiment != nil }
                .compactMap { app.recipes[$0.slug] }.sorted { $0.stored.slug < $1.stored.slug }
            for collection in Set(app.manifest.identity.collections) {
                for recipe in recipes {
                    let id = freeID(recipe, of: app.name, &taken[collection, default: []])
                    shown[collection, default: []].append(ShownRecipe(app: app.name, id: id, recipe: recipe))
                }
            }
        }
        return shown
    }

    /// The document's own id, otherwise its slug. An id is unique in its collection. If two apps use the same id, the
    /// first app by name gets it, and the id of the other record contains its app's name.
    private static func freeID(_ recipe: LoadedRecipe, of app: Identifier, _ taken: inout Set<Identifier>) -> Identifier
    {
        let slug = recipe.stored.slug
        let own = recipe.recipe.document.object?["id"]?.identifier.flatMap { $0.text.isIdentifier ? $0 : nil }
        var id = own ?? slug
        if taken.contains(id) { id = "\(app)--\(slug)" }
        while !taken.insert(id).inserted { id = "\(id)-" }
        return id
    }
}
