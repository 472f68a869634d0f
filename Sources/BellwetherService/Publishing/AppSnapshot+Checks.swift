public import BellwetherCore

extension AppSnapshot {
    /// What a document of the app is checked against: the strings, and what is live but for the recipe that it replaces.
    public func checkContext(replacing slug: String? = nil) -> CheckContext {
        CheckContext(strings: strings, live: edition, replacing: slug.flatMap { recipes[$0]?.recipe })
    }
}

extension CatalogEditor {
    /// As the app is before the change, so that a PUT is told what `validate` tells.
    func checkContext(for request: PublishRequest) -> CheckContext? {
        guard let app = snapshots[request.app] else {
            return CheckContext(strings: StringTables(defaultLocale: "en", locales: [:]))
        }
        guard case .putRecipe(let slug, _, _) = request.change else { return app.checkContext() }
        return app.checkContext(replacing: slug)
    }
}
