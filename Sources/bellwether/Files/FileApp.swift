internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// An app from files: all recipes are live, or only the recipes that are live at a time. Unreadable documents are
/// omitted; `CheckReport` has the reasons.
struct FileApp {
    let strings: StringTables
    /// The compiled app; nil without a manifest.
    let compiledApp: CompiledApp?
    /// The recipes that are not live at the time, in byte order of their slugs.
    let unserved: [UnservedRecipe]

    init(_ app: FileCatalog.App, at now: Timestamp? = nil) {
        let manifest = app.manifest.flatMap { Self.read($0) { Manifest.read($0, findings: $1) } }
        var locales: [String: [String: [String: String]]] = [:]
        for (locale, file) in app.strings {
            locales[locale.text] = Self.read(file) { StringTables.read($0, locale: locale.text, findings: $1) }
        }
        let strings = StringTables(defaultLocale: manifest?.defaultLocale ?? "en", locales: locales)
        self.strings = strings
        let recipes = manifest.map { Self.recipes(of: app, under: $0) } ?? []
        func unserved(_ recipe: Recipe) -> UnservedRecipe? { now.flatMap { recipe.unserved(at: $0) } }
        self.unserved = recipes.compactMap(unserved).sorted { $0.slug < $1.slug }
        compiledApp = manifest.map { manifest in
            CompiledApp(
                manifest: manifest, manifestRevision: 1, strings: strings,
                recipes: RecipesInForce(live: recipes.filter { unserved($0) == nil }), revision: 1)
        }
    }

    private static func recipes(of app: FileCatalog.App, under manifest: Manifest) -> [Recipe] {
        app.recipes.compactMap { slug, file in
            read(file) { Recipe.read($0, slug: slug, revision: 1, manifest: manifest, findings: $1) }
        }
    }

    private static func read<Content>(
        _ file: FileCatalog.File, _ read: (JSONValue, Findings) -> Content?
    ) -> Content? {
        (try? JSONValue(parsing: file.text)).flatMap { read($0, Findings()) }
    }
}

extension CheckContext {
    /// Recipes that are checked together count as live together.
    init(_ app: FileCatalog.App) {
        let files = FileApp(app)
        let documents = app.recipes.values.compactMap { try? JSONValue(parsing: $0.text) }
        let facts = documents.filter { ContentKind(of: $0) != nil }.flatMap { DeclaredFacts.names(in: $0) }
        self.init(strings: files.strings, live: files.compiledApp, facts: Set(facts))
    }
}
