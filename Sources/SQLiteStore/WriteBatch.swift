internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// The submissions of one transaction while they are applied: each client is read once, changed as often as needed,
/// and written once at the end.
struct WriteBatch {
    private let table: ClientTable
    /// New clients' versions begin behind it: see `SQLiteStore.erase`.
    private let erasedVersion: UInt64
    private let apps: AppRows
    private let clients: ClientRows
    private let eventIDs: EventIDRows
    private let telemetry: TelemetryRows
    private let responses: ResponseRows
    private let idempotency: IdempotencyRows

    private var working: [ClientReference: WorkingClient] = [:]
    private var appKeys: [[UInt8]: Int64] = [:]
    private var nextClient: Int64?
    private(set) var telemetryApps: Set<String> = []
    private(set) var telemetryRecords = 0
    private(set) var changes = 0

    init(_ database: Database, table: ClientTable, erasedVersion: UInt64 = 0) throws {
        self.table = table
        self.erasedVersion = erasedVersion
        apps = try AppRows(database)
        clients = try ClientRows(database)
        eventIDs = try EventIDRows(database)
        telemetry = try TelemetryRows(database)
        responses = try ResponseRows(database)
        idempotency = try IdempotencyRows(database)
    }

    mutating func apply(_ submission: Submission) throws -> SubmissionResult {
        if let claim = submission.idempotency?.claim, let reply = try idempotency.find(claim) {
            return reply.bodyDigest == claim.bodyDigest ? .replayed(reply) : .keyConflict
        }
        var results: [ChangeResult] = []
        results.reserveCapacity(submission.changes.count)
        for change in submission.changes { results.append(try apply(change)) }
        if let write = submission.idempotency {
            let (status, body) = write.reply(results)
            let reply = StoredReply(bodyDigest: write.claim.bodyDigest, status: status, body: body)
            let now = submission.changes.first?.now ?? Timestamp(milliseconds: 0)
            try idempotency.insert(reply, for: write.claim, at: now)
        }
        return .applied(results)
    }

    private mutating func apply(_ change: ClientChange) throws -> ChangeResult {
        let client = try workingClient(change.client)
        changes += 1
        var isDuplicate: [Bool] = []
        isDuplicate.reserveCapacity(change.eventIDs.count)
        for id in change.eventIDs {
            guard let id else {
                isDuplicate.append(false)
                continue
            }
            isDuplicate.append(try !eventIDs.insert(id, client: client.row, at: change.now))
        }
        let outcome = try outcome(of: change, on: client, isDuplicate)
        for place in outcome.releasedEventIDs {
            if let id = change.eventIDs[place] { try eventIDs.delete(id, client: client.row) }
        }
        if change.eventIDs.count(where: { $0 != nil }) > outcome.releasedEventIDs.count { client.isRowNeeded = true }
        for record in outcome.records {
            try telemetry.append(record, app: client.app, receivedAt: change.now)
        }
        if !outcome.records.isEmpty { telemetryApps.insert(change.client.app) }
        telemetryRecords += outcome.records.count
        for response in outcome.responses {
            client.isRowNeeded = true
            try responses.insert(response, app: client.app, client: client.row)
        }
        return outcome.result
    }

    private func outcome(
        of change: ClientChange, on client: WorkingClient, _ isDuplicate: [Bool]
    ) throws -> ChangeOutcome {
        var failure: (any Error)?
        let input = ChangeInput(isDuplicate: isDuplicate) { message in
            do {
                return try responses.find(
                    app: client.app, client: client.row, clientID: change.client.id, message: message)
            } catch {
                failure = error
                return nil
            }
        }
        let outcome = change.apply(&client.state, input)
        if let failure { throw failure }
        return outcome
    }
}

extension WriteBatch {
    /// Writes the states that have changed. Answers what the table is to hold once this is committed.
    mutating func finish() throws -> [(client: ClientReference, stored: StoredClient)] {
        var durable: [(client: ClientReference, stored: StoredClient)] = []
        durable.reserveCapacity(working.count)
        for (reference, client) in working {
            let isChanged = client.state != client.stored.state
            guard isChanged || client.isNew && client.isRowNeeded else {
                if !client.isNew { durable.append((reference, client.stored)) }
                continue
            }
            let stored = StoredClient(
                row: client.stored.row, version: client.stored.version + 1, state: client.state)
            if client.isNew {
                try clients.insert(stored, app: client.app, id: reference.id)
            } else if try !clients.update(stored) {
                throw RowFault.versionConflict(reference)
            }
            durable.append((reference, stored))
        }
        return durable
    }

    /// The client as this transaction has it: worked on already, or in the table, or in its row, or new.
    private mutating func workingClient(_ reference: ClientReference) throws -> WorkingClient {
        if let client = working[reference] { return client }
        let app = try appKey(reference.app)
        let client: WorkingClient
        if let stored = try table.stored(reference) ?? clients.find(app: app, id: reference.id)?.client(reference) {
            client = WorkingClient(app: app, stored: stored, isNew: false)
        } else {
            let row = try nextClient ?? clients.highestKey() + 1
            nextClient = row + 1
            let stored = StoredClient(row: row, version: erasedVersion, state: ClientState())
            client = WorkingClient(app: app, stored: stored, isNew: true)
        }
        working[reference] = client
        return client
    }

    private mutating func appKey(_ name: String) throws -> Int64 {
        let bytes = Array(name.utf8)
        if let key = appKeys[bytes] { return key }
        let key = try apps.key(name)
        appKeys[bytes] = key
        return key
    }
}

/// A client that the transaction works on.
private final class WorkingClient {
    let app: Int64
    /// It has no row yet.
    let isNew: Bool
    /// As it was before the transaction.
    let stored: StoredClient
    var state: ClientState
    /// Rows of other tables refer to the client.
    var isRowNeeded = false

    var row: Int64 { stored.row }

    init(app: Int64, stored: StoredClient, isNew: Bool) {
        self.app = app
        self.isNew = isNew
        self.stored = stored
        state = stored.state
    }
}
