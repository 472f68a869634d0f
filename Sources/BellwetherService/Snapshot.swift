public import BellwetherCore

/// Everything that is published, as one immutable value: a request sees one snapshot from beginning to end.
public final class Snapshot: Sendable {
    /// Grows with every snapshot that this process builds.
    public let version: UInt64
    public let apps: [String: AppSnapshot]
    /// Files that could not be loaded; not empty makes readiness `degraded`.
    public let loadFailures: [String]
    /// Remote Settings' collections, by name.
    public let collections: [String: RecordCollection]

    public init(
        version: UInt64, apps: [String: AppSnapshot], loadFailures: [String],
        collections: [String: RecordCollection] = [:]
    ) {
        self.version = version
        self.apps = apps
        self.loadFailures = loadFailures
        self.collections = collections
    }

    public static let empty = Snapshot(version: 0, apps: [:], loadFailures: [])
}

/// One app: its manifest, recipes and strings, and the messages compiled from them.
public final class AppSnapshot: Sendable {
    public let name: String
    public let manifest: Manifest
    public let manifestDocument: StoredDocument
    public let strings: StringTables
    public let stringDocuments: [String: StoredDocument]
    /// Newest revision of each recipe, by slug, in any state.
    public let recipes: [String: PublishedRecipe]
    /// Next numbers of slugs whose recipe was deleted.
    public let retiredRevisions: [String: Int]
    /// Live and paused experiments and rollouts.
    public let experiments: ExperimentSet
    public let catalog: Catalog
    public let known: KnownMessages

    init(_ parts: AppParts, catalog: Catalog, experiments: ExperimentSet) {
        name = parts.name
        manifest = parts.manifest
        manifestDocument = parts.manifestDocument
        strings = StringTables(
            defaultLocale: parts.manifest.defaultLocale, locales: parts.strings.mapValues(\.tables))
        stringDocuments = parts.strings.mapValues(\.document)
        recipes = parts.recipes
        retiredRevisions = parts.retiredRevisions
        self.catalog = catalog
        self.experiments = experiments
        known = parts.known
    }

    /// A message as it is served now, else as it was served last.
    public func facts(of key: String) -> MessageFacts? {
        if let message = catalog.message(key) { return message.facts }
        guard let facts = known.latest(key)?.facts else { return nil }
        return facts.enrolled(in: facts.experiment.flatMap { catalog.enrollment(in: $0) })
    }
}

/// A recipe as it was read, and as it is kept.
public struct PublishedRecipe: Sendable {
    public let recipe: Recipe
    public let stored: StoredRecipe

    public var isLive: Bool { stored.state == .live }
}

/// A locale's tables as they were read, and as they are kept.
public struct PublishedStrings: Sendable {
    public let tables: [String: [String: String]]
    public let document: StoredDocument
}
