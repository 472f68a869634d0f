import BellwetherCore
import BellwetherService
import GRDB
import Surveys

/// Removes what is kept of a client or user. SQLite overwrites what it deletes.
struct ErasureRows {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func erase(_ person: Person) throws -> ErasureOutcome {
        guard let app = try AppRows(database).find(person.app) else { return .unknownApp }
        let (runs, webhooks) = (RunRows(database), OutboxRows(database))
        let hadRow: Bool
        var count = try deleteReplies(of: person) + deleteRunReplies(of: person, app: app)
        switch person {
        case .client(let client):
            count += try webhooks.delete(app: app, clientID: client.id) + runs.delete(app: app, clientID: client.id)
            count += try SharedRows(database).deleteAliases(app: app, clientID: client.id)
            try SharedRows(database).deleteRunList(app: app, of: .client(client.id))
            hadRow = try eraseRow(of: client, app: app)
        case .user(let user):
            count += try webhooks.delete(app: app, userID: user.id) + runs.delete(app: app, userID: user.id)
            count += try SharedRows(database).deleteAliases(app: app, userID: user.id)
            try SharedRows(database).deleteRunList(app: app, of: .user(user.id))
            hadRow =
                try Prepared(database, "DELETE FROM user WHERE app = ? AND id = ?")
                .run(.integer(app), .text(user.id)) > 0
        }
        return hadRow || count > 0 ? .erased : .nothing
    }

    /// The row, and what is there by its number, which another client may get next: the ids of its events, and its
    /// answers.
    private func eraseRow(of client: ClientReference, app: Int64) throws -> Bool {
        guard let key = try ClientRows(database).key(app: app, id: client.id) else { return false }
        let row = SQLValue.integer(key)
        try Prepared(database, "DELETE FROM event_id WHERE client = ?").run(row)
        try Prepared(database, "DELETE FROM response WHERE client = ?").run(row)
        try Prepared(database, "DELETE FROM client WHERE key = ?").run(row)
        return true
    }

    /// What idempotency keys would give again: their paths end with whose they are.
    private func deleteReplies(of person: Person) throws -> Int {
        let (start, end) = ("/v1/apps/\(person.app)/", "#\(person.id)")
        return try Prepared(
            database,
            "DELETE FROM idempotency WHERE substr(path, 1, length(?1)) = ?1 AND substr(path, -length(?2)) = ?2"
        ).run(.text(start), .text(end))
    }

    /// The same of actions in flows: their paths have the ids of the runs, which are still there.
    private func deleteRunReplies(of person: Person, app: Int64) throws -> Int {
        let column = if case .client = person { "client_id" } else { "user_id" }
        return try Prepared(
            database,
            """
            DELETE FROM idempotency WHERE path IN
                (SELECT '/v1/apps/' || ? || '/runs/' || id || '/advance' FROM run WHERE app = ? AND \(column) = ?)
            """
        ).run(.text(person.app), .integer(app), .text(person.id))
    }
}
