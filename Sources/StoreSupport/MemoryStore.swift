public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
public import Surveys
internal import Synchronization

/// A store without a disk, which can be told to fail. It passes `StoreContract`.
public final class MemoryStore: Store {
    struct Content {
        var rows: [RowName: StoredRow] = [:]
        var files: [FileName: StoredFile] = [:]
        var eventIDs: [ClientReference: Set<[UInt8]>] = [:]
        /// Begins anew with every erasure, so that an erased client's versions never return.
        var epoch: UInt64 = 1
        var log: [TelemetryRow] = []
        /// Apps of which anything was stored.
        var apps: Set<String> = []
        var logApps: [String] = []
        var consumers: [String: [TelemetryConsumer]] = [:]
        var catalog = StoredCatalog(apps: [])
        var revisions: [String: [StoredDocument]] = [:]
        var tokens = StoredTokens()
        var tokenUses = 0
        var rowsRead = 0
        /// Of rows, of the catalog and of tokens.
        var commits = 0
        var audit: [AuditRecord] = []
        /// In the order of writing. The owner is who began the last attempt.
        var outbox: [(row: OutboxRow, owner: String?)] = []
        var outboxBound: Int
        var failure: StoreError?
        /// Of writes only.
        var writeFailure: StoreError?
        var results = ResultsReading(messages: nil)
        /// Cursors up to here are gone.
        var expired: Int64 = 0
        /// How many records a read looks at.
        var scanBound = Int.max
    }

    /// Of the store, in its cursors.
    public static let identity: Int32 = 1

    /// Whether several processes use it.
    public enum Sharing: Sendable {
        case ofOneProcess
        /// It says what has moved when it is asked.
        case asked
        /// It tells after each commit, too.
        case told
    }

    private let content: Mutex<Content>
    let sharing: Sharing
    let observers = Mutex<[@Sendable () -> Void]>([])

    /// - Parameter outboxBound: webhooks that may wait.
    public init(outboxBound: Int = OutboxRow.pendingBound, sharing: Sharing = .ofOneProcess) {
        content = Mutex(Content(outboxBound: outboxBound))
        self.sharing = sharing
    }

    /// Another store that was told the same.
    public init(copying other: MemoryStore) {
        let copy = other.content.withLock { $0 }
        content = Mutex(copy)
        sharing = other.sharing
    }

    func access<Value>(_ body: (inout Content) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let (result, hasMoved) = content.withLock { content -> (Result<Value, StoreError>, Bool) in
            if let failure = content.failure { return (.failure(failure), false) }
            let before = content.commits
            do throws(StoreError) {
                return (.success(try body(&content)), content.commits != before)
            } catch {
                return (.failure(error), false)
            }
        }
        if hasMoved, sharing == .told {
            for observer in observers.withLock({ $0 }) { observer() }
        }
        return try result.get()
    }

    public var health: StoreHealth { content.withLock { $0.failure } == nil ? .healthy : .failing("told to") }
    public var timings: StoreTimings { StoreTimings() }
    public func interruptReads() {}
    public func close() {}

    /// Of webhooks only.
    public func deleteExpired(_ policy: RetentionPolicy, now: Timestamp) throws(StoreError) -> Bool {
        try access { content in
            content.outbox.removeAll { row, _ in
                guard case .dead(let time) = row.state else { return false }
                return time < now.adding(seconds: -policy.deadWebhookSeconds)
            }
            return false
        }
    }
}

/// What tests ask of it, and tell it.
extension MemoryStore {
    /// How often a token's use was written.
    public var tokenUses: Int { content.withLock { $0.tokenUses } }

    /// How many rows were read.
    public var rowsRead: Int { content.withLock { $0.rowsRead } }

    /// What is kept of a client.
    public func state(of client: ClientReference) -> [UInt8]? {
        guard case .client(let state)? = content.withLock({ $0.rows[.client(client)] })?.value else { return nil }
        return state.encoded()
    }

    /// All records, each as one line.
    public var records: [String] {
        content.withLock { $0.log.map { "\($0.at) \($0.clientID) \($0.category).\($0.name) \($0.extra)" } }
    }

    /// Everything fails from now on, or succeeds again.
    public func fail(_ error: StoreError?) { content.withLock { $0.failure = error } }

    /// Writes of rows fail from now on, or succeed again; reads go on.
    public func failWrites(_ error: StoreError?) { content.withLock { $0.writeFailure = error } }

    public func expire(upTo cursor: Int64) { content.withLock { $0.expired = cursor } }

    public func lookAt(atMost count: Int) { content.withLock { $0.scanBound = count } }

    /// Puts a record into the log beside what requests record.
    public func log(_ record: TelemetryRecord, of app: String = "app") {
        content.withLock { $0.append(.init(app: app, record: record, receivedAt: record.at)) }
    }

    /// What results are read from now on.
    public func answerResults(_ reading: ResultsReading) { content.withLock { $0.results = reading } }
}

/// Rows.
extension MemoryStore {
    public func read(_ query: RowQuery) throws(StoreError) -> RowReading {
        try access { content in
            content.rowsRead += query.names.count
            return RowReading(
                rows: query.names.map { .success(content.rows[$0]) },
                knownIDs: query.eventIDs.map { ids in
                    ids.ids.map { content.eventIDs[ids.client]?.contains(Array($0.utf8)) == true }
                })
        }
    }

    public func versions(of names: [RowName]) throws(StoreError) -> [UInt64] {
        try access { content in names.map { content.rows[$0]?.version ?? 0 } }
    }

    public func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        try access { content throws(StoreError) in
            if let failure = content.writeFailure { throw failure }
            let outcomes = groups.map { content.write($0) }
            content.commits += 1
            content.boundOutbox(at: groups.flatMap(\.outbox).map(\.createdAt).max())
            return outcomes
        }
    }
}

extension RowName {
    /// Nil for what no app has.
    fileprivate var app: String? {
        switch self {
        case .client(let client), .answer(let client, _): client.app
        case .user(let user), .alias(let user, _): user.app
        case .run(let run): run.app
        case .currentRun(let app, _, _), .tally(let app, _), .runList(let app, _): app
        case .reply, .lease: nil
        }
    }
}

extension MemoryStore.Content {
    fileprivate mutating func write(_ group: WriteGroup) -> WriteOutcome {
        let conflicts = group.rows.filter { $0.expected != rows[$0.name]?.version ?? 0 }
        guard conflicts.isEmpty else { return .conflict(conflicts.map(\.name)) }
        let versions = group.rows.map { row -> UInt64 in
            guard let value = row.value else { return row.expected }
            if value.isEmpty {
                rows[row.name] = nil
                epoch += 1
                return 0
            }
            let version = row.expected == 0 ? epoch << 32 : row.expected + 1
            rows[row.name] = StoredRow(version: version, value: Self.kept(value))
            if let app = row.name.app { apps.insert(app) }
            return version
        }
        for ids in group.eventIDs { eventIDs[ids.client, default: []].formUnion(ids.ids.map { Array($0.utf8) }) }
        for record in group.records { append(record) }
        for entry in group.audit { note(entry) }
        for file in group.files where files[file.name] == nil {
            files[file.name] = StoredFile(type: file.file.reference.type, content: file.file.content)
        }
        deleteUnusedFiles()
        for row in group.outbox where !outbox.contains(where: { $0.row.id == row.id }) {
            apps.insert(row.app)
            outbox.append((row, nil))
        }
        return .written(versions)
    }

    var heads: StoreHeads {
        StoreHeads(catalog: catalog.head, tokens: tokens.head, newestRecord: Int64(log.count))
    }

    /// What cannot be read back is no state.
    private static func kept(_ value: RowValue) -> RowValue {
        guard case .client(let state) = value else { return value }
        return .client(ClientState(encoded: state.encoded()) ?? ClientState())
    }

    fileprivate mutating func append(_ record: WriteGroup.LogRecord) {
        apps.insert(record.app)
        logApps.append(record.app)
        log.append(
            TelemetryRow(
                cursor: cursor(Int64(log.count + 1)), receivedAt: record.receivedAt, at: record.record.at,
                clientID: record.record.clientID, category: record.record.category, name: record.record.name,
                extra: JSONValue.object(record.record.extra).text, experiment: record.record.experiment,
                branch: record.record.branch))
    }

    fileprivate func cursor(_ number: Int64) -> TelemetryCursor {
        TelemetryCursor(number: number, database: MemoryStore.identity)
    }

    fileprivate func fault(of cursor: TelemetryCursor) -> CursorFault? {
        guard cursor != .start else { return nil }
        guard cursor.database == MemoryStore.identity else { return .foreign }
        guard cursor.number <= log.count else { return .beyondEnd }
        return cursor.number < expired ? .expired : nil
    }

    mutating func note(_ entry: AuditEntry) {
        var chain = audit.last.map { AuditChain(after: $0) } ?? AuditChain()
        audit.append(chain.append(entry))
    }

    fileprivate func rows(of app: String, after cursor: Int64) -> [TelemetryRow] {
        zip(logApps, log).filter { $0 == app && $1.cursor.number > max(cursor, expired) }.map(\.1)
    }
}

/// Runs.
extension MemoryStore {
    public func readRuns(_ query: RunQuery) throws(StoreError) -> [Run] {
        try access { content in
            let runs = content.rows.compactMap { name, row -> Run? in
                guard case .run(let reference) = name, reference.app == query.app, case .run(let run) = row.value else {
                    return nil
                }
                return query.means(run) ? run : nil
            }
            return Array(runs.sorted(by: RunQuery.isBefore).prefix(query.limit))
        }
    }

    public func readFile(_ name: FileName) throws(StoreError) -> StoredFile? {
        try access { content in content.files(ofDeletedRuns: false).contains(name) ? content.files[name] : nil }
    }
}

extension MemoryStore.Content {
    /// Files that runs refer to.
    fileprivate func files(ofDeletedRuns includesDeleted: Bool) -> Set<FileName> {
        var names: Set<FileName> = []
        for case (.run(let reference), .run(let run)) in rows.map({ ($0, $1.value) }) {
            guard includesDeleted || run.deletedAt == nil else { continue }
            for file in run.flow?.files ?? [] { names.insert(FileName(app: reference.app, sha256: file.sha256)) }
        }
        return names
    }

    mutating func deleteUnusedFiles() {
        guard !files.isEmpty else { return }
        let used = files(ofDeletedRuns: true)
        files = files.filter { used.contains($0.key) }
    }
}

/// Logs.
extension MemoryStore {
    public func readTelemetry(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage {
        try access { content in
            let fault = content.fault(of: query.after)
            guard content.apps.contains(query.app), fault == nil else {
                return .nothing(for: query, isAppKnown: content.apps.contains(query.app), fault)
            }
            var query = query
            if let last = query.last {
                let kept = content.rows(of: query.app, after: 0)
                query.after = kept.count > last ? kept[kept.count - last - 1].cursor : .start
                if last == 0, let end = kept.last { query.after = end.cursor }
            }
            let scanned = content.rows(of: query.app, after: query.after.number).prefix(content.scanBound)
            let rows = scanned.filter { query.filter.means($0) }.prefix(query.limit)
            let through = rows.count == query.limit ? rows.last?.cursor : scanned.last?.cursor
            return TelemetryPage(
                rows: Array(rows), through: through ?? query.after, isAtEnd: scanned.count < content.scanBound)
        }
    }

    public func readResults(_ query: ResultsQuery) throws(StoreError) -> ResultsReading {
        try access { $0.results }
    }

    public func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] {
        try access { content in Array(content.audit.filter { $0.sequence > query.after }.prefix(query.limit)) }
    }

    public func keepConsumer(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin
    ) throws(StoreError) -> ConsumerOutcome {
        try access { content in
            guard content.apps.contains(app) else { return .unknownApp }
            if let fault = content.fault(of: cursor) { return .refused(fault) }
            let position = cursor == .start ? content.cursor(content.expired) : cursor
            let others = content.consumers[app, default: []].filter { $0.name != name }
            let isNew = others.count == content.consumers[app, default: []].count
            guard !isNew || others.count < TelemetryConsumer.countBound else { return .tooMany }
            let consumer = TelemetryConsumer(
                name: name, cursor: position, updatedAt: origin.at,
                lag: content.rows(of: app, after: position.number).count, isExpired: false)
            content.consumers[app] = (others + [consumer]).sorted { $0.name < $1.name }
            if isNew { content.note(AuditEntry(.create, consumer: name, of: app, origin)) }
            return .kept(consumer, isNew: isNew)
        }
    }

    public func consumers(of app: String, named name: String?) throws(StoreError) -> [TelemetryConsumer]? {
        try access { content -> [TelemetryConsumer]? in
            guard content.apps.contains(app) else { return nil }
            return content.consumers[app, default: []].filter { name == nil || $0.name == name }.map {
                TelemetryConsumer(
                    name: $0.name, cursor: $0.cursor, updatedAt: $0.updatedAt,
                    lag: content.rows(of: app, after: $0.cursor.number).count,
                    isExpired: $0.cursor.number < content.expired)
            }
        }
    }

    public func deleteConsumer(_ name: String, of app: String, _ origin: ChangeOrigin) throws(StoreError) -> Bool {
        try access { content in
            let count = content.consumers[app, default: []].count
            content.consumers[app]?.removeAll { $0.name == name }
            guard content.consumers[app, default: []].count < count else { return false }
            content.note(AuditEntry(.delete, consumer: name, of: app, origin))
            return true
        }
    }
}

extension TelemetryFilter {
    fileprivate func means(_ row: TelemetryRow) -> Bool {
        let extra = (try? JSONValue(parsing: row.extra)) ?? .null
        let keys = [extra.object?["message_key"]?.string, extra.object?["survey_id"]?.string].compactMap(\.self)
        return (categories.isEmpty || categories.contains(row.category)) && (names.isEmpty || names.contains(row.name))
            && (messages.isEmpty || messages.contains { keys.contains($0) })
            && (experiments.isEmpty || experiments.contains(row.experiment ?? ""))
    }
}
