import BellwetherCore
import BellwetherJSON
import BellwetherService
import GRDB
import Surveys

/// Removes what is kept of a client or user. SQLite overwrites what it deletes.
struct ErasureRows {
    private let database: Database
    private let app: Int64
    private let runs: RunRows
    private let webhooks: OutboxRows
    private let shared: SharedRows
    private let clients: ClientRows

    /// Nil: nothing was ever stored of the app.
    init?(_ database: Database, app: String) throws {
        guard let app = try AppRows(database).find(app) else { return nil }
        (self.database, self.app) = (database, app)
        (runs, webhooks, shared) = (RunRows(database), OutboxRows(database), SharedRows(database))
        clients = try ClientRows(database)
    }

    /// Answers whether there was anything.
    func erase(_ person: Person) throws -> Bool {
        // Before the runs, which say what replies there are.
        var count = try IdempotencyRows(database).erase(person, app: app) + runs.erase(person, app: app)
        if let key = person.respondent.key { try shared.delete(.runList, app: app, name: key) }
        switch person {
        case .client(let client):
            count += try webhooks.erase(app: app, clientID: client.id) + runs.forget(clientID: client.id, app: app)
            count += try shared.deleteAliases(app: app, clientID: client.id) + eraseRow(of: client)
        case .user(let user):
            for client in try shared.aliases(app: app, userID: user.id) { try forget(user, in: client) }
            count += try webhooks.erase(app: app, userID: user.id) + shared.deleteAliases(app: app, userID: user.id)
            count += try Prepared(database, "DELETE FROM user WHERE app = ? AND id = ?")
                .run(.integer(app), .text(user.id))
        }
        return count > 0
    }

    /// The row, and what is there by its number, which another client may get next: the ids of its events, and its
    /// answers.
    private func eraseRow(of client: ClientReference) throws -> Int {
        guard let key = try clients.key(app: app, id: client.id) else { return 0 }
        try Prepared(database, "DELETE FROM event_id WHERE client = ?").run(.integer(key))
        try ResponseRows(database).delete(client: key)
        return try Prepared(database, "DELETE FROM client WHERE key = ?").run(.integer(key))
    }

    /// The client is nobody's, and what it has answered was the user's. It may be another user's by now.
    private func forget(_ user: UserReference, in clientID: String) throws {
        guard let row = try clients.find(app: app, id: clientID) else { return }
        guard var state = ClientState(encoded: row.state) else { throw RowFault.unreadable("the state of a client") }
        guard let userID = state.userID, userID.hasSameBytes(as: user.id) else { return }
        state.userID = nil
        let changed = ClientRow(version: row.version &+ 1, state: state.encoded())
        guard let key = try clients.write(changed, app: app, id: clientID, expecting: row.version) else { return }
        try ResponseRows(database).delete(client: key)
    }
}
