internal import BellwetherCore
internal import Dispatch
public import Logging
internal import Synchronization

/// Publishes: checks, stores, builds the next snapshot off the event loops, hands it to every worker, and answers when
/// all serve it (architecture.md 4).
public final class Publisher: Sendable {
    private struct State {
        var catalog = PublishedCatalog()
        var version: UInt64 = 0
        /// Stored documents that no longer read.
        var storedFailures: [String] = []
        /// Files that were skipped.
        var fileFailures: [String] = []
    }

    public typealias Broadcast = @Sendable (Snapshot, _ acknowledged: @escaping @Sendable () -> Void) -> Void

    private let store: any Store
    private let clock: Clock
    private let logger: Logger
    /// Publishes one after another, off the event loops.
    private let queue = DispatchQueue(label: "bellwether.publisher")
    private let state = Mutex(State())
    private let broadcast = Mutex<Broadcast?>(nil)

    public init(store: any Store, clock: Clock, logger: Logger) {
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Loads what is stored and the files, and makes the first snapshot. Blocks; before the server starts.
    public func start(_ files: FileCatalog) throws(StoreError) -> Snapshot {
        let stored = try store.loadCatalog()
        state.withLock { state in
            state.catalog = PublishedCatalog.load(stored, failures: &state.storedFailures)
        }
        return try load(files)
    }

    /// From now on snapshots go to the workers.
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

    /// `reply` renders what an idempotency key is to give again; the outcome is told once every worker serves it.
    public func publish(
        _ request: PublishRequest, reply: @escaping @Sendable (PublishOutcome) -> (status: Int, body: [UInt8]),
        completion: @escaping @Sendable (PublishOutcome) -> Void
    ) {
        queue.async { [self] in
            do throws(PublishRefusal) {
                if let earlier = try earlierReply(request) { return completion(.replayed(earlier)) }
                let (outcome, snapshot) = try perform(request, reply)
                guard let snapshot else { return completion(outcome) }
                log(request, outcome)
                deliver(snapshot) { completion(outcome) }
            } catch {
                completion(.refused(error))
            }
        }
    }

    private func earlierReply(_ request: PublishRequest) throws(PublishRefusal) -> StoredReply? {
        guard let claim = request.idempotency else { return nil }
        do {
            guard let reply = try store.reply(to: claim) else { return nil }
            if reply.bodyDigest != claim.bodyDigest { throw PublishRefusal.keyConflict }
            return reply
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .keyConflict
        }
    }

    private func perform(
        _ request: PublishRequest, _ reply: (PublishOutcome) -> (status: Int, body: [UInt8])
    ) throws(PublishRefusal) -> (PublishOutcome, Snapshot?) {
        let now = clock.now()
        var editor = CatalogEditor(state.withLock { $0.catalog }, source: .api, now: now)
        let outcome = try editor.apply(request)
        if let claim = request.idempotency {
            let (status, body) = reply(outcome)
            let stored = StoredReply(bodyDigest: claim.bodyDigest, status: status, body: body)
            editor.note(.reply(claim, stored, at: now))
        }
        guard !editor.changes.isEmpty else { return (outcome, nil) }
        do {
            try store.publish(editor.changes)
        } catch {
            throw .store(error)
        }
        return (outcome, commit(editor.catalog))
    }

    private func log(_ request: PublishRequest, _ outcome: PublishOutcome) {
        var metadata: Logger.Metadata = [
            "app": "\(request.app)", "change": "\(request.change)", "by": "\(request.author)",
        ]
        switch outcome {
        case .stored(let receipt):
            metadata["revision"] = "\(receipt.revision)"
            metadata["warnings"] = "\(receipt.warnings.count)"
        case .batch(let results):
            metadata["recipes"] = "\(results.count)"
            metadata["refused"] = "\(results.count { $0.isRefused })"
        case .deleted, .refused, .replayed: break
        }
        logger.info("published", metadata: metadata)
    }

    private func load(_ files: FileCatalog) throws(StoreError) -> Snapshot {
        var editor = CatalogEditor(state.withLock { $0.catalog }, source: .file, now: clock.now())
        let failures = editor.apply(files)
        for failure in failures { logger.error("file skipped", metadata: ["reason": "\(failure)"]) }
        if !editor.changes.isEmpty { try store.publish(editor.changes) }
        state.withLock { $0.fileFailures = failures }
        return commit(editor.catalog)
    }

    private func commit(_ catalog: PublishedCatalog) -> Snapshot {
        state.withLock { state in
            state.catalog = catalog
            state.version += 1
            return Snapshot(
                version: state.version, apps: catalog.snapshots,
                loadFailures: state.storedFailures + state.fileFailures,
                collections: catalog.records.published(catalog.snapshots))
        }
    }

    private func deliver(_ snapshot: Snapshot, _ acknowledged: @escaping @Sendable () -> Void) {
        guard let broadcast = broadcast.withLock({ $0 }) else { return acknowledged() }
        broadcast(snapshot, acknowledged)
    }
}
