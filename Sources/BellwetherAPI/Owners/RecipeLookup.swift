internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

extension RoutedRequest {
    /// The path names a document that does not exist, or not in the requested form.
    var missingDocument: APIError {
        let (app, slug) = (parameter("app"), parameter("slug"))
        guard !slug.isEmpty, snapshot.version(of: .recipe(slug: slug), in: app) == nil else {
            return .notFound("There is no such document.")
        }
        return .notFound("There is no recipe \"\(slug)\".")
    }
}

extension Call {
    /// Continues with the recipe in the path. A deleted recipe comes in its newest revision, with a nil state. The
    /// recipe is nil if there never was one.
    func withRecipe(
        _ proceed: @escaping (LoadedRecipe?, RecipeState?) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let (app, slug, publisher) = (try app(), parameter("slug"), services.publisher)
        if let recipe = app.recipes[slug] {
            return try proceed(recipe, recipe.stored.state)
        }
        return park { (ticket: Ticket<Result<[StoredDocument], PublishRefusal>>) in
            publisher.history(of: slug, in: app.name) { ticket.complete($0) }
        } resume: { (history) throws(APIError) in
            let revisions = (try? history.get()) ?? []
            return try proceed(LoadedRecipe(deleted: slug, revisions, under: app.manifest), nil)
        }
    }
}
