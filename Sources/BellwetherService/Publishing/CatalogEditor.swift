internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The next catalog, and the changes that make a store agree with it.
///
/// It is a value: an edit that is refused, or that the store rejects, does not change the published catalog. An edit
/// throws before it changes anything. Messages are compiled once, after all edits (`compile`).
struct CatalogEditor {
    private(set) var apps: [Identifier: EditableApp]
    private(set) var snapshots: [Identifier: AppSnapshot]
    private(set) var changes: [CatalogChange] = []
    /// The state that remains of deleted apps.
    private(set) var retired: [Identifier: RetiredApp]
    /// The last revision of each manifest and strings document that was deleted, or whose draft was discarded, by app.
    private(set) var discarded: [Identifier: [DocumentName: Int]]
    /// The drafts of manifests and strings, by app.
    var drafts: [Identifier: [DocumentName: StoredDocument]]
    /// The records that readers of Remote Settings get.
    private var records: RecordLedger
    private let listKey: ListKey?
    let source: DocumentSource
    let now: Timestamp
    /// The trace to which the notices of the change belong; nil if there is none.
    private(set) var trace: TraceContext?
    /// The author of the change: the name of a token.
    private(set) var author = ""
    /// Whether a change waits for the approval of a second person.
    private(set) var requiresApproval = false
    private(set) var isReview = false
    /// Whether the present version of a document may be replaced.
    private(set) var precondition: PublishRequest.Precondition = { _ in true }
    /// The revision that a change of state means; nil if it names none.
    var meantRevision: Int?
    private(set) var reading = DocumentReading(isStrict: false)
    /// Whether the document was stored before.
    private(set) var isStored = false
    /// Whether documents from files are replaced.
    var takesOver = false
    /// The secrets that recipes may name; nil if the names are not checked.
    var secrets: WebhookSecrets?
    /// The names of the events that clients of an app sent lately; nil if they are not known.
    var seenEvents: ((Identifier) -> Set<Identifier>?)?
    /// The recipes that this edit has ended because their end has passed.
    private(set) var endedRecipes: [EndedRecipe] = []
    /// The apps whose messages have to be compiled again.
    private var edited: Set<Identifier> = []

    init(_ catalog: PublishedCatalog, source: DocumentSource, now: Timestamp) {
        apps = catalog.apps
        snapshots = catalog.snapshots
        retired = catalog.retired
        discarded = catalog.discarded
        drafts = catalog.drafts
        records = catalog.records
        listKey = catalog.listKey
        self.source = source
        self.now = now
    }

    /// Applies one owner's change completely.
    mutating func apply(_ request: PublishRequest) throws(PublishRefusal) -> PublishOutcome {
        reading = DocumentReading(isStrict: request.isStrict, limits: request.limits)
        reading.context = checkContext(of: request.app)
        (author, isStored, trace) = (request.author, request.isStored, request.trace)
        (requiresApproval, precondition) = (request.requiresApproval, request.precondition)
        (meantRevision, isReview) = (request.revision, request.isReview)
        let malformedBefore = malformedKeys(of: request.app)
        let oversizedBefore = oversizedKeys(of: request.app)
        let bytesBefore = bytes
        let outcome = try storesDraft(request) ? .stored(putDraft(request)) : edit(request)
        compile()
        try refuseOversized(request, before: oversizedBefore)
        try refuseExcess(request, before: bytesBefore)
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
        case .takeOver: return .stored(try takeOver(request.app))
        case .advance(let slug): return .stored(try advance(request.app, slug))
        case .putDraftLive(let name): return .stored(try putDraftLive(request.app, name))
        case .discardDraft(let name): try discardDraft(request.app, name)
        case .rollback: throw .notFound
        case .putRecipes(let text): return .batch(try putRecipes(request, text))
        case .list(let change): return try self.change(request, change)
        }
        return .deleted
    }

    var catalog: PublishedCatalog {
        PublishedCatalog(
            apps: apps, snapshots: snapshots, retired: retired, discarded: discarded, drafts: drafts, records: records,
            listKey: listKey)
    }

    /// Sets a list, or removes it. Nothing is compiled again.
    mutating func setList(_ name: Identifier, _ list: LoadedList?, in app: Identifier) {
        apps[app]?.lists[name] = list
        snapshots[app] = snapshots[app]?.with(apps[app]?.lists ?? [:], listKey)
    }

    mutating func note(_ change: CatalogChange) { changes.append(change) }

    /// Notes the notices about all changes. Files are read again at each start, so their changes make no notices.
    mutating func noteNotices(since before: [Identifier: EditableApp], by author: String, publicURL: String?) {
        guard author != ChangeAuthor.file else { return }
        let notices = CatalogNotices(before: before, after: apps, author: author, publicURL: publicURL, now: now)
        var webhooks = notices.webhooks(of: changes)
        for index in webhooks.indices { webhooks[index].trace = trace }
        if !webhooks.isEmpty { note(.notices(webhooks)) }
    }

    /// Reserves the newest revision of a manifest or of strings, which are deleted or whose draft is discarded. An
    /// approval that names it cannot mean another document later.
    mutating func reserve(_ revision: Int, of name: DocumentName, in app: Identifier) {
        guard source == .api else { return }
        discarded[app, default: [:]][name] = revision
        note(.draft(app: app, name, .discarded(revision, at: now)))
    }

    /// Changes an app's parts in place.
    mutating func edit(_ app: Identifier, _ change: (inout EditableApp) -> Void) {
        guard var parts = apps.removeValue(forKey: app) else { return }
        change(&parts)
        apps[app] = parts
        edited.insert(app)
    }

    /// Stores a recipe and notes the change. A recipe in force whose end has passed is ended here, whatever writes it:
    /// an owner, a file or the clock. Returns the recipe as it is stored.
    mutating func write(_ recipe: LoadedRecipe, to app: Identifier) -> (StoredRecipe, PublishReceipt.Effect) {
        let current = apps[app]?.recipes[recipe.stored.slug]?.stored
        var stored = recipe.stored
        let isOver = recipe.isInForce && recipe.recipe.hasEnded(at: now)
        if isOver { stored.state = .ended }
        stored.stateSince = stored.state == current?.state ? current?.stateSince : now
        guard stored != current else { return (stored, .unchanged) }
        if isOver { endedRecipes.append(EndedRecipe(app: app, slug: stored.slug, end: recipe.recipe.end)) }
        let former = apps[app]?.recipes[stored.slug].flatMap { $0.isInForce ? $0.recipe : nil }
        let isSegment = recipe.recipe.segment != nil || apps[app]?.recipes[stored.slug]?.recipe.segment != nil
        let formerSegments = isSegment ? apps[app]?.segmentsInForce : nil
        let retiredIDs = recipe.questionIDs.union(apps[app]?.recipes[stored.slug]?.questionIDs ?? [])
        edit(app) {
            $0.recipes[stored.slug] = LoadedRecipe(recipe: recipe.recipe, stored: stored, retiredIDs: retiredIDs)
        }
        note(.recipe(app: app, stored))
        followPeriod(of: stored, in: app, after: former)
        formerSegments.map { followSegments(in: app, formerly: $0) }
        return (stored, current == nil ? .created : .changed)
    }

    /// Begins a period of the recipe's goals, or continues one, if the recipe is in force. When a recipe is live again,
    /// the guards that have fired are off.
    private mutating func followPeriod(of stored: StoredRecipe, in app: Identifier, after former: Recipe?) {
        let slug = stored.slug
        guard let parts = apps[app], let recipe = parts.recipes[slug], recipe.isInForce else { return }
        var periods = parts.periods[slug] ?? LoadedPeriods()
        let isResumed = stored.state == .live && periods.stored.resume()
        guard periods.follow(recipe.recipe, after: former, at: now) || isResumed else { return }
        edit(app) { $0.periods[slug] = periods }
        note(.periods(app: app, slug: slug, periods.stored))
    }

    mutating func add(_ parts: EditableApp) {
        apps[parts.name] = parts
        edited.insert(parts.name)
    }

    mutating func remove(app: Identifier) {
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
            snapshots[app] = snapshot.with(parts.lists, listKey)
        }
        edited = []
    }

    /// Updates the records of Remote Settings to the compiled snapshots.
    mutating func record() {
        for (app, record) in records.update(snapshots, now: now) { note(.record(app: app, record)) }
    }

    /// Reads a recipe that is to be written. When this returns, no other copy of the app's recipes exists.
    func read(
        _ text: [UInt8], _ intake: RecipeIntake, of slug: Identifier, in app: Identifier
    ) throws(PublishRefusal) -> DocumentReading.Read<Recipe> {
        var intake = intake
        intake.secrets = secrets.map { RecipeSecrets($0, of: app, for: slug, beside: apps[app]?.recipes ?? [:]) }
        return try reading.recipe(text, intake)
    }

    /// Refuses a name that equals an existing name in Unicode, but has other bytes. People cannot distinguish two such
    /// names.
    func guardSpelling(of app: Identifier, recipe slug: Identifier? = nil, strings locale: Identifier? = nil)
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

    /// Refuses to create something under an invalid name. No document has such a name, so its change is `notFound`.
    func guardIdentifier(_ name: Identifier) throws(PublishRefusal) {
        guard name.text.isIdentifier else {
            let message = "names have 1 to 128 printable characters"
            throw .faults([Finding(pointer: .root, code: "identifier", message: message)], warnings: [])
        }
    }

    /// The next revision of a document; nil if the content is the same. `retired` is the last number of a deleted
    /// document of that name, or of a discarded draft.
    func successor(
        of current: StoredDocument?, retired: Int?, text: [UInt8], by author: String? = nil
    ) -> StoredDocument? {
        if let current, current.source == source, Self.saysTheSame(current.text, text) { return nil }
        let revision = max(current?.revision ?? 0, retired ?? 0) + 1
        return StoredDocument(
            revision: revision, source: source, text: text, publishedAt: now, author: author ?? self.author)
    }

    static func saysTheSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        guard let left = try? JSONValue(parsing: left, limits: .kept) else { return false }
        return (try? JSONValue(parsing: right, limits: .kept)) == left
    }
}

/// A recipe that was ended because its end has passed.
struct EndedRecipe: Hashable {
    let app: Identifier
    let slug: Identifier
    let end: Timestamp?
}

/// The document of a recipe as it arrives.
struct RecipeText {
    let slug: Identifier
    let text: [UInt8]
    let asDraft: Bool
    /// Whether it is a stored document, with no changes except the daemon's own.
    var isStored = false
    /// The author of a stored draft; nil for the author of the request.
    var author: String?
}

extension CatalogEditor {
    /// Puts a recipe. A new recipe is live at once, or a draft if requested or if a second person must approve. An
    /// existing recipe keeps its state; a draft of a live recipe is stored beside the served revision.
    mutating func putRecipe(_ app: Identifier, _ incoming: RecipeText) throws(PublishRefusal) -> PublishReceipt {
        let slug = incoming.slug
        try guardSpelling(of: app, recipe: slug)
        try guardIdentifier(slug)
        guard let manifest = apps[app]?.manifest else { throw .unknownApp }
        let current = apps[app]?.recipes[slug]
        try guardWrite(of: .recipe(slug: slug), in: app)
        let document = successor(
            of: current?.stored.document, retired: apps[app]?.retiredRevisions[slug], text: incoming.text,
            by: incoming.author)
        let newest = document ?? current?.stored.document
        let revision = newest?.revision ?? 1
        var intake = RecipeIntake(slug: slug, manifest: manifest, now: now)
        (intake.revision, intake.state) = (revision, current?.stored.state)
        (intake.inForce, intake.former) = (current?.contentInForce, current?.recipe)
        intake.isStored = isStored || incoming.isStored || document == nil
        let read = try read(incoming.text, intake, of: slug, in: app)
        guard let newest else { throw .notFound }
        let asDraft = incoming.asDraft || requiresApproval && !takesOver
        let incoming = RecipeText(slug: slug, text: incoming.text, asDraft: asDraft)
        let next = lay(newest, over: current, read: read.content, incoming, in: app)
        try guardSegments(next, over: current, in: app)
        let (stored, effect) = write(next, to: app)
        return PublishReceipt(
            effect: effect, revision: revision, state: stored.isNewestDraft ? .draft : stored.state,
            warnings: read.warnings)
    }

    /// The recipe with another newest revision.
    private func lay(
        _ document: StoredDocument, over current: LoadedRecipe?, read: Recipe, _ incoming: RecipeText,
        in app: Identifier
    ) -> LoadedRecipe {
        let initial: RecipeState = incoming.asDraft || !read.isPublished ? .draft : .live
        guard let current else {
            let stored = StoredRecipe(slug: incoming.slug, state: initial, document: document)
            return LoadedRecipe(recipe: read, stored: stored)
        }
        var stored = current.stored
        let isInForce = stored.document == document && stored.inForce == nil
        // For a flow from a file, only the file can state that it is published. A guard's pause outlives the reading of
        // an unchanged file.
        let isGuarded = isInForce && isPausedByGuard(stored, in: app)
        if source == .file, stored.state != .ended, !isGuarded { stored.state = initial }
        if incoming.asDraft, stored.state != .draft, !isInForce {
            stored.inForce = stored.inForce ?? stored.document
            stored.document = document
            return LoadedRecipe(recipe: current.recipe, stored: stored)
        }
        stored.inForce = nil
        stored.document = document
        return LoadedRecipe(recipe: read, stored: stored)
    }

    func isPausedByGuard(_ recipe: StoredRecipe, in app: Identifier) -> Bool {
        recipe.state == .paused && apps[app]?.periods[recipe.slug]?.stored.pausing != nil
    }

    mutating func deleteRecipe(_ app: Identifier, _ slug: Identifier) throws(PublishRefusal) {
        try guardSpelling(of: app, recipe: slug)
        guard let parts = apps[app] else { throw .unknownApp }
        guard let current = parts.recipes[slug] else { throw .notFound }
        try guardWrite(of: .recipe(slug: slug), in: app)
        try guardSegments(nil, over: current, in: app)
        edit(app) { parts in
            parts.recipes[slug] = nil
            parts.retire(current.stored.document.revision, of: slug)
        }
        closePeriods(of: slug, in: app)
        note(.deleteRecipe(app: app, slug: slug))
    }

    /// A deleted recipe counts nothing more.
    mutating func closePeriods(of slug: Identifier, in app: Identifier) {
        guard var periods = apps[app]?.periods[slug], periods.stored.close() else { return }
        edit(app) { $0.periods[slug] = periods }
        note(.periods(app: app, slug: slug, periods.stored))
    }
}

/// The messages that a publish makes malformed, in its own document or in others that needed a part that it removed.
extension CatalogEditor {
    func malformedKeys(of app: Identifier) -> Set<Identifier> {
        Set(snapshots[app]?.catalog.malformed.map(\.facts.key) ?? [])
    }

    func oversizedKeys(of app: Identifier) -> Set<Identifier> { Set(snapshots[app]?.catalog.oversized ?? []) }

    /// Refuses a change after which recipes patch a message in more ways than the daemon keeps variants. Such a message
    /// could not be served.
    func refuseOversized(_ request: PublishRequest, before: Set<Identifier>) throws(PublishRefusal) {
        guard let snapshot = snapshots[request.app] else { return }
        let locations = MessageLocations(request.change, in: snapshot)
        let faults = snapshot.catalog.oversized.filter { !before.contains($0) }.prefix(Findings.maximum).map { key in
            Finding(
                pointer: locations.pointer(to: key), code: "too_many_forms",
                message: "the app's recipes patch message \"\(key)\" in too many independent ways to serve them all")
        }
        if !faults.isEmpty { throw .faults(faults, warnings: []) }
    }

    /// Adds a warning for each message that has become malformed, unless a warning at the message gives the reason
    /// already.
    func warned(
        _ receipt: PublishReceipt, _ request: PublishRequest, malformedBefore: Set<Identifier>
    ) throws(PublishRefusal) -> PublishReceipt {
        guard receipt.effect != .unchanged, let snapshot = snapshots[request.app] else { return receipt }
        let locations = MessageLocations(request.change, in: snapshot)
        // A tie of priorities is no reason why a message is malformed.
        var known = Set(
            receipt.warnings.filter { $0.code != "priority_tie" }.compactMap { locations.message(at: $0.pointer) })
        var warnings: [Finding] = []
        for message in snapshot.catalog.malformed where warnings.count < Findings.maximum {
            let key = message.facts.key
            guard !malformedBefore.contains(key), known.insert(key).inserted else { continue }
            warnings.append(
                Finding(
                    pointer: locations.pointer(to: key), code: "malformed",
                    message: "message \"\(key)\" becomes malformed: \(message.reason.sentence)"))
        }
        if reading.isStrict, !warnings.isEmpty { throw .faults(warnings, warnings: []) }
        return PublishReceipt(
            effect: receipt.effect, revision: receipt.revision, state: receipt.state,
            warnings: receipt.warnings + warnings)
    }
}
