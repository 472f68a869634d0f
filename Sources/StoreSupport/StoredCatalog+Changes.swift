public import BellwetherService

extension StoredCatalog {
    /// The catalog of a store after these changes.
    public init(_ changes: [CatalogChange]) {
        self.init(apps: [])
        for change in changes { apply(change) }
    }

    public mutating func apply(_ change: CatalogChange) {
        switch change {
        case .manifest(let app, let document): edit(app) { ($0.manifest, $0.drafts[.manifest]) = (document, nil) }
        case .deleteManifest(let app): edit(app) { ($0.manifest, $0.drafts[.manifest]) = (nil, nil) }
        case .strings(let app, let locale, let document):
            edit(app) { ($0.strings[locale], $0.drafts[.strings(locale: locale)]) = (document, nil) }
        case .deleteStrings(let app, let locale):
            edit(app) { ($0.strings[locale], $0.drafts[.strings(locale: locale)]) = (nil, nil) }
        case .draft(let app, let name, let document): edit(app) { $0.drafts[name] = document }
        case .recipe(let app, let recipe):
            edit(app) { app in
                let known = app.recipes.first { $0.slug == recipe.slug }?.document.revision ?? 0
                let newest = max(known, app.retiredRevisions[recipe.slug] ?? 0)
                app.recipes.removeAll { $0.slug == recipe.slug }
                app.recipes.append(recipe)
                app.recipes.sort { $0.slug.utf8.lexicographicallyPrecedes($1.slug.utf8) }
                app.retiredRevisions[recipe.slug] = newest > recipe.document.revision ? newest : nil
            }
        case .deleteRecipe(let app, let slug):
            edit(app) { app in
                let revision = app.recipes.first { $0.slug == slug }?.document.revision
                app.retiredRevisions[slug] = max(revision ?? 0, app.retiredRevisions[slug] ?? 0)
                app.recipes.removeAll { $0.slug == slug }
            }
        case .message(let app, let message):
            edit(app) { app in
                if !app.messages.contains(message) { app.messages.append(message) }
            }
        case .revision(let app, let revision): edit(app) { $0.revision = revision }
        case .record(let app, let record):
            edit(app) { app in
                app.records.removeAll { $0.collection == record.collection && $0.id == record.id }
                app.records.append(record)
            }
        case .reply: break
        }
    }

    private mutating func edit(_ name: String, _ change: (inout StoredApp) -> Void) {
        if !apps.contains(where: { $0.name == name }) { apps.append(StoredApp(name: name)) }
        for index in apps.indices where apps[index].name == name { change(&apps[index]) }
    }
}
