public import BellwetherService
import GRDB
import Synchronization

extension SQLiteStore {
    /// As the last write went. A failing store tries a small write whenever its health is asked for, so that it is
    /// found healthy again though no client's write reaches it.
    public var health: StoreHealth {
        guard !submissions.isClosed else { return .failing("the store is closed") }
        guard let reason = failure.withLock({ $0 }) else { return .healthy }
        probe()
        return .failing(reason)
    }

    /// A write failed.
    func note(_ error: StoreError) { failure.withLock { $0 = "\(error)" } }

    /// A write went well.
    func noteSuccess() { failure.withLock { $0 = nil } }

    private func probe() {
        guard !isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        database.asyncWriteWithoutTransaction { [self] database in
            defer { isProbing.store(false, ordering: .releasing) }
            guard !submissions.isClosed else { return }
            do {
                // Needs pages, as a write that matters would, and leaves them free for it.
                try database.inTransaction(.immediate) {
                    try database.execute(sql: "INSERT INTO probe VALUES (zeroblob(16384))")
                    try database.execute(sql: "DELETE FROM probe")
                    return .commit
                }
                noteSuccess()
            } catch {
                note(StoreError(error))
            }
        }
    }
}
