import BellwetherCore
import BellwetherJSON
import BellwetherService
import SQLiteWire
import StoreTables
import Surveys

/// Rows by name, and the event ids of clients: the data that transactions read and write. Valid as long as the access
/// to the database that made it.
///
/// In this store clients and apps have numbers, by which other tables refer to them. The numbers never leave the store.
struct StoredRows {
    private let database: SQLiteConnection
    private let apps: AppRows
    private let clients: ClientRows
    private let eventIDs: EventIDRows
    private let counters: CounterRows

    init(_ database: SQLiteConnection) throws {
        self.database = database
        apps = try AppRows(database)
        clients = try ClientRows(database)
        eventIDs = try EventIDRows(database)
        counters = CounterRows(database)
    }

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
        case .audit:
            let end = try AuditRows(database).end()
            return end.sequence == 0 ? nil : StoredRow(version: UInt64(end.sequence), value: .audit(end))
        case .catalog:
            let revision = try counters.catalogHead().revision
            return revision == 0 ? nil : StoredRow(version: revision, value: .catalog)
        default:
            let address = RowAddress(name)
            guard let table = address.table, let statements = TableStatements.sqlite[table] else { return nil }
            return try Prepared(database, statements.select).first(address.keys.map { .text($0) }) { row in
                StoredRow(version: row.version(0), value: try table.value(row, at: 1, address.keys))
            }
        }
    }

    private func known(_ ids: EventIDs) throws -> [Bool] {
        guard let app = try apps.find(ids.client.app), let key = try clients.key(app: app, id: ids.client.id) else {
            return Array(repeating: false, count: ids.ids.count)
        }
        return try ids.ids.map { try eventIDs.contains($0, client: key) }
    }

    /// The version of a row, even if its value cannot be read.
    func version(of name: RowName) throws -> UInt64 {
        let address = RowAddress(name)
        guard let table = address.table, let statements = TableStatements.sqlite[table] else {
            return try row(name)?.version ?? 0
        }
        return try Prepared(database, statements.version).first(address.keys.map { .text($0) }) { $0.version(0) } ?? 0
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
            guard let key = keys[ids.client] else { throw RowFault("event ids without their client's row") }
            for id in ids.ids { try eventIDs.insert(id, client: key, at: ids.at) }
        }
        if !group.records.isEmpty {
            let telemetry = try TelemetryRows(database)
            for record in group.records {
                try telemetry.append(record.record, app: known.key(record.app, apps), receivedAt: record.receivedAt)
            }
        }
        for file in group.files {
            try FileRows(database).deleteUnused(file.name.sha256, app: known.key(file.app, apps))
        }
        if !group.audit.isEmpty {
            let audit = AuditRows(database)
            for record in group.audit { try audit.append(record) }
        }
        if !group.outbox.isEmpty {
            let version = try counters.firstVersion()
            for webhook in group.outbox {
                let columns = [.text(webhook.id)] + webhook.columns(version: version)
                try run(TableWrite(.webhook, .insertOnce, columns), &known)
            }
        }
        for change in group.catalog { try write(change, &known) }
    }
}

extension StoredRows {
    /// Writes one row and returns its new version. The caller has compared the versions.
    private func write(
        _ value: RowValue, _ row: RowWrite, _ group: WriteGroup, _ keys: [ClientReference: Int64],
        _ known: inout AppKeys
    ) throws -> UInt64 {
        let address = RowAddress(row.name)
        func put(_ table: StoreTable, _ columns: [ColumnValue], client: Int64? = nil) throws {
            let isNew = !table.hasVersion || row.expected == 0
            let key = keyColumns(address, client: client)
            let write = TableWrite(table, isNew ? .insert : .update, isNew ? key + columns : columns + key)
            try run(write, &known)
        }
        let next = { row.expected == 0 ? try counters.firstVersion() : row.expected &+ 1 }
        switch (address.table, value) {
        case (.answer, .answer(let response)):
            guard case .answer(let client, _) = row.name, let key = keys[client] else {
                throw RowFault("an answer without its client's row")
            }
            try put(.answer, response.columns, client: key)
            return 1
        case (.reply, .reply(let reply, let at)):
            try put(.reply, reply.columns(at: at))
            return 1
        case (nil, .audit): return group.audit.last.map { UInt64($0.sequence) } ?? row.expected
        case (nil, .catalog):
            try counters.setCatalogHead(CatalogHead(revision: row.expected &+ 1))
            return row.expected &+ 1
        case (.user, .client(let state)):
            let version = try next()
            try put(.user, [.version(version), .bytes(state.encoded())])
            return version
        case (.run, .run(let run)):
            let version = try next()
            try put(.run, run.columns(version: version))
            if let flow = run.flow {
                try FileRows(database).refer(run: run.id, app: known.key(address.keys[0], apps), to: flow.files)
            }
            return version
        case (.currentRun, .currentRun(let run)):
            let version = try next()
            try put(.currentRun, [.version(version), .text(run)])
            return version
        case (.webhook, .webhook(let webhook, let owner)) where row.expected != 0:
            let version = row.expected &+ 1
            try Prepared(database, OutboxRow.update)
                .run(webhook.updated(version: version, owner: owner).map { try bound($0, &known) })
            return version
        case (.small, _):
            guard let body = value.smallBody else { throw RowFault("a row and a value of another kind") }
            let version = try next()
            try put(.small, [.version(version), .bytes(body), .text(SmallRow(row.name)?.clientID)])
            return version
        default: throw RowFault("a row and a value of another kind")
        }
    }

    /// The columns of a row's key.
    /// - Parameter client: the number of the client of an answer.
    private func keyColumns(_ address: RowAddress, client: Int64? = nil) -> [ColumnValue] {
        zip(address.table?.columns ?? [], address.keys).map { column, key in
            switch column.name {
            case "app": address.app.map { .app($0) } ?? .integer(0)
            case "client": client.map { .integer($0) } ?? .null
            default: .text(key)
            }
        }
    }

    private func run(_ write: TableWrite, _ known: inout AppKeys) throws {
        let values = try write.values.map { try bound($0, &known) }
        for sql in TableStatements.sqlite[write.table]?[write.action] ?? [] {
            try Prepared(database, sql).run(values)
        }
    }

    private func bound(_ value: ColumnValue, _ known: inout AppKeys) throws -> SQLValue {
        guard case .app(let name) = value else { return SQLValue(value) }
        return .integer(try known.key(name, apps))
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
        let address = RowAddress(name)
        guard let table = address.table else { throw RowFault("a row that is not deleted") }
        var client: Int64?
        switch name {
        case .client(let reference), .answer(let reference, _):
            client = try clients.key(app: known.key(reference.app, apps), id: reference.id)
            guard let client else { return }
            if case .client = name { try eventIDs.delete(client: client) }
        case .user, .run, .currentRun, .reply, .webhook, .tally, .counts, .cell, .periods, .definitions,
            .forecast, .runList, .alias,
            .lease, .consumer, .note, .list, .listBucket, .listKey, .token:
            break
        default: throw RowFault("a row that is not deleted")
        }
        try run(TableWrite(table, .delete, keyColumns(address, client: client)), &known)
    }
}

/// The catalog.
extension StoredRows {
    private func write(_ change: CatalogChange, _ known: inout AppKeys) throws {
        switch change {
        case .recipe(let app, let recipe):
            try checkHistory(.revision, app, recipe.slug, recipe.document.revision, recipe.document.text)
        case .message(let app, let message):
            try checkHistory(.message, app, message.key, message.revision, message.text)
        case .revision(let app, let revision):
            try Prepared(database, "UPDATE app SET revision = ? WHERE key = ?")
                .run(.integer(Int64(clamping: revision)), .integer(known.key(app, apps)))
        default: break
        }
        for write in change.writes { try run(write, &known) }
    }

    /// A revision or message never changes: to write it again with another text is a fault.
    private func checkHistory(
        _ table: StoreTable, _ app: Identifier, _ name: Identifier, _ revision: Int, _ text: [UInt8]
    ) throws {
        guard let statements = TableStatements.sqlite[table] else { return }
        let column: Int = table == .revision ? 3 : 1
        let known = try Prepared(database, statements.select)
            .first([.text(app), .text(name), .integer(Int64(revision))]) { $0.bytes(column) }
        guard known == nil || known == text else {
            throw RowFault("revision \(revision) of \(name) exists with another text")
        }
    }
}

/// The numbers of apps. Each is looked up once in a transaction.
struct AppKeys {
    private var keys: [Identifier: Int64] = [:]

    mutating func key(_ app: Identifier, _ rows: AppRows) throws -> Int64 {
        if let key = keys[app] { return key }
        let key = try rows.key(app)
        keys[app] = key
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

    private func value(_ name: String) throws -> Int64 {
        try Prepared(database, "SELECT value FROM counter WHERE name = ?").first(.text(name)) { $0.integer(0) } ?? 0
    }

    private func set(_ name: String, _ value: Int64) throws {
        try Prepared(database, "INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)")
            .run(.text(name), .integer(value))
    }
}
