internal import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import Synchronization

/// The findings in apps' recipes, each with the version that it was found in.
public final class CatalogAnalysis: Sendable {
    /// The findings in one recipe.
    public struct Found: Sendable {
        public let warnings: Int
        /// The number of its texts that clients of a locale would read in another language. In byte order, without
        /// zeros.
        public let missing: [(locale: String, texts: Int)]
    }

    /// The findings in a recipe, and the version of the documents that they follow from.
    private struct Known {
        let version: String
        let found: Found
    }

    /// The known findings of existing recipes, by app and slug.
    private let known = Mutex<[Identifier: [Identifier: Known]]>([:])

    public init() {}

    /// Returns the findings in the newest revision of each recipe, by slug. A recipe is checked again after a publish
    /// of it, of the manifest or of strings. Until then, findings that depend on other recipes stay the same.
    public func checks(of app: AppSnapshot, _ secrets: WebhookSecrets?, now: Timestamp) -> [Identifier: Found] {
        let before = known.withLock { $0[app.name] ?? [:] }
        var after: [Identifier: Known] = [:]
        for (slug, recipe) in app.recipes {
            let version = app.version(around: recipe)
            let same = before[slug].flatMap { $0.version == version ? $0 : nil }
            after[slug] = same ?? Known(version: version, found: app.check(recipe, secrets, now: now))
        }
        known.withLock { [after] in $0[app.name] = after }
        return after.mapValues(\.found)
    }
}

extension AppSnapshot {
    /// The app with these recipes live, in place of the recipes with the same slugs. The present counts of quotas and
    /// limits are judged by the limits of these recipes.
    public func compiled(supposing recipes: [Recipe]) -> CompiledApp {
        let slugs = Set(recipes.map(\.slug))
        func others(_ recipes: [Recipe]) -> [Recipe] { recipes.filter { !slugs.contains($0.slug) } }
        let paused = self.recipes.values.filter { $0.stored.state == .paused }.map(\.recipe)
        let compiled = CompiledApp(
            manifest: manifest, manifestRevision: manifestDocument.revision, definitions: definitions.revisions,
            strings: strings, recipes: RecipesInForce(live: others(compiledApp.live) + recipes, paused: others(paused)),
            revision: catalog.revision, after: compiledApp)
        var reached = ReachedLimits()
        for limits in CompiledLimits(compiled.catalog).all {
            reached[limits.key] = limits.reached(Tally(catalog.reached[limits.key]))
        }
        return CompiledApp(CompiledApp(compiled, reached: reached), lists: compiledApp.lists)
    }

    /// The intake of a recipe as at a publish now, with the present checks.
    ///
    /// - Parameter seenEvents: the names of the events that clients sent lately; nil if they are not known.
    public func intake(
        of slug: Identifier, _ secrets: WebhookSecrets?, seenEvents: Set<Identifier>? = nil, now: Timestamp
    ) -> RecipeIntake {
        var intake = RecipeIntake(slug: slug, manifest: manifest, now: now)
        (intake.state, intake.context) = (recipes[slug]?.stored.state, checkContext(seenEvents))
        (intake.inForce, intake.former) = (recipes[slug]?.contentInForce, recipes[slug]?.recipe)
        intake.secrets = secrets.map { RecipeSecrets($0, of: name, for: slug, beside: recipes) }
        return intake
    }

    /// A text that identifies the documents on which the findings of a recipe depend.
    fileprivate func version(around recipe: LoadedRecipe) -> String {
        func name(_ document: StoredDocument) -> String { "\(document.revision)@\(document.publishedAt.milliseconds)" }
        let strings = stringDocuments.sorted { $0.key < $1.key }.map { "\($0.key) \(name($0.value))" }
        let own = [name(recipe.stored.document), recipe.stored.state.rawValue, name(manifestDocument)]
        return (own + strings).joined(separator: "\n")
    }

    fileprivate func check(
        _ recipe: LoadedRecipe, _ secrets: WebhookSecrets?, now: Timestamp
    ) -> CatalogAnalysis.Found {
        let slug = recipe.stored.slug
        guard let document = try? JSONValue(parsing: recipe.stored.document.text, limits: .kept) else {
            return CatalogAnalysis.Found(warnings: 0, missing: [])
        }
        let findings = Findings()
        var intake = intake(of: slug, secrets, now: now)
        intake.isStored = true
        _ = intake.read(document, findings: findings)
        return CatalogAnalysis.Found(
            warnings: findings.warnings.count, missing: MissingTranslation.counts(in: document, strings))
    }
}

extension AppSnapshot {
    /// The context that a document of the app is checked against.
    fileprivate func checkContext(_ seenEvents: Set<Identifier>?) -> CheckContext {
        CheckContext(
            strings: strings, live: compiledApp, seenEvents: seenEvents, lists: compiledApp.lists?.names ?? [],
            facts: declaredFacts)
    }
}

extension CatalogEditor {
    /// The context before the change, so that a PUT has the same findings as `validate`.
    func checkContext(of app: Identifier) -> CheckContext {
        snapshots[app]?.checkContext(seenEvents?(app))
            ?? CheckContext(strings: StringTables(defaultLocale: "en", locales: [:]), lists: [])
    }
}
