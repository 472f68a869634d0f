internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// The parts of an app that a publish changes, before its messages are compiled.
struct EditableApp: Sendable {
    let name: Identifier
    var revision: UInt64
    /// The time of the last change.
    var publishedAt: Timestamp
    var manifest: Manifest
    var manifestDocument: StoredDocument
    var strings: [Identifier: PublishedStrings] = [:]
    var recipes: [Identifier: LoadedRecipe] = [:]
    /// The last revision of each slug whose recipe was deleted, or whose draft was discarded.
    var retiredRevisions: [Identifier: Int]
    var known: KnownMessages
    /// The periods of recipes that have or had goals. They outlive their recipes.
    var periods: [Identifier: LoadedPeriods]
    /// The definitions of derived events.
    var definitions = EventDefinitions()
    /// The lists, by name.
    var lists: [Identifier: LoadedList]

    /// Reserves the revision of a deleted recipe or of a discarded draft, so that it is not used again.
    mutating func retire(_ revision: Int, of slug: Identifier) {
        retiredRevisions[slug] = max(revision, retiredRevisions[slug] ?? 0)
    }

    /// The app after its last compilation.
    private var compiledApp: CompiledApp?
    /// The documents of the strings in `compiledApp`.
    private var compiledStrings: [Identifier: StoredDocument] = [:]
    /// The next time at which the dates of recipes change what is served; nil if there is none.
    private(set) var nextChange: Timestamp?

    init(name: Identifier, manifest: Manifest, document: StoredDocument, retired: RetiredApp?) {
        self.name = name
        self.manifest = manifest
        manifestDocument = document
        publishedAt = document.publishedAt
        revision = retired?.revision ?? 0
        retiredRevisions = retired?.revisions ?? [:]
        known = retired?.known ?? KnownMessages()
        periods = retired?.periods ?? [:]
        lists = retired?.lists ?? [:]
    }

    /// Compiles the messages of the live recipes and adds them to the known ones; returns the messages that are new to
    /// the store.
    mutating func compile(at now: Timestamp) -> (snapshot: AppSnapshot, news: [KnownMessage]) {
        let known = self.known
        var numbers = MessageRevisions()
        let compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: manifestDocument.revision, definitions: definitions.revisions,
            strings: stringTables(), recipes: recipesInForce(at: now), revision: revision, gone: goneRecipes,
            after: compiledApp
        ) { variants in
            let revisions = known.revisions(of: variants)
            numbers.note(variants, revisions)
            return revisions
        }
        self.compiledApp = compiledApp
        nextChange = recipes.values.filter(\.isInForce).compactMap { $0.nextChange(after: now) }.min()
        let news = self.known.remember(compiledApp.catalog.knownMessages)
        return (
            AppSnapshot(self, compiledApp: compiledApp, bundle: BundleText(self, of: compiledApp, messages: numbers)),
            news
        )
    }

    /// The recipes with the segments that their predicates read, paused ones with the guard that has paused them.
    ///
    /// - Parameter scope: the scope of the compiled app.
    func servedRecipes(in scope: AudienceScope) -> [Identifier: LoadedRecipe] {
        guard !periods.isEmpty || !scope.segments.isEmpty else { return recipes }
        var served = recipes
        if !scope.segments.isEmpty {
            for (slug, recipe) in recipes { if let bound = recipe.reading(scope) { served[slug] = bound } }
        }
        for (slug, loaded) in periods where served[slug]?.stored.state == .paused {
            served[slug]?.pausedBy = loaded.stored.pausing
        }
        return served
    }

    /// The goals that events count for.
    func goals(live: [Recipe]) -> GoalTable {
        guard !periods.isEmpty else { return .none }
        let live = Set(live.map(\.slug))
        return GoalTable(
            periods.reduce(into: [:]) { entries, entry in
                let (slug, loaded) = entry
                let (recipe, count) = (recipes[slug], loaded.stored.periods.count)
                let isInForce = recipe.map { $0.isInForce && $0.recipe.goals != nil } ?? false
                entries[slug] = GoalTable.Entry(
                    periods: loaded.counted, of: count, current: isInForce ? count : nil, isLive: live.contains(slug))
            })
    }

    /// The recipes that are live or paused, begun or not, in byte order of their slugs.
    var inForce: [Recipe] {
        recipes.values.filter(\.isInForce).map(\.recipe).sorted { $0.slug < $1.slug }
    }

    /// The tables of strings. If the strings have not changed, they are the tables of the last compilation.
    private mutating func stringTables() -> StringTables {
        let documents = strings.mapValues(\.document)
        if let compiledApp, documents == compiledStrings, compiledApp.manifest.defaultLocale == manifest.defaultLocale {
            return compiledApp.strings
        }
        compiledStrings = documents
        return StringTables(
            defaultLocale: manifest.defaultLocale,
            locales: Dictionary(strings.map { ($0.key.text, $0.value.tables) }) { first, _ in first })
    }

    /// The slugs of recipes that are deleted or not in force. Messages that present them are not offered.
    private var goneRecipes: [Identifier] {
        retiredRevisions.keys.filter { recipes[$0] == nil } + recipes.values.filter { !$0.isInForce }.map(\.stored.slug)
    }

    private func recipesInForce(at now: Timestamp) -> RecipesInForce {
        let current = recipes.values.filter {
            $0.recipe.hasStarted(at: now) && !$0.recipe.hasEnded(at: now)
        }
        func all(_ state: RecipeState) -> [Recipe] { current.filter { $0.stored.state == state }.map(\.recipe) }
        return RecipesInForce(live: all(.live), paused: all(.paused))
    }
}

/// The state that outlives an app's deletion: numbers continue, and late events still find their message.
struct RetiredApp: Sendable {
    let revision: UInt64
    let revisions: [Identifier: Int]
    let known: KnownMessages
    var periods: [Identifier: LoadedPeriods] = [:]
    /// The lists of an app whose manifest can no longer be read.
    var lists: [Identifier: LoadedList] = [:]

    init(_ parts: EditableApp) {
        revision = parts.revision + 1
        revisions = parts.retiredRevisions.merging(parts.recipes.mapValues(\.stored.document.revision)) { max($0, $1) }
        known = parts.known
        (periods, lists) = (parts.periods, parts.lists)
    }

    /// The state of a stored app before its documents are read.
    init(_ app: StoredApp) {
        revision = app.revision
        revisions = app.recipes.reduce(into: app.retiredRevisions) {
            $0[$1.slug] = max($0[$1.slug] ?? 0, $1.document.revision)
        }
        known = KnownMessages(app.messages)
    }
}

/// The published catalog: parsed documents and compiled messages.
struct PublishedCatalog: Sendable {
    var apps: [Identifier: EditableApp] = [:]
    var snapshots: [Identifier: AppSnapshot] = [:]
    var retired: [Identifier: RetiredApp] = [:]
    /// The last revision of each manifest and strings document that was deleted, or whose draft was discarded, by app.
    var discarded: [Identifier: [DocumentName: Int]] = [:]
    /// Drafts of manifests and strings, by app. An app whose first manifest is a draft has nothing else.
    var drafts: [Identifier: [DocumentName: StoredDocument]] = [:]
    var records = RecordLedger()
    /// The key under which ids of lists are hashed; nil before the first list.
    var listKey: ListKey?

    /// The same catalog, in which apps have other lists.
    func with(lists: [Identifier: [Identifier: LoadedList]]) -> PublishedCatalog {
        var catalog = self
        for (app, lists) in lists {
            catalog.apps[app]?.lists = lists
            catalog.snapshots[app] = snapshots[app]?.with(lists, listKey)
        }
        return catalog
    }
}
