internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Dispatch
public import Logging
internal import Synchronization

/// Publishes changes: checks and stores them, builds the next snapshot outside the event loops, passes it to every
/// worker, and completes when all workers serve it (ARCHITECTURE.md#a-publish).
public final class Publisher: Sendable {
    private struct State {
        var catalog = PublishedCatalog()
        /// The head of the catalog in the store.
        var head = CatalogHead.none
        var version: UInt64 = 0
        var replaced = ReplacedApps()
        /// The tallies of quotas, by app and message.
        var tallies = KnownTallies()
        /// The stored documents that can no longer be read.
        var storedFailures: [String] = []
        /// The files that were skipped.
        var fileFailures: [String] = []
        /// Whether publishes of other processes are about to be loaded.
        var isCatchingUp = false

        /// Begins to load the publishes of other processes. Returns false if there are none, or if they are being
        /// loaded.
        mutating func beginCatchingUp(with head: CatalogHead) -> Bool {
            guard !isCatchingUp, self.head.revision < head.revision else { return false }
            isCatchingUp = true
            return true
        }

        /// The next snapshot: the catalog with the quotas that are full now.
        mutating func publish(_ next: PublishedCatalog) -> Snapshot {
            var next = next
            for (name, app) in next.snapshots { next.snapshots[name] = app.reaching(tallies) ?? app }
            // The key may have been made while the change was being prepared.
            next.listKey = next.listKey ?? catalog.listKey
            replaced.add(catalog.snapshots, after: next.snapshots)
            catalog = next
            version += 1
            return Snapshot(
                version: version, apps: next.snapshots, loadFailures: storedFailures + fileFailures,
                collections: next.records.published(next.snapshots), drafts: next.drafts)
        }
    }

    public typealias Broadcast = @Sendable (Snapshot, _ acknowledged: @escaping @Sendable () -> Void) -> Void

    private let store: any Store
    let clock: Clock
    let logger: Logger
    /// Runs publishes one after another, outside the event loops.
    let queue: BackgroundQueue
    private let state = Mutex(State())
    private let broadcast = Mutex<Broadcast?>(nil)
    private let knownSecrets = Mutex<WebhookSecrets?>(nil)
    private let knownURL = Mutex<String?>(nil)
    private let journal = Mutex<ChangeJournal?>(nil)
    private let knownEvents = Mutex<SeenEvents?>(nil)

    public init(store: any Store, clock: Clock, logger: Logger, queue: BackgroundQueue = BackgroundQueue()) {
        self.store = store
        self.clock = clock
        self.logger = logger
        self.queue = queue
    }

    /// The secrets that recipes may name; nil if the names are not checked.
    public var secrets: WebhookSecrets? { knownSecrets.withLock(\.self) }

    /// The public address of the daemon, for links in notices; nil if it is not known.
    public var publicURL: String? {
        get { knownURL.withLock(\.self) }
        set { knownURL.withLock { $0 = newValue } }
    }

    /// Sets the secrets for recipes that are published later.
    public func follow(_ secrets: WebhookSecrets) { knownSecrets.withLock { $0 = secrets } }

    /// Sets the journal that receives each snapshot after all workers serve it, and the events that goals may name.
    func follow(_ journal: ChangeJournal, _ events: SeenEvents) {
        self.journal.withLock { $0 = journal }
        knownEvents.withLock { $0 = events }
    }

    /// The names of the behaviour events that clients of an app sent in the last 24 hours; nil if they are not known.
    public func seenEvents(of app: Identifier) -> Set<Identifier>? {
        knownEvents.withLock(\.self)?.names(in: app, at: clock.now())
    }

    /// The apps in the last published catalog.
    var apps: [AppSnapshot] { state.withLock { Array($0.catalog.snapshots.values) } }

    /// The app in the last published catalog. Event loops do not use it, because they have a snapshot.
    public func app(_ name: Identifier) -> AppSnapshot? { state.withLock { $0.catalog.snapshots[name] } }

    /// Loads the stored catalog and the files, and makes the first snapshot. It blocks, and runs before the server
    /// starts.
    public func start(_ files: FileCatalog) throws(StoreError) -> Snapshot {
        try loadStored()
        return try load(files)
    }

    private func loadStored() throws(StoreError) {
        let apps = state.withLock(\.catalog.apps)
        let stored = try store.loadCatalog(known: apps.mapValues(\.periods), lists: apps.mapValues(\.lists))
        let listKey = try store.listKey()
        state.withLock { state in
            state.storedFailures = []
            state.catalog = PublishedCatalog.load(
                stored, listKey: listKey ?? state.catalog.listKey, at: clock.now(), failures: &state.storedFailures
            ) {
                (try? store.revisions(of: $0, in: $1)) ?? []
            }
            state.head = stored.head
        }
    }

    /// Sets the function that passes later snapshots to the workers.
    public func connect(_ broadcast: @escaping Broadcast) { self.broadcast.withLock { $0 = broadcast } }

    /// Reads the folders again (SIGHUP).
    public func reload(_ files: FileCatalog, _ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            do {
                let snapshot = try load(files)
                deliver(snapshot, completion)
            } catch {
                logger.error("reload failed", metadata: ["error": "\(error)"])
                completion()
            }
        }
    }

    /// Publishes a change. `reply` renders the stored reply of an idempotency key. The completion is called when every
    /// worker serves the change. If too many changes wait, the outcome is `.store(.overloaded)` at once.
    public func publish(
        _ request: PublishRequest, reply: @escaping @Sendable (PublishOutcome) -> (status: Int, body: [UInt8]),
        completion: @escaping @Sendable (PublishOutcome) -> Void
    ) {
        let isTaken = queue.async(keeping: request.change.bytes) { [self] in
            do throws(PublishRefusal) {
                if let earlier = try earlierReply(request) { return completion(.replayed(earlier)) }
                let (outcome, snapshot) = try perform(request, reply)
                guard let snapshot else { return completion(outcome) }
                logger.info("published", metadata: request.metadata(of: outcome))
                deliver(snapshot) { completion(outcome) }
            } catch {
                completion(.refused(error))
            }
        }
        if !isTaken { completion(.refused(.store(.overloaded))) }
    }

    private func earlierReply(_ request: PublishRequest) throws(PublishRefusal) -> StoredReply? {
        guard let claim = request.idempotency else { return nil }
        let reply: StoredReply?
        do throws(StoreError) { reply = try storedReply(under: claim.key) } catch { throw .store(error) }
        guard let reply else { return nil }
        guard reply.bodyDigest == claim.bodyDigest else { throw .keyConflict }
        return reply
    }

    private func storedReply(under key: IdempotencyKey) throws(StoreError) -> StoredReply? {
        guard case .reply(let reply, _)? = try store.read(RowQuery(names: [.reply(key)])).rows.first?.get()?.value
        else { return nil }
        return reply
    }

    private func perform(
        _ request: PublishRequest, _ reply: (PublishOutcome) -> (status: Int, body: [UInt8])
    ) throws(PublishRefusal) -> (PublishOutcome, Snapshot?) {
        let now = clock.now()
        let request = try resolved(request)
        if request.isTrial {
            var editor = CatalogEditor(state.withLock(\.catalog), source: .api, now: now)
            editor.secrets = secrets
            editor.seenEvents = seenEvents
            return (try editor.apply(request), nil)
        }
        let edit = try edit(source: .api, by: request.author, at: now) { editor throws(PublishRefusal) in
            let outcome = try editor.apply(request)
            if let claim = request.idempotency {
                let (status, body) = reply(outcome)
                let stored = StoredReply(
                    bodyDigest: claim.bodyDigest, status: status, body: body, entityTag: outcome.entityTag)
                editor.note(.reply(claim, stored, at: now))
            }
            return outcome
        }
        return (edit.value, edit.hasChanged ? commit(edit.editor) : nil)
    }

    private struct Edit<Value> {
        let value: Value
        let editor: CatalogEditor
        /// Whether anything was stored.
        let hasChanged: Bool
    }

    /// The maximum number of attempts of an edit, if other publishes come first.
    private static let maximumEdits = 5

    /// Edits the catalog and stores the changes. If another publish came first, the catalog is loaded and edited again.
    private func edit<Value>(
        source: DocumentSource, by author: String, at now: Timestamp,
        _ body: (inout CatalogEditor) throws(PublishRefusal) -> Value
    ) throws(PublishRefusal) -> Edit<Value> {
        for _ in 0..<Self.maximumEdits {
            let (catalog, head) = state.withLock { ($0.catalog, $0.head) }
            var editor = CatalogEditor(catalog, source: source, now: now)
            editor.secrets = secrets
            editor.seenEvents = seenEvents
            let value = try body(&editor)
            guard !editor.changes.isEmpty else { return Edit(value: value, editor: editor, hasChanged: false) }
            editor.noteNotices(since: catalog.apps, by: author, publicURL: publicURL)
            do throws(StoreError) {
                let next = try store.publish(editor.changes, expecting: head, by: author, at: now)
                state.withLock { $0.head = next }
                return Edit(value: value, editor: editor, hasChanged: true)
            } catch .stale {
                do { try loadStored() } catch { throw .store(error) }
                // Whatever the outcome of the edit, the workers serve the other process's publish.
                deliver(publish(state.withLock { $0.catalog })) {}
            } catch {
                throw .store(error)
            }
        }
        throw .store(.stale)
    }

    /// Resolves a rollback into a PUT of the earlier document. The limits for new documents do not apply to a stored
    /// one.
    private func resolved(_ request: PublishRequest) throws(PublishRefusal) -> PublishRequest {
        var resolved = request
        switch request.change {
        case .rollback(let slug, let revision):
            guard let parts = state.withLock({ $0.catalog.apps[request.app] }) else { throw .unknownApp }
            guard parts.recipes[slug] != nil,
                let document = try revisions(of: slug, in: request.app).first(where: { $0.revision == revision })
            else { throw .notFound }
            resolved.change = .putRecipe(slug: slug, document.text, asDraft: false)
        case .putDraftLive, .takeOver: break
        default: return request
        }
        (resolved.limits, resolved.isStored) = (.kept, true)
        return resolved
    }

    private func revisions(of slug: Identifier, in app: Identifier) throws(PublishRefusal) -> [StoredDocument] {
        do throws(StoreError) {
            return try store.revisions(of: slug, in: app)
        } catch {
            throw .store(error)
        }
    }

    /// All revisions that a recipe has or had, oldest first. They outlive the recipe and its app. They are read outside
    /// the event loops.
    public func history(
        of slug: Identifier, in app: Identifier,
        _ completion: @escaping @Sendable (Result<[StoredDocument], PublishRefusal>) -> Void
    ) {
        let isTaken = queue.async(keeping: 0) { [self] in
            do throws(PublishRefusal) {
                let revisions = try revisions(of: slug, in: app)
                completion(revisions.isEmpty ? .failure(.notFound) : .success(revisions))
            } catch {
                completion(.failure(error))
            }
        }
        if !isTaken { completion(.failure(.store(.overloaded))) }
    }

    /// Loads the folders. If only this process uses the store, the folders are part of its catalog. If the store is
    /// shared, they are pushed: documents of the catalog without a file stay
    /// (docs/reference/http-api.md#files-that-the-daemon-reads).
    private func load(_ files: FileCatalog) throws(StoreError) -> Snapshot {
        let now = clock.now()
        let isPush = store.shared != nil
        let author = isPush ? ChangeAuthor.developer : ChangeAuthor.file
        let edit = try follow(source: isPush ? .api : .file, by: author, at: now) { $0.apply(files) }
        for failure in edit.value { logger.error("file skipped", metadata: ["reason": "\(failure)"]) }
        state.withLock { $0.fileFailures = edit.value }
        let snapshot = commit(edit.editor)
        return try followedSnapshot(at: now) ?? snapshot
    }

    /// Makes an edit that only the store can refuse.
    private func follow<Value>(
        source: DocumentSource, by author: String, at now: Timestamp, _ body: (inout CatalogEditor) -> Value
    ) throws(StoreError) -> Edit<Value> {
        do throws(PublishRefusal) {
            return try edit(source: source, by: author, at: now) { editor throws(PublishRefusal) in body(&editor) }
        } catch {
            if case .store(let error) = error { throw error }
            throw .rejected("\(error)")
        }
    }

    /// Releases replaced apps that no worker serves any more.
    func tidy() {
        let gone = state.withLock { $0.replaced.takeUnused() }
        if !gone.isEmpty { queue.async { _ = gone } }
    }

    /// The time at which the next recipe begins or ends.
    var nextDate: Timestamp? { state.withLock { $0.catalog.apps.values.compactMap(\.nextChange).min() } }

    var isDue: Bool { nextDate.map { $0 <= clock.now() } ?? false }

    /// The catalog after the recipes that are due have begun or ended; nil if none is due.
    func dueSnapshot() throws(StoreError) -> Snapshot? {
        isDue ? try followedSnapshot(at: clock.now()) : nil
    }

    /// Pauses a recipe whose guards have fired. The completion is called when every worker serves the change; it
    /// receives false if the recipe is no longer live in that revision, or if the store failed.
    func pause(
        _ recipe: RecipeReference, revision: Int, _ fired: [FiredGuard],
        _ completion: @escaping @Sendable (_ isPaused: Bool) -> Void
    ) {
        let webhookID = WebhookID.make()
        queue.async { [self] in
            do {
                let edit = try follow(source: .api, by: ChangeAuthor.goalGuard, at: clock.now()) {
                    $0.pause(recipe, revision: revision, fired, webhookID: webhookID)
                }
                guard edit.hasChanged else { return completion(false) }
                logger.warning(
                    "recipe paused by a guard",
                    metadata: [
                        "app": "\(recipe.app)", "recipe": "\(recipe.slug)",
                        "goals": "\(fired.map(\.bound.goal.text).joined(separator: ", "))",
                    ])
                deliver(commit(edit.editor)) { completion(true) }
            } catch {
                logger.error(
                    "a recipe could not be paused by its guard",
                    metadata: ["app": "\(recipe.app)", "recipe": "\(recipe.slug)", "error": "\(error)"])
                completion(false)
            }
        }
    }

    /// Applies the dates of recipes. This is separate from changes of owners and files, because no person makes it.
    private func followedSnapshot(at now: Timestamp) throws(StoreError) -> Snapshot? {
        let edit = try follow(source: .api, by: ChangeAuthor.daemon, at: now) { $0.follow() }
        return edit.hasChanged ? commit(edit.editor) : nil
    }

    func advancedSnapshot(
        _ recipe: RecipeReference, revision: Int, to stage: RolloutStages.Stage
    ) throws(StoreError) -> Snapshot? {
        let edit = try follow(source: .api, by: ChangeAuthor.daemon, at: clock.now()) {
            $0.advance(recipe, revision: revision, to: stage)
        }
        return edit.hasChanged ? commit(edit.editor) : nil
    }

    private func commit(_ editor: CatalogEditor) -> Snapshot {
        for recipe in editor.endedRecipes {
            // The failure of a file is reported in the log only.
            var metadata: Logger.Metadata = [
                "app": "\(recipe.app)", "recipe": "\(recipe.slug)", "end_date": "\(recipe.end?.rfc3339 ?? "")",
            ]
            if let trace = editor.trace { metadata.add(trace) }
            logger.log(level: editor.source == .file ? .warning : .notice, "recipe ended", metadata: metadata)
        }
        return publish(editor.catalog)
    }

    private func publish(_ catalog: PublishedCatalog) -> Snapshot {
        let known = state.withLock { $0.tallies }
        let tallies = store.tallies(of: catalog.snapshots.values, known: known, logger)
        return state.withLock { state in
            state.tallies.merge(tallies)
            state.tallies.keep(only: catalog.snapshots.values)
            return state.publish(catalog)
        }
    }

    /// Serves the publishes of other processes, and notes the quotas that they have filled. Blocks for a read of
    /// versions. Returns false if the quotas cannot be read.
    func catchUp(with heads: StoreHeads) -> Bool {
        if state.withLock({ $0.beginCatchingUp(with: heads.catalog) }) { queue.async { [self] in loadOthers() } }
        do throws(StoreError) {
            let tallies = try store.changedTallies(since: state.withLock { $0.tallies })
            if !tallies.isEmpty { note(tallies) {} }
            if try store.haveListsChanged(since: lists) { noteLists {} }
        } catch {
            logger.error("quotas and lists could not be read", metadata: ["error": "\(error)"])
            return false
        }
        return true
    }

    /// Serves everything that all processes have published until now, and completes when every worker serves it.
    public func readThrough(_ completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        guard let shared = store.shared else { return completion(.success(())) }
        let isTaken = queue.async(keeping: 0) { [self] in
            do throws(StoreError) {
                let head = try shared.heads().catalog
                guard state.withLock({ $0.head.revision < head.revision }) else { return completion(.success(())) }
                try loadStored()
                deliver(publish(state.withLock { $0.catalog })) { completion(.success(())) }
            } catch {
                completion(.failure(error))
            }
        }
        if !isTaken { completion(.failure(.overloaded)) }
    }

    private func loadOthers() {
        state.withLock { $0.isCatchingUp = false }
        do throws(StoreError) {
            try loadStored()
            deliver(publish(state.withLock { $0.catalog })) {}
        } catch {
            logger.error("the catalog could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Notes the slots in quotas that responses have taken or released. `completion` is called when every worker knows
    /// which quotas are full; at once if these are the same as before.
    public func note(_ tallies: [CommittedTally], _ completion: @escaping @Sendable () -> Void) {
        let hasChanged = state.withLock { state in
            let changed = tallies.filter { state.tallies.note($0.tally, version: $0.version, of: $0.key, in: $0.app) }
            return Set(changed.map(\.app)).contains { app in
                state.catalog.snapshots[app].map { $0.reaching(state.tallies) != nil } ?? false
            }
        }
        guard hasChanged else { return completion() }
        queue.async { [self] in deliver(state.withLock { $0.publish($0.catalog) }, completion) }
    }

    /// The lists in memory, by app and name.
    private var lists: [Identifier: [Identifier: LoadedList]] {
        state.withLock { $0.catalog.apps.mapValues(\.lists).filter { !$0.value.isEmpty } }
    }

    /// The key under which ids of lists are hashed. The first call of an installation makes it. Blocks for the store.
    public func listKey() throws(StoreError) -> ListKey {
        if let key = state.withLock(\.catalog.listKey) { return key }
        let key = try store.makeListKey()
        state.withLock { $0.catalog.listKey = key }
        return key
    }

    /// Reads the lists whose ids an erasure has changed, here or in another process. `completion` is called when every
    /// worker has them.
    func noteLists(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            do throws(StoreError) {
                let known = lists
                guard try store.haveListsChanged(since: known) else { return completion() }
                var changed: [Identifier: [Identifier: LoadedList]] = [:]
                for (app, lists) in known { changed[app] = try store.lists(in: app, known: lists) }
                deliver(state.withLock { $0.publish($0.catalog.with(lists: changed)) }, completion)
            } catch {
                logger.error("lists could not be read", metadata: ["error": "\(error)"])
                completion()
            }
        }
    }

    func deliver(_ snapshot: Snapshot, _ acknowledged: @escaping @Sendable () -> Void) {
        guard let broadcast = broadcast.withLock({ $0 }) else { return acknowledged() }
        broadcast(snapshot) { [journal = journal.withLock(\.self)] in
            journal?.note(snapshot)
            acknowledged()
        }
    }
}
