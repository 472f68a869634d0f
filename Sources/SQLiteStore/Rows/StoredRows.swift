import BellwetherCore
import BellwetherService
import GRDB

/// Rows by name, and the event ids of clients: what transactions read and write. Valid as long as the access to the
/// database that made it.
///
/// Clients and apps have numbers here, which other tables refer to. The numbers never leave the store.
struct StoredRows {
    private let apps: AppRows
    private let clients: ClientRows
    private let eventIDs: EventIDRows
    private let telemetry: TelemetryRows
    private let responses: ResponseRows
    private let idempotency: IdempotencyRows
    private let outbox: OutboxRows
    private let runs: RunRows
    private let database: Database
    private let counters: CounterRows

    init(_ database: Database) throws {
        apps = try AppRows(database)
        clients = try ClientRows(database)
        eventIDs = try EventIDRows(database)
        telemetry = try TelemetryRows(database)
        responses = try ResponseRows(database)
        idempotency = try IdempotencyRows(database)
        outbox = OutboxRows(database)
        runs = RunRows(database)
        self.database = database
        counters = CounterRows(database)
    }

    /// Prepared when they are needed: most transactions write no user.
    private func users() throws -> ClientRows { try ClientRows(database, table: "user") }

    func read(_ query: RowQuery) throws -> RowReading {
        let rows = try query.names.map { name -> Result<StoredRow?, StoreError> in
            do {
                return .success(try row(name))
            } catch let fault as RowFault {
                return .failure(StoreError(fault))
            }
        }
        return RowReading(rows: rows, knownIDs: try query.eventIDs.map(known))
    }

    private func row(_ name: RowName) throws -> StoredRow? {
        switch name {
        case .client(let client):
            guard let app = try apps.find(client.app), let row = try clients.find(app: app, id: client.id) else {
                return nil
            }
            guard let state = ClientState(encoded: row.state) else { throw RowFault.unreadableState(client) }
            return StoredRow(version: row.version, value: .client(state))
        case .answer(let client, let message):
            guard let app = try apps.find(client.app), let key = try clients.key(app: app, id: client.id) else {
                return nil
            }
            return try responses.find(app: app, client: key, clientID: client.id, message: message)
                .map { StoredRow(version: 1, value: .answer($0)) }
        case .user(let user):
            guard let app = try apps.find(user.app), let row = try users().find(app: app, id: user.id) else {
                return nil
            }
            guard let state = ClientState(encoded: row.state) else {
                throw RowFault.unreadable("the state of a user")
            }
            return StoredRow(version: row.version, value: .client(state))
        case .run(let run):
            guard let app = try apps.find(run.app) else { return nil }
            return try runs.find(app: app, id: run.id)
        case .currentRun(let app, let slug, let respondent):
            guard let app = try apps.find(app) else { return nil }
            return try runs.current(app: app, slug: slug, respondent: respondent)
        case .tally(let app, let key):
            guard let app = try apps.find(app) else { return nil }
            return try SharedRows(database).find(.tally, app: app, name: key)
        case .alias(let user, let clientID):
            guard let app = try apps.find(user.app) else { return nil }
            let name = SharedRows.alias(userID: user.id, clientID: clientID)
            return try SharedRows(database).find(.alias, app: app, name: name)
        case .runList(let app, let respondent):
            guard let app = try apps.find(app) else { return nil }
            return try SharedRows(database).find(.runList, app: app, name: respondent)
        case .lease(let name): return try SharedRows(database).find(.lease, app: 0, name: name)
        case .reply(let key): return try idempotency.find(key).map { StoredRow(version: 1, value: .reply($0, at: $1)) }
        }
    }

    /// What a client has answered to microsurveys, by message.
    func answers(of client: ClientReference) throws -> [SurveyResponse] {
        guard let app = try apps.find(client.app), let key = try clients.key(app: app, id: client.id) else { return [] }
        return try responses.all(app: app, client: key, clientID: client.id)
    }

    private func known(_ ids: EventIDs) throws -> [Bool] {
        guard let app = try apps.find(ids.client.app), let key = try clients.key(app: app, id: ids.client.id) else {
            return Array(repeating: false, count: ids.ids.count)
        }
        return try ids.ids.map { try eventIDs.contains($0, client: key) }
    }

    func version(of name: RowName) throws -> UInt64 {
        switch name {
        case .client(let client):
            guard let app = try apps.find(client.app) else { return 0 }
            return try clients.version(app: app, id: client.id) ?? 0
        case .user(let user):
            guard let app = try apps.find(user.app) else { return 0 }
            return try users().version(app: app, id: user.id) ?? 0
        case .run(let run):
            guard let app = try apps.find(run.app) else { return 0 }
            return try runs.version(app: app, id: run.id) ?? 0
        case .tally(let app, let key):
            guard let app = try apps.find(app) else { return 0 }
            return try SharedRows(database).version(.tally, app: app, name: key) ?? 0
        case .runList(let app, let respondent):
            guard let app = try apps.find(app) else { return 0 }
            return try SharedRows(database).version(.runList, app: app, name: respondent) ?? 0
        case .answer, .reply, .currentRun, .alias, .lease: return try row(name)?.version ?? 0
        }
    }

    /// One client's row needs no look before the write: the write itself compares the version.
    private func isComparedByWrite(_ group: WriteGroup) -> Bool {
        guard group.rows.count == 1, let row = group.rows.first, case .client = row.name else { return false }
        return row.value != nil
    }

    /// All of the group, or nothing. Inside a transaction that nobody else can write beside.
    func write(_ group: WriteGroup, apps known: inout AppKeys) throws -> WriteOutcome {
        if !isComparedByWrite(group) {
            let conflicts = try group.rows.filter { try version(of: $0.name) != $0.expected }
            guard conflicts.isEmpty else { return .conflict(conflicts.map(\.name)) }
        }
        var versions = group.rows.map(\.expected)
        var keys: [ClientReference: Int64] = [:]
        for (index, row) in group.rows.enumerated() {
            guard case .client(let client) = row.name, case .client(let state)? = row.value else { continue }
            let version = row.expected == 0 ? try counters.firstVersion() : row.expected &+ 1
            let app = try known.key(client.app, apps)
            let written = try clients.write(
                ClientRow(version: version, state: state.encoded()), app: app, id: client.id, expecting: row.expected)
            guard let written else { return .conflict([row.name]) }
            (keys[client], versions[index]) = (written, version)
        }
        for file in group.files { try FileRows(database).insert(file.file, app: known.key(file.app, apps)) }
        for (index, row) in group.rows.enumerated() {
            switch (row.name, row.value) {
            case (.answer(let client, _), .answer(let response)?):
                guard let key = keys[client] else { throw RowFault.unreadable("an answer without its client's row") }
                try responses.insert(response, app: known.key(client.app, apps), client: key)
                versions[index] = 1
            case (.reply(let key), .reply(let reply, let at)?):
                let app = try reply.subject.map { try known.key($0.app, apps) }
                try idempotency.insert(reply, for: key, app: app, at: at)
                versions[index] = 1
            case (let name, let value?) where value.isEmpty:
                try delete(name, apps: &known)
                // The row's versions must not return.
                try counters.beginEpoch()
                versions[index] = 0
            case (.user, let value?), (.run, let value?), (.currentRun, let value?), (.tally, let value?),
                (.runList, let value?), (.alias, let value?), (.lease, let value?):
                versions[index] = row.expected == 0 ? try counters.firstVersion() : row.expected &+ 1
                try write(value, under: row.name, version: versions[index], expecting: row.expected, apps: &known)
            default: break
            }
        }
        try writeRest(group, clients: keys, apps: &known)
        return .written(versions)
    }

    /// What stands beside the rows of a group.
    private func writeRest(
        _ group: WriteGroup, clients keys: [ClientReference: Int64], apps known: inout AppKeys
    ) throws {
        for ids in group.eventIDs {
            guard let key = keys[ids.client] else { throw RowFault.unreadable("event ids without their client's row") }
            for id in ids.ids { try eventIDs.insert(id, client: key, at: ids.at) }
        }
        for record in group.records {
            try telemetry.append(record.record, app: known.key(record.app, apps), receivedAt: record.receivedAt)
        }
        for file in group.files {
            try FileRows(database).deleteUnused(file.name.sha256, app: known.key(file.app, apps))
        }
        for entry in group.audit { try AuditRows(database).append(entry) }
        for webhook in group.outbox { try outbox.insert(webhook, app: known.key(webhook.app, apps)) }
    }
}

extension StoredRows {
    /// The versions were compared before.
    private func write(
        _ value: RowValue, under name: RowName, version: UInt64, expecting expected: UInt64, apps known: inout AppKeys
    ) throws {
        switch (name, value) {
        case (.user(let user), .client(let state)):
            let row = ClientRow(version: version, state: state.encoded())
            let app = try known.key(user.app, apps)
            guard try users().write(row, app: app, id: user.id, expecting: expected) != nil else {
                throw RowFault.unreadable("a user's row has changed within the transaction")
            }
        case (.run(let run), .run(let value)):
            try runs.write(value, app: known.key(run.app, apps), version: version, isNew: expected == 0)
        case (.currentRun(let app, let slug, let respondent), .currentRun(let run)):
            let key = RunRows.CurrentKey(app: try known.key(app, apps), slug: slug, respondent: respondent)
            try runs.setCurrent(run, of: key, version: version)
        case (.tally(let app, let key), .tally):
            try SharedRows(database).write(value, .tally, app: known.key(app, apps), name: key, version: version)
        case (.runList(let app, let respondent), .runList):
            let app = try known.key(app, apps)
            try SharedRows(database).write(value, .runList, app: app, name: respondent, version: version)
        case (.alias(let user, let clientID), .alias):
            let name = SharedRows.alias(userID: user.id, clientID: clientID)
            try SharedRows(database).write(value, .alias, app: known.key(user.app, apps), name: name, version: version)
        case (.lease(let name), .lease):
            try SharedRows(database).write(value, .lease, app: 0, name: name, version: version)
        default: throw RowFault.unreadable("a row and a value of another kind")
        }
    }

    /// A row whose value is empty.
    private func delete(_ name: RowName, apps known: inout AppKeys) throws {
        switch name {
        case .currentRun(let app, let slug, let respondent):
            try runs.deleteCurrent(of: .init(app: known.key(app, apps), slug: slug, respondent: respondent))
        case .runList(let app, let respondent):
            try SharedRows(database).delete(.runList, app: known.key(app, apps), name: respondent)
        default: throw RowFault.unreadable("an empty row of a kind that has none")
        }
    }
}

/// The numbers of apps, each looked up once a transaction.
struct AppKeys {
    private var keys: [ByteString: Int64] = [:]

    private struct ByteString: Hashable {
        let bytes: [UInt8]
    }

    mutating func key(_ app: String, _ rows: AppRows) throws -> Int64 {
        let name = ByteString(bytes: Array(app.utf8))
        if let key = keys[name] { return key }
        let key = try rows.key(app)
        keys[name] = key
        return key
    }
}

/// Table `counter`: numbers that the whole store shares.
struct CounterRows {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The version of a row that did not exist. Every erasure begins a new epoch, so that an erased client's versions
    /// never return.
    func firstVersion() throws -> UInt64 { UInt64(try value("epoch") &+ 1) << 32 }

    func beginEpoch() throws { try set("epoch", try value("epoch") &+ 1) }

    /// How often the catalog was published.
    func catalogHead() throws -> CatalogHead { CatalogHead(revision: UInt64(try value("catalog"))) }

    func setCatalogHead(_ head: CatalogHead) throws { try set("catalog", Int64(clamping: head.revision)) }

    /// How often tokens were changed.
    func tokenHead() throws -> TokenHead { TokenHead(revision: UInt64(try value("tokens"))) }

    func setTokenHead(_ head: TokenHead) throws { try set("tokens", Int64(clamping: head.revision)) }

    private func value(_ name: String) throws -> Int64 {
        try Prepared(database, "SELECT value FROM counter WHERE name = ?").first(.text(name)) { $0.integer(0) } ?? 0
    }

    private func set(_ name: String, _ value: Int64) throws {
        try Prepared(database, "INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)")
            .run(.text(name), .integer(value))
    }
}
