public import BellwetherService
import GRDB
import Synchronization

/// A small write beside the submissions.
struct PendingChange: Sendable {
    /// Makes the change inside a transaction; what it answers is called when that is durable, on the writer's queue.
    let apply: @Sendable (Database) throws -> @Sendable () -> Void
    let fail: @Sendable (StoreError) -> Void
}

/// Consumers' places and erasures: few, so that all that wait are one transaction, between two batches of submissions.
extension SQLiteStore {
    public func keepConsumer(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ConsumerOutcome, StoreError>) -> Void
    ) {
        change(completion) { try ConsumerRows($0).keep(name, of: app, at: cursor, origin) }
    }

    public func deleteConsumer(
        _ name: String, of app: String, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        change(completion) { try ConsumerRows($0).delete(name, of: app, origin) }
    }

    /// The table forgets the client before the writer takes up anything else. Versions of its next state go on behind
    /// those of the last: what is remembered elsewhere of a client's version holds for that state alone.
    public func erase(
        _ client: ClientReference, knownAs digest: [UInt8], _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ErasureOutcome, StoreError>) -> Void
    ) {
        let finish: @Sendable (Result<ErasedClient, StoreError>) -> Void = { [self] result in
            if case .success(let erased) = result {
                if let version = erased.version { erasedVersion.withLock { $0 = max($0, version) } }
                table.erase(client)
            }
            completion(result.map(\.outcome))
        }
        change(finish) { database in
            let erased = try ClientRows.erase(client, database)
            if erased.outcome == .erased {
                try AuditRows(database).append(AuditEntry(erasureOf: client, knownAs: digest, origin))
            }
            return erased
        }
    }

    private func change<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ apply: @escaping @Sendable (Database) throws -> Value
    ) {
        let pending = PendingChange { database in
            let value = try apply(database)
            return { completion(.success(value)) }
        } fail: {
            completion(.failure($0))
        }
        switch changes.add(pending) {
        case .waiting: break
        case .first: wakeForChanges()
        case .full: completion(.failure(.overloaded))
        case .closed: completion(.failure(.closed))
        }
    }

    private func wakeForChanges() {
        database.asyncWriteWithoutTransaction { [self] database in
            commitNextChanges(database)
            if changes.rest() { wakeForChanges() }
        }
    }

    func commitNextChanges(_ database: Database) {
        let pending = changes.take(weight: 1000)
        guard !pending.isEmpty else { return }
        var completions: [@Sendable () -> Void] = []
        do {
            try database.inTransaction(.immediate) {
                completions = try pending.map { try $0.apply(database) }
                return .commit
            }
            noteSuccess()
        } catch {
            note(StoreError(error))
            for change in pending { change.fail(StoreError(error)) }
            return
        }
        for completion in completions { completion() }
    }
}
