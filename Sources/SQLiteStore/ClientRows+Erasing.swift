import BellwetherService
import GRDB

/// What was removed of a client.
struct ErasedClient: Sendable {
    let outcome: ErasureOutcome
    /// Of the state that is gone.
    var version: UInt64?
}

extension ClientRows {
    /// Removes the client's row, and with it what is there by its number, which another client may get next: the ids of
    /// its events, and its answers. SQLite overwrites what it deletes.
    static func erase(_ client: ClientReference, _ database: Database) throws -> ErasedClient {
        guard let app = try AppRows(database).find(client.app) else { return ErasedClient(outcome: .unknownApp) }
        guard let stored = try ClientRows(database).find(app: app, id: client.id) else {
            return ErasedClient(outcome: .nothing)
        }
        let row = SQLValue.integer(stored.row)
        try Prepared(database, "DELETE FROM event_id WHERE client = ?").run(row)
        try Prepared(database, "DELETE FROM response WHERE client = ?").run(row)
        try Prepared(database, "DELETE FROM client WHERE key = ?").run(row)
        return ErasedClient(outcome: .erased, version: stored.version)
    }
}
