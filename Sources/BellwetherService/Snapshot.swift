public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// Everything that is published, as one immutable value: a request sees one snapshot from beginning to end.
public final class Snapshot: Sendable {
    /// Grows with every snapshot that this process builds.
    public let version: UInt64
    public let apps: [String: AppSnapshot]
    /// Files that could not be loaded; not empty makes readiness `degraded`.
    public let loadFailures: [String]
    /// Remote Settings' collections, by name.
    public let collections: [String: RecordCollection]
    /// Whether an app lets web pages call.
    public let hasWebOrigins: Bool
    /// Drafts of manifests and strings, by app.
    private let drafts: [String: [DocumentName: StoredDocument]]

    public init(
        version: UInt64, apps: [String: AppSnapshot], loadFailures: [String],
        collections: [String: RecordCollection] = [:], drafts: [String: [DocumentName: StoredDocument]] = [:]
    ) {
        self.version = version
        self.apps = apps
        self.loadFailures = loadFailures
        self.collections = collections
        hasWebOrigins = apps.values.contains { !$0.manifest.web.origins.isEmpty }
        self.drafts = drafts
    }

    /// The app of this very name, byte for byte.
    public func app(_ name: String) -> AppSnapshot? {
        apps[name].flatMap { $0.name.hasSameBytes(as: name) ? $0 : nil }
    }

    /// Drafts of the manifest and of the strings of the app of this very name.
    public func drafts(of app: String) -> [DocumentName: StoredDocument] {
        drafts.otherSpelling(of: app) == nil ? drafts[app] ?? [:] : [:]
    }

    public static let empty = Snapshot(version: 0, apps: [:], loadFailures: [])
}

/// One app: what is published of it, as it was written and as it is served.
public final class AppSnapshot: Sendable {
    public let name: String
    public let manifestDocument: StoredDocument
    public let stringDocuments: [String: StoredDocument]
    /// Newest revision of each recipe, by slug, in any state.
    public let recipes: [String: LoadedRecipe]
    public let compiledApp: CompiledApp
    /// The evaluation of the live recipes for Cirrus.
    public let features: FeatureEvaluation
    public let known: KnownMessages
    /// The bundle that devices decide from by themselves.
    public let bundle: BundleText
    /// Quotas and limits of its messages, compiled.
    let responseLimits: CompiledLimits
    /// The names of the limits that are reached: different where the limits differ.
    let reachedNames: [String]
    /// Names of secrets that sign webhooks of its recipes.
    let signingSecrets: Set<String>

    /// The same app, with other limits reached.
    init(_ other: AppSnapshot, reached: ReachedLimits, names: [String]) {
        (name, manifestDocument, stringDocuments) = (other.name, other.manifestDocument, other.stringDocuments)
        (recipes, features, known) = (other.recipes, other.features, other.known)
        (bundle, responseLimits, signingSecrets) = (other.bundle, other.responseLimits, other.signingSecrets)
        compiledApp = CompiledApp(other.compiledApp, reached: reached)
        reachedNames = names
    }

    init(_ parts: EditableApp, compiledApp: CompiledApp, bundle: BundleText) {
        name = parts.name
        manifestDocument = parts.manifestDocument
        stringDocuments = parts.strings.mapValues(\.document)
        recipes = parts.recipes
        self.compiledApp = compiledApp
        self.bundle = bundle
        responseLimits = CompiledLimits(compiledApp.catalog)
        reachedNames = []
        signingSecrets = Set(parts.recipes.values.filter { $0.stored.state != .ended }.compactMap(\.signingSecret))
        features = FeatureEvaluation(
            app: parts.name, manifest: parts.manifest, live: compiledApp.live.filter { $0.content == nil })
        known = parts.known
    }

    /// The recipes of which nothing is served, in byte order of their slugs.
    public func unservedRecipes(at now: Timestamp) -> [UnservedRecipe] {
        recipes.values.compactMap { $0.unserved(at: now) }.sorted { $0.slug.precedes($1.slug) }
    }

    public var manifest: Manifest { compiledApp.manifest }
    public var strings: StringTables { compiledApp.strings }
    public var experiments: ExperimentSet { compiledApp.experiments }
    public var catalog: Catalog { compiledApp.catalog }
}

/// A recipe as it is kept, and its revision in force as it was read; of a draft the newest.
public struct LoadedRecipe: Sendable {
    public let recipe: Recipe
    public let stored: StoredRecipe
    /// The content for respondents; nil: a recipe of messages.
    public let published: (any PublishedContent)?
    public let facts: RecipeFacts

    /// - Parameter retiredIDs: of questions of its earlier revisions.
    init(recipe: Recipe, stored: StoredRecipe, retiredIDs: Set<String> = []) {
        self.recipe = recipe
        self.stored = stored
        published = recipe.content.flatMap { kind in
            kind.published.init(
                recipe.document, kind, slug: recipe.slug, revision: recipe.revision, retiredIDs: retiredIDs)
        }
        facts = RecipeFacts(recipe)
    }

    /// A recipe that was deleted, as its newest revision says. Nil: there is none, or it does not read.
    ///
    /// - Parameter revisions: oldest first.
    public init?(deleted slug: String, _ revisions: [StoredDocument], under manifest: Manifest) {
        guard let newest = revisions.last, let document = try? JSONValue(parsing: newest.text, limits: .kept),
            let recipe = Recipe.read(
                document, slug: slug, revision: newest.revision, manifest: manifest, findings: Findings())
        else { return nil }
        self.init(
            recipe: recipe, stored: StoredRecipe(slug: slug, state: .ended, document: newest),
            retiredIDs: SurveyContent.questionIDs(of: revisions))
    }

    /// For the routes and use cases of questionnaires and surveys; nil: it is neither.
    public var survey: SurveyContent? { published as? SurveyContent }
    /// For the routes and use cases of flows; nil: it is none.
    public var flow: FlowContent? { published as? FlowContent }

    /// Ids of all questions that it ever had.
    var questionIDs: Set<String> { published?.questionIDs ?? [] }

    public var isLive: Bool { stored.state == .live }
    /// Why nothing of the recipe is served; nil: it is.
    public func unserved(at now: Timestamp) -> UnservedRecipe? {
        switch stored.state {
        case .draft: return UnservedRecipe(slug: stored.slug, reason: .draft, date: stored.document.publishedAt)
        case .paused: return UnservedRecipe(slug: stored.slug, reason: .paused, date: stored.stateSince)
        case .ended:
            // The daemon may not have been there at the end.
            let end = recipe.hasEnded(at: now) ? recipe.end : nil
            let date = [stored.stateSince, end].compactMap(\.self).min()
            return UnservedRecipe(slug: stored.slug, reason: .ended, date: date)
        case .live: return recipe.unserved(at: now)
        }
    }

    /// Whether its dates matter.
    var isInForce: Bool { stored.state == .live || stored.state == .paused }
}

/// A locale's tables as they were read, and as they are kept.
public struct PublishedStrings: Sendable {
    public let tables: [String: [String: String]]
    public let document: StoredDocument
}

extension Snapshot {
    /// The app whose manifest names this application id. Where several do, the first in the order of their names.
    public func app(applicationID id: String) -> AppSnapshot? {
        apps.values.filter { $0.manifest.identity.hasApplication(id) }
            .min { $0.name.precedes($1.name) }
    }
}
