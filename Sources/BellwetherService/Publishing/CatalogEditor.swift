internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The catalog as it will be, and the changes that make a store agree with it.
///
/// A value: an edit that is refused, or that the store does not take, leaves the published one as it was. An edit
/// throws before it changes anything. Messages are compiled once, after all edits: `compile`.
struct CatalogEditor {
    private(set) var apps: [String: AppParts]
    private(set) var snapshots: [String: AppSnapshot]
    private(set) var changes: [CatalogChange] = []
    /// What is left of apps that were deleted.
    private(set) var retired: [String: RetiredApp]
    /// Drafts of manifests and strings, by app.
    var drafts: [String: [DocumentName: StoredDocument]]
    /// What Remote Settings' readers are told.
    private var records: RecordLedger
    let source: DocumentSource
    let now: Timestamp
    /// Who writes: a token's name.
    private(set) var author = ""
    /// What is written waits for a second person.
    private(set) var requiresApproval = false
    /// Whether a document may be replaced as it is.
    private(set) var precondition: PublishRequest.Precondition = { _ in true }
    private(set) var reading = DocumentReading(isStrict: false)
    /// Recipes that this edit has ended because their end has passed.
    private(set) var endedRecipes: [EndedRecipe] = []
    /// Apps whose messages are to be compiled anew.
    private var edited: Set<String> = []

    init(_ catalog: PublishedCatalog, source: DocumentSource, now: Timestamp) {
        apps = catalog.apps
        snapshots = catalog.snapshots
        retired = catalog.retired
        drafts = catalog.drafts
        records = catalog.records
        self.source = source
        self.now = now
    }

    /// One owner's change, whole.
    mutating func apply(_ request: PublishRequest) throws(PublishRefusal) -> PublishOutcome {
        reading = DocumentReading(isStrict: request.isStrict, limits: request.limits)
        reading.context = checkContext(of: request.app)
        author = request.author
        requiresApproval = request.requiresApproval
        precondition = request.precondition
        let malformedBefore = malformedKeys(of: request.app)
        let oversizedBefore = oversizedKeys(of: request.app)
        let outcome = try storesDraft(request) ? .stored(putDraft(request)) : edit(request)
        compile()
        try refuseOversized(request, before: oversizedBefore)
        if !changes.isEmpty { record() }
        guard case .stored(let stored) = outcome else { return outcome }
        var receipt = try warned(stored, request, malformedBefore: malformedBefore)
        receipt.entityTag = request.change.document.flatMap { version(of: $0, in: request.app)?.entityTag }
        return .stored(receipt)
    }

    private mutating func edit(_ request: PublishRequest) throws(PublishRefusal) -> PublishOutcome {
        switch request.change {
        case .putManifest(let text): return .stored(try putManifest(request.app, text))
        case .deleteManifest: try deleteManifest(request.app)
        case .putStrings(let locale, let text): return .stored(try putStrings(request.app, locale, text))
        case .deleteStrings(let locale): try deleteStrings(request.app, locale)
        case .putRecipe(let slug, let text, let asDraft):
            return .stored(try putRecipe(request.app, RecipeText(slug: slug, text: text, asDraft: asDraft)))
        case .deleteRecipe(let slug): try deleteRecipe(request.app, slug)
        case .setState(let slug, let state): return .stored(try setState(request.app, slug, state))
        case .putDraftLive(let name): return .stored(try putDraftLive(request.app, name))
        case .rollback: throw .notFound
        case .putRecipes(let text): return .batch(try putRecipes(request, text))
        }
        return .deleted
    }

    var catalog: PublishedCatalog {
        PublishedCatalog(apps: apps, snapshots: snapshots, retired: retired, drafts: drafts, records: records)
    }

    mutating func note(_ change: CatalogChange) { changes.append(change) }

    /// Changes an app's parts in place.
    mutating func edit(_ app: String, _ change: (inout AppParts) -> Void) {
        guard var parts = apps.removeValue(forKey: app) else { return }
        change(&parts)
        apps[app] = parts
        edited.insert(app)
    }

    /// Stores a recipe and notes the change. A recipe in force whose end has passed is ended here, whatever writes it:
    /// an owner, a file or the clock. Returns the recipe as it is stored.
    mutating func write(_ recipe: LoadedRecipe, to app: String) -> (StoredRecipe, PublishReceipt.Effect) {
        let current = apps[app]?.recipes[recipe.stored.slug]?.stored
        var stored = recipe.stored
        let isOver = recipe.isInForce && recipe.recipe.hasEnded(at: now)
        if isOver { stored.state = .ended }
        stored.stateSince = stored.state == current?.state ? current?.stateSince : now
        guard stored != current else { return (stored, .unchanged) }
        if isOver { endedRecipes.append(EndedRecipe(app: app, slug: stored.slug, end: recipe.recipe.end)) }
        edit(app) { $0.recipes[stored.slug] = LoadedRecipe(recipe: recipe.recipe, stored: stored) }
        note(.recipe(app: app, stored))
        return (stored, current == nil ? .created : .changed)
    }

    mutating func add(_ parts: AppParts) {
        apps[parts.name] = parts
        edited.insert(parts.name)
    }

    mutating func remove(app: String) {
        if let parts = apps[app] { retired[app] = RetiredApp(parts) }
        apps[app] = nil
        snapshots[app] = nil
        edited.remove(app)
    }

    /// Compiles the messages of every app that was edited; its revision grows by one.
    mutating func compile() {
        for app in edited.sorted() {
            guard var parts = apps[app] else { continue }
            parts.revision += 1
            parts.publishedAt = now
            let (snapshot, news) = parts.compile(at: now)
            for message in news {
                note(
                    .message(
                        app: app,
                        StoredMessage(
                            key: message.facts.key, revision: message.revision, text: message.document.encoded)))
            }
            note(.revision(app: app, parts.revision))
            apps[app] = parts
            snapshots[app] = snapshot
        }
        edited = []
    }

    /// Brings the records of Remote Settings up to what is compiled.
    mutating func record() {
        for (app, record) in records.update(snapshots, now: now) { note(.record(app: app, record)) }
    }

    /// Refuses a name that differs only in its bytes from one that is taken: people cannot tell them apart, and Unicode
    /// treats them as equal.
    func guardSpelling(of app: String, recipe slug: String? = nil, strings locale: String? = nil)
        throws(PublishRefusal)
    {
        let parts = apps[app]
        let others = [
            apps.otherSpelling(of: app), drafts.otherSpelling(of: app),
            slug.flatMap { parts?.recipes.otherSpelling(of: $0) },
            locale.flatMap { parts?.strings.otherSpelling(of: $0) },
        ]
        if let other = others.compactMap(\.self).first {
            throw .faults(
                [Finding(pointer: .root, code: "spelling", message: "it is \"\(other)\", the same in other bytes")],
                warnings: [])
        }
    }

    /// Refuses to create something under an invalid name. Nothing exists under one, so a change of it is `notFound`.
    func guardIdentifier(_ name: String) throws(PublishRefusal) {
        guard name.isIdentifier else {
            let message = "names have 1 to 128 printable characters"
            throw .faults([Finding(pointer: .root, code: "identifier", message: message)], warnings: [])
        }
    }

    /// The next revision of a document, or nil when the text says the same. `retired` is the last number of a document
    /// of that name that was deleted.
    func successor(of current: StoredDocument?, retired: Int?, text: [UInt8]) -> StoredDocument? {
        if let current, current.source == source, Self.saysTheSame(current.text, text) { return nil }
        let revision = (current?.revision ?? retired ?? 0) + 1
        return StoredDocument(revision: revision, source: source, text: text, publishedAt: now, author: author)
    }

    private static func saysTheSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        guard let left = try? JSONValue(parsing: left, limits: .kept) else { return false }
        return (try? JSONValue(parsing: right, limits: .kept)) == left
    }
}

/// A recipe that was ended because its end has passed.
struct EndedRecipe: Hashable {
    let app: String
    let slug: String
    let end: Timestamp?
}
