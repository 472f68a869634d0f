internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

extension CatalogEditor {
    /// A manifest is checked against all recipes of the app: a fault refuses it, what becomes malformed is a warning
    /// (docs/reference/http-api.md#manifest).
    mutating func putManifest(_ app: String, _ text: [UInt8]) throws(PublishRefusal) -> PublishReceipt {
        try guardSpelling(of: app)
        try guardIdentifier(app)
        if app.meansAllApps {
            throw .faults([Finding(pointer: .root, code: "reserved", message: "* means all apps")], warnings: [])
        }
        try guardWrite(of: .manifest, in: app)
        let read = try reading.manifest(text, over: apps[app])
        // A new manifest under an old name: its revisions go on after all that the app ever had.
        let retired = retired[app]
        let current = apps[app]?.manifestDocument
        guard
            let document = takeRevision(
                of: .manifest, in: app, text, retired: retired.map { Int(clamping: $0.revision) })
        else {
            return PublishReceipt(
                effect: .unchanged, revision: current?.revision ?? 1, state: toldState, warnings: read.warnings)
        }
        let recipes = try reread(apps[app]?.recipes ?? [:], under: read.content)
        if current == nil {
            add(AppParts(name: app, manifest: read.content, document: document, retired: retired))
        } else {
            edit(app) { parts in
                parts.manifest = read.content
                parts.manifestDocument = document
                parts.recipes = recipes
            }
        }
        dropDraft(of: .manifest, in: app)
        note(.manifest(app: app, document))
        return PublishReceipt(
            effect: current == nil ? .created : .changed, revision: document.revision, state: toldState,
            warnings: read.warnings)
    }

    mutating func deleteManifest(_ app: String) throws(PublishRefusal) {
        try guardSpelling(of: app)
        guard version(of: .manifest, in: app) != nil else { throw .unknownApp }
        try guardWrite(of: .manifest, in: app)
        let parts = apps[app]
        let draftLocales = (drafts.removeValue(forKey: app) ?? [:]).keys.compactMap(\.locale)
        for locale in Set(draftLocales).union(parts?.strings.keys.map(\.self) ?? []).sorted() {
            note(.deleteStrings(app: app, locale: locale))
        }
        for slug in parts?.recipes.keys.sorted() ?? [] { note(.deleteRecipe(app: app, slug: slug)) }
        note(.deleteManifest(app: app))
        guard let parts else { return }
        note(.revision(app: app, parts.revision + 1))
        remove(app: app)
    }

    private func reread(
        _ recipes: [String: LoadedRecipe], under manifest: Manifest
    ) throws(PublishRefusal) -> [String: LoadedRecipe] {
        var result: [String: LoadedRecipe] = [:]
        var faults: [Finding] = []
        for (slug, published) in recipes {
            let findings = Findings()
            let recipe = Recipe.read(
                published.recipe.document, slug: slug, revision: published.recipe.revision, manifest: manifest,
                findings: findings)
            faults += findings.faults.map {
                Finding(pointer: $0.pointer, code: $0.code, message: "in recipe \(slug): \($0.message)")
            }
            if let recipe { result[slug] = LoadedRecipe(recipe: recipe, stored: published.stored) }
        }
        guard faults.isEmpty else { throw .faults(faults, warnings: []) }
        return result
    }
}
