internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
internal import Surveys
internal import Synchronization

/// A store in memory, whose failures tests choose. It passes `StoreContract`.
///
/// `Scripts/store-mutations` removes its rules one by one, and expects that a test fails each time.
public final class MemoryStore: Store {
    struct Content {
        /// All rows except the catalog's.
        var rows: [RowName: StoredRow] = [:]
        /// Ids of webhooks, in the order in which they were written.
        var webhooks: [String] = []
        var files: [FileName: StoredFile] = [:]
        /// The time at which each event id was received.
        var eventIDs: [ClientReference: [[UInt8]: Timestamp]] = [:]
        /// The epoch of versions. Every deletion begins a new one, so that versions never repeat.
        var epoch: UInt64 = 1
        var log: [(app: String, row: TelemetryRow)] = []
        /// By app: the cursor up to which records were deleted, and the time until which these records were received.
        var expired: [String: (number: Int64, until: Timestamp?)] = [:]
        /// The apps for which anything was stored.
        var apps: Set<String> = []
        var catalog = StoredCatalog(apps: [])
        var revisions: [RowName: StoredDocument] = [:]
        var tokenUses = 0
        var rowsRead = 0
        /// The number of commits of rows, of the catalog and of tokens.
        var commits = 0
        var audit: [AuditRecord] = []
        var isClosed = false
        var failure: StoreError?
        /// The failure of writes only.
        var writeFailure: StoreError?
        var results = ResultsReading(messages: nil)
        /// A fault: a file is deleted with the row that drops its last reference, even if a later row of the same write
        /// takes it.
        var dropsFilesEarly = false
    }

    /// The identity of the store in its cursors.
    public static let identity: Int32 = 1

    /// The way in which processes share the store.
    public enum Sharing: Sendable {
        case ofOneProcess
        /// Processes poll the store for changes.
        case asked
        /// The store also notifies after each commit.
        case notifying
    }

    private let content: Mutex<Content>
    let sharing: Sharing
    /// The store's time; nil means the time of the process.
    let time = Mutex<Timestamp?>(nil)
    let observers = Mutex<[@Sendable () -> Void]>([])
    private let meddler = Mutex<(@Sendable () -> Void)?>(nil)
    /// The turns of this process, and of the other process that writes in `beforeNextWrite`.
    private let turns = (own: WriteTurn(), other: WriteTurn())
    private let isOther = Atomic<Bool>(false)
    public var turn: WriteTurn { isOther.load(ordering: .relaxed) ? turns.other : turns.own }

    /// - Parameter dropsFilesEarly: whether the store has the fault of `Content.dropsFilesEarly`.
    public init(sharing: Sharing = .ofOneProcess, dropsFilesEarly: Bool = false) {
        content = Mutex(Content(dropsFilesEarly: dropsFilesEarly))
        self.sharing = sharing
    }

    /// Another store with the same content.
    public init(copying other: MemoryStore) {
        var copy = other.content.withLock { $0 }
        copy.isClosed = false
        content = Mutex(copy)
        sharing = other.sharing
    }

    func access<Value>(_ body: (inout Content) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let (result, hasMoved) = content.withLock { content -> (Result<Value, StoreError>, Bool) in
            if content.isClosed { return (.failure(.closed), false) }
            if let failure = content.failure { return (.failure(failure), false) }
            let before = content.commits
            do throws(StoreError) {
                return (.success(try body(&content)), content.commits != before)
            } catch {
                return (.failure(error), false)
            }
        }
        if hasMoved, sharing == .notifying {
            for observer in observers.withLock({ $0 }) { observer() }
        }
        return try result.get()
    }

    public var status: StoreStatus {
        StoreStatus(health: content.withLock { $0.failure } == nil ? .healthy : .failing("told to"))
    }

    public func interruptReads() {}
    public func close() { content.withLock { $0.isClosed = true } }
}

/// Functions for tests.
extension MemoryStore {
    /// The number of writes of a token's last use.
    public var tokenUses: Int { content.withLock { $0.tokenUses } }

    /// The number of rows that were read.
    public var rowsRead: Int { content.withLock { $0.rowsRead } }

    /// The stored state of a client.
    public func state(of client: ClientReference) -> [UInt8]? {
        guard case .client(let state)? = content.withLock({ $0.rows[.client(client)] })?.value else { return nil }
        return state.encoded()
    }

    /// All records, each as one line.
    public var records: [String] {
        content.withLock { $0.log.map { "\($1.at) \($1.clientID) \($1.category).\($1.name) \($1.extra)" } }
    }

    /// Lets all calls fail with this error from now on; nil lets them succeed again.
    public func fail(_ error: StoreError?) { content.withLock { $0.failure = error } }

    /// Sets a write by another process, which runs just before the next write.
    public func beforeNextWrite(_ body: @escaping @Sendable () -> Void) { meddler.withLock { $0 = body } }

    /// Lets writes of rows, but not reads, fail from now on; nil lets them succeed again.
    public func failWrites(_ error: StoreError?) { content.withLock { $0.writeFailure = error } }

    public func expire(upTo cursor: Int64) {
        content.withLock { content in for app in content.apps { content.expired[app] = (cursor, nil) } }
    }

    /// Adds a record to the log, as if a request had recorded it.
    public func log(_ record: TelemetryRecord, of app: String = "app") {
        content.withLock { $0.append(.init(app: app, record: record, receivedAt: record.at)) }
    }

    /// Sets the results that are read from now on.
    public func answerResults(_ reading: ResultsReading) { content.withLock { $0.results = reading } }
}

/// Reads and writes of rows.
extension MemoryStore {
    public func read(_ query: RowQuery) throws(StoreError) -> RowReading {
        try access { content in
            content.rowsRead += query.names.count
            return RowReading(
                rows: query.names.map { .success(content.row($0)) },
                knownIDs: query.eventIDs.map { ids in
                    ids.ids.map { content.eventIDs[ids.client]?[Array($0.utf8)] != nil }
                })
        }
    }

    public func versions(of names: [RowName]) throws(StoreError) -> [UInt64] {
        try access { content in names.map { content.row($0)?.version ?? 0 } }
    }

    public func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] {
        try access { content in
            content.found(index).prefix(limit).map { name, row in
                FoundRow(name: name, version: row.version, value: .success(row.value))
            }
        }
    }

    public func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int {
        try access { min($0.found(index).count, limit) }
    }

    public func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        if let meddle = meddler.withLock({ $0.take() }) {
            isOther.store(true, ordering: .relaxed)
            meddle()
            isOther.store(false, ordering: .relaxed)
        }
        return try access { content throws(StoreError) in
            if let failure = content.writeFailure { throw failure }
            for group in groups { try content.checkHistory(group.catalog) }
            content.commits += 1
            return groups.map { content.write($0) }
        }
    }
}

extension MemoryStore.Content {
    fileprivate func row(_ name: RowName) -> StoredRow? {
        switch name {
        case .audit: audit.last.map { StoredRow(version: UInt64($0.sequence), value: .audit(AuditChain(after: $0))) }
        case .catalog where catalog.head.revision > 0: StoredRow(version: catalog.head.revision, value: .catalog)
        case .file(let file): files[file].map { StoredRow(version: 1, value: .file($0)) }
        case .document, .draft, .recipe: catalog.value(of: name).map { StoredRow(version: 1, value: $0) }
        case .revision: revisions[name].map { StoredRow(version: 1, value: .document($0)) }
        default: rows[name]
        }
    }

    fileprivate mutating func write(_ group: WriteGroup) -> WriteOutcome {
        let conflicts = group.rows.filter { $0.expected != row($0.name)?.version ?? 0 }
        guard conflicts.isEmpty else { return .conflict(conflicts.map(\.name)) }
        for record in group.audit { audit.append(record) }
        for change in group.catalog { apply(change) }
        if dropsFilesEarly { insert(group.files) }
        let versions = group.rows.map { row -> UInt64 in
            let before = dropsFilesEarly ? files(of: row.name) : []
            defer { for file in before where found(.runsWithFile(file)).isEmpty { files[file] = nil } }
            return row.value.map { write($0, row) } ?? row.expected
        }
        for ids in group.eventIDs {
            for id in ids.ids { eventIDs[ids.client, default: [:]][Array(id.utf8)] = ids.at }
        }
        for record in group.records { append(record) }
        if !dropsFilesEarly { insert(group.files) }
        deleteUnusedFiles()
        for row in group.outbox where rows[.webhook(row.id)] == nil {
            apps.insert(row.app)
            webhooks.append(row.id)
            rows[.webhook(row.id)] = StoredRow(version: epoch << 32, value: .webhook(row, owner: nil))
        }
        return .written(versions)
    }

    private mutating func insert(_ writes: [FileWrite]) {
        for file in writes where files[file.name] == nil {
            files[file.name] = StoredFile(type: file.file.reference.type, content: file.file.content)
        }
    }

    /// The files that a run names.
    private func files(of name: RowName) -> [FileName] {
        guard case .run(let reference) = name, case .run(let run)? = rows[name]?.value else { return [] }
        return (run.flow?.files ?? []).map { FileName(app: reference.app, sha256: $0.sha256) }
    }

    var heads: StoreHeads {
        let tokens = rows.values.compactMap { row in if case .token(let token) = row.value { token } else { nil } }
        return StoreHeads(catalog: catalog.head, tokens: TokenHead(tokens), newestRecord: Int64(log.count))
    }

    private mutating func write(_ value: RowValue, _ row: RowWrite) -> UInt64 {
        switch row.name {
        case .audit: return UInt64(audit.last?.sequence ?? 0)
        case .catalog:
            catalog.head = CatalogHead(revision: row.expected + 1)
            return row.expected + 1
        default: break
        }
        if value.isEmpty {
            delete(row.name)
            return 0
        }
        if case .token(let token) = value, case .token(let old)? = rows[row.name]?.value,
            token.token.lastUsedAt != old.token.lastUsedAt
        {
            tokenUses += 1
        }
        let version = row.expected == 0 ? epoch << 32 : row.expected + 1
        rows[row.name] = StoredRow(version: version, value: Self.kept(value))
        if let app = row.name.app { apps.insert(app) }
        return version
    }

    private mutating func delete(_ name: RowName) {
        rows[name] = nil
        epoch += 1
        if case .client(let client) = name { eventIDs[client] = nil }
        if case .webhook(let id) = name { webhooks.removeAll { $0 == id } }
    }

    /// The value as it can be read back: the state of a client is encoded and decoded.
    private static func kept(_ value: RowValue) -> RowValue {
        guard case .client(let state) = value else { return value }
        return .client(ClientState(encoded: state.encoded()) ?? ClientState())
    }

    /// Deletes the files to which no run refers.
    private mutating func deleteUnusedFiles() {
        guard !files.isEmpty else { return }
        files = files.filter { !found(.runsWithFile($0.key)).isEmpty }
    }

    fileprivate mutating func append(_ record: WriteGroup.LogRecord) {
        apps.insert(record.app)
        let cursor = TelemetryCursor(number: Int64(log.count + 1), database: MemoryStore.identity)
        let row = TelemetryRow(
            cursor: cursor, receivedAt: record.receivedAt, at: record.record.at,
            clientID: record.record.clientID, category: record.record.category, name: record.record.name,
            extra: JSONValue.object(record.record.extra).text, experiment: record.record.experiment,
            branch: record.record.branch)
        log.append((record.app, row))
    }

    /// Throws if a change would give a stored revision or message another text.
    fileprivate func checkHistory(_ changes: [CatalogChange]) throws(StoreError) {
        for change in changes {
            switch change {
            case .recipe(let app, let recipe):
                let known = revisions[.revision(app: app, slug: recipe.slug, recipe.document.revision)]
                guard known?.text ?? recipe.document.text == recipe.document.text else { throw .rejected("taken") }
            case .message(let app, let message):
                let known = catalog.apps.first { $0.name == app }?.messages
                    .first { $0.key == message.key && $0.revision == message.revision }
                guard known?.text ?? message.text == message.text else { throw .rejected("taken") }
            default: break
            }
        }
    }

    private mutating func apply(_ change: CatalogChange) {
        catalog.apply(change)
        switch change {
        case .recipe(let app, let recipe):
            revisions[.revision(app: app, slug: recipe.slug, recipe.document.revision)] = recipe.document
        case .revision(let app, _): apps.insert(app)
        default: break
        }
    }
}

/// Access to the logs and the catalog.
extension MemoryStore {
    public func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs {
        try access { content in
            let apps = content.apps.filter { query.app == nil || $0 == query.app }
            let logs = apps.sorted().map { app in
                let kept = content.records(of: app, after: 0).map(\.cursor.number)
                let expired = content.expired[app]
                let newest = max(kept.last ?? 0, expired?.number ?? 0)
                var log = RecordLog(
                    app: app, newest: newest, expired: expired?.number ?? 0, expiredUntil: expired?.until)
                log.start = query.last == 0 ? newest : kept.dropLast(query.last).last ?? expired?.number ?? 0
                log.counts = query.countedAfter.map { content.records(of: app, after: $0).count }
                return log
            }
            let ranges = CursorRanges([(start: 0, database: Self.identity)], newest: Int64(content.log.count))
            return RecordLogs(ranges: ranges, logs: logs)
        }
    }

    public func records(_ range: RecordRange) throws(StoreError) -> RecordPage {
        try access { content in
            let all = content.records(of: range.app, after: range.after)
            var bytes = 0
            let rows = all.prefix(range.limit).prefix { row in
                defer { bytes += row.extra.utf8.count }
                return bytes < RecordPage.bytes
            }
            return RecordPage(
                rows: Array(rows), expired: content.expired[range.app]?.number ?? 0,
                isAtEnd: rows.count == all.count)
        }
    }

    public func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] {
        try access { content in Array(content.audit.filter { $0.sequence > query.after }.prefix(query.limit)) }
    }

    public func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int {
        try access { $0.delete(range, limit) }
    }

    public func readResults(_ query: ResultsQuery) throws(StoreError) -> ResultsReading { try access { $0.results } }

    public func census() throws(StoreError) -> SlotCensus { try access { $0.census } }

    public func loadCatalog() throws(StoreError) -> StoredCatalog { try access { $0.catalog } }
}

extension MemoryStore.Content {
    fileprivate var census: SlotCensus {
        var census = SlotCensus()
        for (name, row) in rows {
            switch (name, row.value) {
            case (.tally, .tally(let tally)): census.tallies[name] = tally
            case (.run(let reference), .run(let run)):
                census.slots += run.quotas.map { SlotCensus.Slots(app: reference.app, slot: $0, count: 1) }
                if files(of: name).contains(where: { files[$0] == nil }) { census.unreferring.append(reference) }
            default: break
            }
        }
        return census
    }

    fileprivate func records(of app: String, after number: Int64) -> [TelemetryRow] {
        let after = max(number, expired[app]?.number ?? 0)
        return log.filter { $0 == app && $1.cursor.number > after }.map(\.row)
    }

    fileprivate mutating func delete(_ range: LogRange, _ limit: Int) -> Int {
        switch range {
        case .records(let app, let last, let until):
            let gone = records(of: app, after: 0).prefix { $0.cursor.number <= last }.prefix(limit)
            guard let end = gone.last else { return 0 }
            let earlier = expired[app]?.until
            expired[app] = (end.cursor.number, [earlier, until].compactMap(\.self).max())
            return gone.count
        case .eventIDs(let time):
            let due = eventIDs.flatMap { client, ids in ids.filter { $0.value < time }.map { (client, $0) } }
            for (client, id) in due.sorted(by: { $0.1.value < $1.1.value }).prefix(limit) {
                eventIDs[client]?[id.key] = nil
            }
            return min(due.count, limit)
        case .replies(let time):
            let due = rows.compactMap { name, row in
                if case .reply(_, let at) = row.value, at < time { (name, at) } else { nil }
            }
            for (name, _) in due.sorted(by: { $0.1 < $1.1 }).prefix(limit) { rows[name] = nil }
            return min(due.count, limit)
        }
    }
}
