internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import StoreTables
internal import Surveys

/// The writes of all groups, gathered by table. Tables with many narrow rows get one statement each, with arrays.
struct WritePlan {
    private typealias Versioned = (keys: [Identifier], version: UInt64, body: [UInt8], clientID: Identifier?)

    private var inserted: [StoreTable: [Versioned]] = [:]
    private var updated: [StoreTable: [Versioned]] = [:]
    private var deleted: [RowTable: [[Identifier]]] = [:]
    private var eventIDs: [(client: ClientReference, id: Identifier, at: Timestamp)] = []
    private var records: [(record: WriteGroup.LogRecord, extra: String)] = []
    /// The statements for rows of other tables, in the order of their groups.
    private var others: [PostgresStatement] = []
    private var files: [FileWrite] = []
    private var references: [PostgresStatement] = []
    private var audit: [AuditRecord] = []
    private var catalog: [PostgresStatement] = []
    private var messages: [(app: Identifier, message: StoredMessage)] = []
    private var hasMovedHead = false
    /// Whether tokens were created, revoked or deleted. Other daemons do not need the last uses of tokens.
    private var changesTokens = false
    /// Files that may have lost their last reference.
    var unused: [FileName] = []
    /// The apps that the rows belong to.
    private(set) var apps: Set<Identifier> = []
    private(set) var isEmpty = true

    /// - Parameters:
    /// - versions: the new versions of the group's rows.
    /// - extras: the members `extra` of the group's records. They are encoded before rows are locked.
    mutating func add(_ group: WriteGroup, _ versions: [UInt64], extras: [String], _ epoch: UInt64) throws {
        isEmpty = false
        for (row, version) in zip(group.rows, versions) {
            guard let value = row.value else { continue }
            try add(value, row, version, group)
        }
        for ids in group.eventIDs { eventIDs += ids.ids.map { (ids.client, $0, ids.at) } }
        for record in group.records { note(record.app) }
        records += zip(group.records, extras).map { ($0, $1) }
        files += group.files
        unused += group.files.map(\.name)
        audit += group.audit
        for webhook in group.outbox {
            note(webhook.app)
            let columns = [.text(webhook.id)] + webhook.columns(version: GroupWriting.firstVersion(epoch))
            others += PostgresStatement.writing(TableWrite(.webhook, .insertOnce, columns))
        }
        for change in group.catalog {
            note(change.app)
            switch change {
            case .message(let app, let message): messages.append((app, message))
            case .revision(let app, let revision):
                catalog.append(
                    .numbering(
                        "UPDATE app SET revision = ? WHERE name = ?", .integer(Int64(clamping: revision)), .text(app)))
            default: catalog += change.writes.flatMap(PostgresStatement.writing)
            }
        }
    }

    private mutating func note(_ app: Identifier?) { if let app { apps.insert(app) } }

    private mutating func add(_ value: RowValue, _ row: RowWrite, _ version: UInt64, _ group: WriteGroup) throws {
        let address = RowAddress(row.name)
        note(address.app)
        if case .token = row.name { changesTokens = changesTokens || !Self.isUse(value, row) }
        if value.isEmpty {
            if row.expected != 0 { deleted[RowTable(address.table), default: []].append(address.keys) }
            return
        }
        let isNew = row.expected == 0
        switch (address.table, value) {
        case (let table?, .client(let state)) where table == .client || table == .user:
            add((address.keys, version, state.encoded(), nil), to: table, isNew)
        case (.currentRun, .currentRun(let run)): put(address, [.version(version), .text(run)], isNew)
        case (.answer, .answer(let answer)): put(address, answer.columns, true)
        case (.reply, .reply(let reply, let at)):
            note(reply.subject?.app)
            put(address, reply.columns(at: at), true)
        case (.run, .run(let run)):
            put(address, run.columns(version: version), isNew)
            if let flow = run.flow { references += Self.referring(run.id, address.keys[0], flow.files.map(\.sha256)) }
        case (.webhook, .webhook(let webhook, let owner)) where !isNew:
            let values = webhook.updated(version: version, owner: owner).map { PostgresValue($0) }
            others.append(.numbering(OutboxRow.update, values))
        case (nil, .audit), (nil, .catalog):
            hasMovedHead = hasMovedHead || address.keys[0] == "catalog"
            others.append(
                .numbering("UPDATE head SET version = ? WHERE name = ?", .version(version), .text(address.keys[0])))
        case (.small, _):
            guard let body = value.smallBody else { throw RowFault("a row and a value of another kind") }
            add((address.keys, version, body, SmallRow(row.name)?.clientID), to: .small, isNew)
        default: throw RowFault("a row and a value of another kind")
        }
    }

    /// Whether the row is a token that existed before and is not revoked.
    private static func isUse(_ value: RowValue, _ row: RowWrite) -> Bool {
        guard row.expected != 0, case .token(let kept) = value else { return false }
        // An account may have other roles.
        return kept.token.revokedAt == nil && kept.token.account == nil
    }

    private mutating func put(_ address: RowAddress, _ columns: [ColumnValue], _ isNew: Bool) {
        guard let table = address.table else { return }
        let key = address.keys.map { ColumnValue.text($0) }
        others += PostgresStatement.writing(
            TableWrite(table, isNew ? .insert : .update, isNew ? key + columns : columns + key))
    }

    private mutating func add(_ row: Versioned, to table: StoreTable, _ isNew: Bool) {
        if isNew { inserted[table, default: []].append(row) } else { updated[table, default: []].append(row) }
    }

    /// Sets the files that a run refers to.
    private static func referring(_ run: Identifier, _ app: Identifier, _ digests: [Identifier]) -> [PostgresStatement]
    {
        [
            .numbering(
                "DELETE FROM run_file WHERE app = ? AND run = ? AND sha256 <> ALL (?::text[])", .text(app), .text(run),
                .texts(digests)),
            .numbering(
                """
                INSERT INTO run_file (app, run, sha256)
                    SELECT app, ?, sha256 FROM file WHERE app = ? AND sha256 = ANY (?::text[])
                ON CONFLICT DO NOTHING
                """, .text(run), .text(app), .texts(digests)),
        ]
    }
}

/// The statements, in one order for all writers: rows before the heads, and the lane of the log last.
extension WritePlan {
    func statements(isKnown: (Identifier) -> Bool) -> [PostgresStatement] {
        var all: [PostgresStatement] = []
        let new = apps.filter { !isKnown($0) }.sorted()
        if !new.isEmpty {
            all.append(
                .numbering(
                    "INSERT INTO app (name) SELECT * FROM unnest(?::text[]) ON CONFLICT DO NOTHING", .texts(new)))
        }
        let clients = RowTable(.client)
        if let keys = deleted[clients] {
            all.append(
                .numbering(
                    "DELETE FROM event_id t USING \(clients.names) WHERE t.app = u.k0 AND t.client = u.k1",
                    clients.arrays(keys)))
        }
        for rows in RowTable.all {
            if let keys = deleted[rows] { all.append(rows.deletion(of: keys)) }
            guard let table = rows.table else { continue }
            if let rows = updated[table] { all.append(Self.update(table, rows)) }
            if let rows = inserted[table] { all.append(Self.insertion(into: table, Self.sorted(rows))) }
        }
        all += files.map(Self.insertion) + others + references
        if !eventIDs.isEmpty { all.append(eventIDInsertion) }
        if !unused.isEmpty { all.append(deletionOfUnusedFiles) }
        all += audit.flatMap { PostgresStatement.writing(TableWrite(.audit, .insert, $0.columns)) }
        all += catalog
        if !messages.isEmpty { all.append(.insertion(of: messages)) }
        if changesTokens {
            all.append(PostgresStatement("UPDATE head SET version = version + 1 WHERE name = 'tokens'"))
        }
        if changesTokens || hasMovedHead { all.append(PostgresStatement("NOTIFY \(StoreHeadsReader.channel)")) }
        if !records.isEmpty { all.append(recordInsertion) }
        return all
    }

    private static func sorted(_ rows: [Versioned]) -> [Versioned] {
        rows.sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
    }

    private static func arrays(_ table: StoreTable, _ rows: [Versioned]) -> [PostgresValue] {
        var arrays = RowTable(table).arrays(rows.map(\.keys))
        arrays.append(.integers(rows.map { Int64(bitPattern: $0.version) }))
        arrays.append(.byteArrays(rows.map(\.body)))
        if table == .small { arrays.append(.texts(rows.map(\.clientID))) }
        return arrays
    }

    private static func insertion(into table: StoreTable, _ rows: [Versioned]) -> PostgresStatement {
        let arrays = table.columns.map { "?::\($0.kind.postgresType)[]" }.joined(separator: ", ")
        let names = table.columns.map(\.name).joined(separator: ", ")
        return .numbering(
            "INSERT INTO \(Dialect.postgres.name(table)) (\(names)) SELECT * FROM unnest(\(arrays))",
            self.arrays(table, rows))
    }

    private static func update(_ table: StoreTable, _ rows: [Versioned]) -> PostgresStatement {
        let keys = RowTable(table).keys.indices.map { "k\($0)" }
        let columns = table.columns.dropFirst(table.keyCount).map(\.name)
        let arrays = table.columns.map { "?::\($0.kind.postgresType)[]" }.joined(separator: ", ")
        let settings = columns.map { "\($0) = u.\($0)" }.joined(separator: ", ")
        return .numbering(
            """
            UPDATE \(Dialect.postgres.name(table)) t SET \(settings)
            FROM unnest(\(arrays)) AS u(\((keys + columns).joined(separator: ", "))) WHERE \(RowTable(table).match)
            """, self.arrays(table, rows))
    }

    /// Inserts a file. If the app has a file with this digest, that file keeps its type, and is locked: no other
    /// transaction deletes it before this one has referred to it.
    private static func insertion(of file: FileWrite) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO file (app, sha256, type, content) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, sha256) DO UPDATE SET type = file.type
            """, .text(file.app), .text(file.file.reference.sha256), .text(file.file.reference.type),
            .bytes(file.file.content))
    }

    private var eventIDInsertion: PostgresStatement {
        .numbering(
            """
            INSERT INTO event_id (app, client, id, at)
                SELECT * FROM unnest(?::text[], ?::text[], ?::bytea[], ?::int8[]) ON CONFLICT DO NOTHING
            """, .texts(eventIDs.map(\.client.app)), .texts(eventIDs.map(\.client.id)),
            .byteArrays(eventIDs.map { Array($0.id.utf8) }), .integers(eventIDs.map(\.at.seconds)))
    }

    private var deletionOfUnusedFiles: PostgresStatement {
        let files = RowTable(.file)
        return .numbering(
            """
            DELETE FROM file t USING \(files.names) WHERE \(files.match)
                AND NOT EXISTS (SELECT 1 FROM run_file r WHERE r.app = t.app AND r.sha256 = t.sha256)
            """, files.arrays(unused.map { [$0.app, $0.sha256] }))
    }

    /// The statement itself locks the lane. Assume that a writer's machine fails while it sends its message. The writer
    /// then holds the lane only if the whole statement has arrived and only the commit is missing.
    private var recordInsertion: PostgresStatement {
        let types = ["text", "int8", "int8", "text", "text", "text", "text", "text", "text", "text"]
        let arrays = types.map { "?::\($0)[]" }.joined(separator: ", ")
        let (all, extras) = (records.map(\.record), records.map(\.extra))
        return .numbering(
            """
            WITH lane AS MATERIALIZED (SELECT 1 FROM log_lane WHERE lane = 1 FOR UPDATE)
            INSERT INTO telemetry
                (cursor, app, received_at, at, client_id, category, name, extra, experiment, branch, message)
            SELECT nextval('cursor'), r.app, r.received_at, r.at, r.client_id, r.category, r.name, r.extra,
                r.experiment, r.branch, r.message
            FROM lane, (SELECT * FROM unnest(\(arrays)) WITH ORDINALITY
                AS u(app, received_at, at, client_id, category, name, extra, experiment, branch, message, n)
                ORDER BY n) r
            """,
            [
                .texts(all.map(\.app)), .integers(all.map(\.receivedAt.milliseconds)),
                .integers(all.map(\.record.at.milliseconds)), .texts(all.map(\.record.clientID)),
                .texts(all.map(\.record.category)), .texts(all.map(\.record.name)), .texts(extras),
                .texts(all.map(\.record.experiment)), .texts(all.map(\.record.branch)),
                .texts(all.map(\.record.messageKey)),
            ])
    }
}
