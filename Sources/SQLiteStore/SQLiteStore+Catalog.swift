public import BellwetherBase
internal import BellwetherCore
public import BellwetherService
import GRDB
import Synchronization

/// What the publisher's thread does: blocking reads and writes of the catalog.
extension SQLiteStore {
    public func loadCatalog() throws(StoreError) -> StoredCatalog {
        try blocking { try database.read { try CatalogRows.load($0) } }
    }

    public func revisions(of slug: String, in app: String) throws(StoreError) -> [StoredDocument] {
        try blocking { try database.read { try CatalogRows.revisions(of: slug, in: app, $0) } }
    }

    public func reply(to claim: IdempotencyClaim) throws(StoreError) -> StoredReply? {
        try blocking { try database.read { try IdempotencyRows($0).find(claim) } }
    }

    /// Runs on the writer's queue, between batches. Never call it from a completion.
    public func publish(_ changes: [CatalogChange], by author: String, at now: Timestamp) throws(StoreError) {
        try blocking {
            try database.writeWithoutTransaction { database in
                do {
                    try database.inTransaction(.immediate) {
                        let rows = try CatalogRows(database)
                        let audit = ChangeAudit(database, author: author, now: now)
                        for change in changes {
                            // First, for it reads what the change is about to replace.
                            try audit.record(change)
                            try rows.apply(change)
                        }
                        return .commit
                    }
                    noteSuccess()
                } catch {
                    if !StoreError.isOfOneSubmission(error) { note(StoreError(error)) }
                    throw error
                }
            }
        }
    }

    public func loadTokens() throws(StoreError) -> [StoredToken] {
        try blocking { try database.read { try TokenRows($0).load() } }
    }

    private func blocking<Value>(_ work: () throws -> Value) throws(StoreError) -> Value {
        guard !submissions.isClosed else { throw .closed }
        do { return try work() } catch { throw StoreError(error) }
    }
}
