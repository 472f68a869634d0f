import BellwetherCore
import BellwetherService
import SQLiteWire
import Surveys

/// Rows by name, and the event ids of clients: the data that transactions read and write. Valid as long as the access
/// to the database that made it.
///
/// In this store clients and apps have numbers, by which other tables refer to them. The numbers never leave the store.
struct StoredRows {
    private let apps: AppRows
    private let clients: ClientRows
    private let eventIDs: EventIDRows
    private let telemetry: TelemetryRows
    private let responses: ResponseRows
    private let idempotency: IdempotencyRows
    private let outbox: OutboxRows
    private let runs: RunRows
    private let shared: SharedRows
    private let audit: AuditRows
    private let database: SQLiteConnection
    private let counters: CounterRows

    init(_ database: SQLiteConnection) throws {
        apps = try AppRows(database)
        clients = try ClientRows(database)
        eventIDs = try EventIDRows(database)
        telemetry = try TelemetryRows(database)
        responses = try ResponseRows(database)
        idempotency = try IdempotencyRows(database)
        outbox = OutboxRows(database)
        runs = RunRows(database)
        shared = SharedRows(database)
        audit = AuditRows(database)
        self.database = database
        counters = CounterRows(database)
    }

    /// These statements are prepared only when needed: most transactions write no user.
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
            guard let app = try apps.find(client.app) else { return nil }
            return try clients.find(app: app, id: client.id).map { try stored($0, .unreadableState(client)) }
        case .user(let user):
            guard let app = try apps.find(user.app) else { return nil }
            let fault = RowFault.unreadable("the state of a user")
            return try users().find(app: app, id: user.id).map { try stored($0, fault) }
        case .answer(let client, let message):
            guard let app = try apps.find(client.app), let key = try clients.key(app: app, id: client.id) else {
                return nil
            }
            return try responses.find(app: app, client: key, clientID: client.id, message: message)
                .map { StoredRow(version: 1, value: .answer($0)) }
        case .run(let run): return try apps.find(run.app).flatMap { try runs.find(app: $0, id: run.id) }
        case .currentRun(let app, let slug, let respondent):
            return try apps.find(app).flatMap { try runs.current(app: $0, slug: slug, respondent: respondent) }
        case .reply(let key): return try idempotency.find(key)
        case .webhook(let id): return try outbox.find(id)
        case .audit:
            let end = try audit.end()
            return end.sequence == 0 ? nil : StoredRow(version: UInt64(end.sequence), value: .audit(end))
        case .catalog:
            let revision = try counters.catalogHead().revision
            return revision == 0 ? nil : StoredRow(version: revision, value: .catalog)
        case .file(let file):
            guard let app = try apps.find(file.app) else { return nil }
            return try FileRows(database).find(file, app: app).map { StoredRow(version: 1, value: .file($0)) }
        case .document, .draft, .recipe, .revision:
            return try CatalogRows(database).find(name).map { StoredRow(version: 1, value: $0) }
        case .tally, .counts, .runList, .alias, .lease, .consumer, .note, .token:
            return try small(name) { try shared.find($0, app: $1) }
        }
    }

    private func stored(_ row: ClientRow, _ fault: RowFault) throws -> StoredRow {
        guard let state = ClientState(encoded: row.state) else { throw fault }
        return StoredRow(version: row.version, value: .client(state))
    }

    /// The value of a small row; nil if there is none, or if the store never had data of the app.
    private func small<Value>(_ name: RowName, _ find: (SmallRow, Int64) throws -> Value?) throws -> Value? {
        guard let row = SmallRow(name), let app = try row.app.map({ try apps.find($0) }) ?? 0 else { return nil }
        return try find(row, app)
    }

    private func known(_ ids: EventIDs) throws -> [Bool] {
        guard let app = try apps.find(ids.client.app), let key = try clients.key(app: app, id: ids.client.id) else {
            return Array(repeating: false, count: ids.ids.count)
        }
        return try ids.ids.map { try eventIDs.contains($0, client: key) }
    }

    /// The version of a row, even if its value cannot be read.
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
        case .webhook(let id): return try outbox.version(id) ?? 0
        case .tally, .counts, .runList, .alias, .lease, .consumer, .note, .token:
            return try small(name) { try shared.version($0, app: $1) } ?? 0
        default: return try row(name)?.version ?? 0
        }
    }

    /// Whether the write itself compares the version, so that no check before it is needed: a group with one client's
    /// row.
    private func isComparedByWrite(_ group: WriteGroup) -> Bool {
        guard group.rows.count == 1, let row = group.rows.first, case .client = row.name else { return false }
        guard let value = row.value else { return false }
        return !value.isEmpty
    }

    /// Writes all of the group, or nothing. Runs inside a transaction that excludes other writers.
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
            guard let value = row.value, !value.isEmpty else { continue }
            if case .client = row.name { continue }
            versions[index] = try write(value, row, group, keys, &known)
        }
        try releaseFiles(group, &known)
        try delete(group, &versions, &known)
        try writeRest(group, clients: keys, apps: &known)
        return .written(versions)
    }

    /// Removes the references that the group's runs no longer have, after each of its runs has taken its own.
    private func releaseFiles(_ group: WriteGroup, _ known: inout AppKeys) throws {
        for row in group.rows {
            guard case .run(let name) = row.name, case .run(let run)? = row.value, let flow = run.flow else { continue }
            try FileRows(database).release(run: run.id, app: known.key(name.app, apps), except: flow.files)
        }
    }

    /// Writes the parts of a group other than its rows.
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
        for record in group.audit { try audit.append(record) }
        if !group.outbox.isEmpty {
            let version = try counters.firstVersion()
            for webhook in group.outbox {
                try outbox.insert(webhook, app: known.key(webhook.app, apps), version: version)
            }
        }
        if !group.catalog.isEmpty {
            let rows = try CatalogRows(database)
            for change in group.catalog { try rows.apply(change) }
        }
    }
}

extension StoredRows {
    /// Writes one row and returns its new version. The caller has compared the versions.
    private func write(
        _ value: RowValue, _ row: RowWrite, _ group: WriteGroup, _ keys: [ClientReference: Int64],
        _ known: inout AppKeys
    ) throws -> UInt64 {
        let next = { row.expected == 0 ? try counters.firstVersion() : row.expected &+ 1 }
        switch (row.name, value) {
        case (.answer(let client, _), .answer(let response)):
            guard let key = keys[client] else { throw RowFault.unreadable("an answer without its client's row") }
            try responses.insert(response, app: known.key(client.app, apps), client: key)
            return 1
        case (.reply(let key), .reply(let reply, let at)):
            try idempotency.insert(reply, for: key, app: reply.subject.map { try known.key($0.app, apps) }, at: at)
            return 1
        case (.audit, .audit): return group.audit.last.map { UInt64($0.sequence) } ?? row.expected
        case (.catalog, .catalog):
            try counters.setCatalogHead(CatalogHead(revision: row.expected &+ 1))
            return row.expected &+ 1
        case (.user(let user), .client(let state)):
            let version = try next()
            try write(state, of: user, version: version, expecting: row.expected, &known)
            return version
        case (.run(let run), .run(let value)):
            let version = try next()
            try runs.write(value, app: known.key(run.app, apps), version: version, isNew: row.expected == 0)
            return version
        case (.currentRun(let app, let slug, let respondent), .currentRun(let run)):
            let version = try next()
            let key = RunRows.CurrentKey(app: try known.key(app, apps), slug: slug, respondent: respondent)
            try runs.setCurrent(run, of: key, version: version)
            return version
        case (.webhook, .webhook(let webhook, let owner)) where row.expected != 0:
            try outbox.update(webhook, owner: owner, version: row.expected &+ 1)
            return row.expected &+ 1
        default:
            guard let small = SmallRow(row.name), let body = value.json else {
                throw RowFault.unreadable("a row and a value of another kind")
            }
            let version = try next()
            try shared.write(body, small, app: small.app.map { try known.key($0, apps) } ?? 0, version: version)
            return version
        }
    }

    private func write(
        _ state: ClientState, of user: UserReference, version: UInt64, expecting expected: UInt64,
        _ known: inout AppKeys
    ) throws {
        let row = ClientRow(version: version, state: state.encoded())
        let app = try known.key(user.app, apps)
        guard try users().write(row, app: app, id: user.id, expecting: expected) != nil else {
            throw RowFault.unreadable("a user's row has changed within the transaction")
        }
    }

    /// Deletes the rows whose values are empty. Clients go last, because other rows are found by the clients' numbers.
    private func delete(_ group: WriteGroup, _ versions: inout [UInt64], _ known: inout AppKeys) throws {
        let gone = group.rows.indices.filter { group.rows[$0].value?.isEmpty == true }
        guard !gone.isEmpty else { return }
        let isClient = { (index: Int) in if case .client = group.rows[index].name { true } else { false } }
        for index in gone.filter({ !isClient($0) }) + gone.filter(isClient) {
            if group.rows[index].expected != 0 { try delete(group.rows[index].name, &known) }
            versions[index] = 0
        }
        // A version must never be used again. A webhook's id is used once, and an answer and a reply have only one
        // version.
        let returns = gone.contains { index in
            switch group.rows[index].name {
            case .webhook, .answer, .reply: false
            default: true
            }
        }
        if returns { try counters.beginEpoch() }
    }

    private func delete(_ name: RowName, _ known: inout AppKeys) throws {
        switch name {
        case .client(let client):
            guard let key = try clients.key(app: known.key(client.app, apps), id: client.id) else { return }
            try eventIDs.delete(client: key)
            try clients.delete(key: key)
        case .user(let user):
            let users = try users()
            if let key = try users.key(app: known.key(user.app, apps), id: user.id) { try users.delete(key: key) }
        case .answer(let client, let message):
            let app = try known.key(client.app, apps)
            guard let key = try clients.key(app: app, id: client.id) else { return }
            try responses.delete(app: app, client: key, message: message)
        case .run(let run): try runs.delete(app: known.key(run.app, apps), id: run.id)
        case .currentRun(let app, let slug, let respondent):
            try runs.deleteCurrent(of: .init(app: known.key(app, apps), slug: slug, respondent: respondent))
        case .reply(let key): try idempotency.delete(key)
        case .webhook(let id): try outbox.delete(id)
        default:
            guard let small = SmallRow(name) else { throw RowFault.unreadable("a row that is not deleted") }
            try shared.delete(small, app: small.app.map { try known.key($0, apps) } ?? 0)
        }
    }
}

/// The numbers of apps. Each is looked up once in a transaction.
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
    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) { self.database = database }

    /// The version of a new row. Every erasure begins a new epoch, so that the versions of an erased client are never
    /// used again.
    func firstVersion() throws -> UInt64 { UInt64(try value("epoch") &+ 1) << 32 }

    /// A version above the version of every row that ever existed.
    func versionBound() throws -> UInt64 { try firstVersion() + 1 << 32 }

    /// Sets the epoch: new rows get versions above the bound.
    func begin(above bound: UInt64) throws { try set("epoch", Int64(clamping: bound >> 32)) }

    func beginEpoch() throws { try set("epoch", try value("epoch") &+ 1) }

    /// How often the catalog was published.
    func catalogHead() throws -> CatalogHead { CatalogHead(revision: UInt64(try value("catalog"))) }

    func setCatalogHead(_ head: CatalogHead) throws { try set("catalog", Int64(clamping: head.revision)) }

    /// How often tokens were changed.

    private func value(_ name: String) throws -> Int64 {
        try Prepared(database, "SELECT value FROM counter WHERE name = ?").first(.text(name)) { $0.integer(0) } ?? 0
    }

    private func set(_ name: String, _ value: Int64) throws {
        try Prepared(database, "INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)")
            .run(.text(name), .integer(value))
    }
}
