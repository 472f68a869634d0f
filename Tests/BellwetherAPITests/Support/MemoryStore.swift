import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Synchronization

/// A store without a disk, which can be told to fail.
final class MemoryStore: Store {
    private struct Content {
        var rows: [ClientReference: StoredClient] = [:]
        var responses: [String: SurveyResponse] = [:]
        var eventIDs: Set<String> = []
        var telemetry: [TelemetryRow] = []
        var tokens: [StoredToken] = []
        /// How often a token's use was written.
        var tokenUses = 0
        var failure: StoreError?
        var results = ResultsReading(messages: nil)
        /// Cursors up to here are gone.
        var expired: Int64 = 0
        /// How many records a read looks at.
        var scanBound = Int.max
        /// Apps of which something was published.
        var apps: Set<String> = []
        var consumers: [TelemetryConsumer] = []

        mutating func apply(_ change: CatalogChange) {
            switch change {
            case .revision(let app, _): apps.insert(app)
            case .token(let token): tokens.append(token)
            case .revokeToken(let token, let at): update(token.digest) { $0.revokedAt = at }
            case .tokenUse(let digest, let at):
                update(digest) { $0.lastUsedAt = at }
                tokenUses += 1
            default: break
            }
        }

        func fault(of cursor: TelemetryCursor) -> CursorFault? {
            guard cursor != .start else { return nil }
            guard cursor.database == MemoryStore.identity else { return .foreign }
            guard cursor.number <= telemetry.count else { return .beyondEnd }
            return cursor.number < expired ? .expired : nil
        }

        private mutating func update(_ digest: [UInt8], _ change: (inout StoredToken) -> Void) {
            for index in tokens.indices where tokens[index].digest == digest { change(&tokens[index]) }
        }
    }

    /// How often a token's use was written.
    var tokenUses: Int { content.withLock { $0.tokenUses } }

    private let table: ClientTable
    private let content: Mutex<Content>
    private let observer = Mutex<(@Sendable (Set<String>) -> Void)?>(nil)

    /// `heldClients`: how many are held in memory, of those that are there and of those that are not.
    init(heldClients: Int = 100) {
        table = ClientTable(bound: heldClients, absentBound: heldClients)
        content = Mutex(Content())
    }

    /// Another store that was told the same, with nothing in memory.
    init(copying other: MemoryStore) {
        table = ClientTable(bound: 100, absentBound: 100)
        let copy = other.content.withLock { $0 }
        content = Mutex(copy)
    }

    /// What is kept of a client.
    func state(of client: ClientReference) -> [UInt8]? { content.withLock { $0.rows[client]?.state.encoded() } }

    /// All records, each as one line.
    var records: [String] {
        content.withLock { $0.telemetry.map { "\($0.at) \($0.clientID) \($0.category).\($0.name) \($0.extra)" } }
    }

    /// Everything fails from now on, or succeeds again.
    func fail(_ error: StoreError?) { content.withLock { $0.failure = error } }

    /// Of the store, in its cursors.
    static let identity: Int32 = 1

    private static func cursor(_ number: Int) -> TelemetryCursor {
        TelemetryCursor(number: Int64(number), database: identity)
    }

    func expire(upTo cursor: Int64) { content.withLock { $0.expired = cursor } }

    func lookAt(atMost count: Int) { content.withLock { $0.scanBound = count } }

    /// Puts a record into the log beside what requests record.
    func log(_ record: TelemetryRecord) { content.withLock { Self.append(record, to: &$0) } }

    func lookUp(_ client: ClientReference) -> ClientLookup { table.lookUp(client) }
    func isCurrent(_ mark: ClientMark) -> Bool { table.isCurrent(mark) }

    func load(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<ClientState?, StoreError>) -> Void
    ) {
        let (row, failure) = content.withLock { ($0.rows[client], $0.failure) }
        if let failure { return completion(.failure(failure)) }
        _ = table.finish(table.beginLoad(client), row)
        completion(.success(row?.state))
    }

    func submit(_ submission: Submission) {
        let results = content.withLock { content in
            content.failure == nil ? submission.changes.map { apply($0, to: &content) } : nil
        }
        guard let results else {
            return submission.completion(.failure(content.withLock { $0.failure } ?? .overloaded))
        }
        submission.completion(.success(.applied(results)))
        observer.withLock { $0 }?(Set(submission.changes.map(\.client.app)))
    }

    private func apply(_ change: ClientChange, to content: inout Content) -> ChangeResult {
        let client = change.client
        var state = content.rows[client]?.state ?? ClientState()
        let isDuplicate = change.eventIDs.map { id in
            id.map { !content.eventIDs.insert("\(client.app)/\(client.id)/\($0)").inserted } ?? false
        }
        let responses = content.responses
        let outcome = change.apply(
            &state, ChangeInput(isDuplicate: isDuplicate) { responses["\(client.app)/\(client.id)/\($0)"] })
        for id in outcome.releasedEventIDs.compactMap({ change.eventIDs[$0] }) {
            content.eventIDs.remove("\(client.app)/\(client.id)/\(id)")
        }
        for response in outcome.responses {
            content.responses["\(client.app)/\(client.id)/\(response.message)"] = response
        }
        for record in outcome.records { Self.append(record, to: &content) }
        // What cannot be read back is no state.
        let kept = ClientState(encoded: state.encoded()) ?? ClientState()
        let row = StoredClient(row: 1, version: (content.rows[client]?.version ?? 0) + 1, state: kept)
        content.rows[client] = row
        table.commit(client, row)
        return outcome.result
    }

    private static func append(_ record: TelemetryRecord, to content: inout Content) {
        content.telemetry.append(
            TelemetryRow(
                cursor: cursor(content.telemetry.count + 1), receivedAt: record.at, at: record.at,
                clientID: record.clientID,
                category: record.category, name: record.name, extra: JSONValue.object(record.extra).text,
                experiment: record.experiment, branch: record.branch))
    }

    func readTelemetry(
        _ query: TelemetryQuery, _ completion: @escaping @Sendable (Result<TelemetryPage, StoreError>) -> Void
    ) {
        let result = content.withLock { content -> Result<TelemetryPage, StoreError> in
            if let failure = content.failure { return .failure(failure) }
            let isStored = content.apps.contains(query.app) || !content.telemetry.isEmpty
            let fault = content.fault(of: query.after)
            guard isStored, fault == nil else {
                return .success(.nothing(for: query, isAppKnown: isStored, fault))
            }
            var query = query
            if let last = query.last { query.after = Self.cursor(max(0, content.telemetry.count - last)) }
            let scanned = content.telemetry.filter { $0.cursor.number > query.after.number }
                .prefix(content.scanBound)
            let rows = scanned.filter { query.filter.means($0) }.prefix(query.limit)
            let through = rows.count == query.limit ? rows.last?.cursor : scanned.last?.cursor
            return .success(
                TelemetryPage(
                    rows: Array(rows), through: through ?? query.after, isAtEnd: scanned.count < content.scanBound))
        }
        completion(result)
    }

    func readResults(
        _ query: ResultsQuery, _ completion: @escaping @Sendable (Result<ResultsReading, StoreError>) -> Void
    ) {
        completion(content.withLock { $0.failure.map { .failure($0) } ?? .success($0.results) })
    }

    /// What results are read from now on.
    func answerResults(_ reading: ResultsReading) { content.withLock { $0.results = reading } }

    func observeTelemetry(_ observer: @escaping @Sendable (Set<String>) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    func loadCatalog() throws(StoreError) -> StoredCatalog { StoredCatalog(apps: []) }

    func publish(_ changes: [CatalogChange], by author: String, at now: Timestamp) throws(StoreError) {
        if let failure = content.withLock({ $0.failure }) { throw failure }
        content.withLock { content in
            for change in changes { content.apply(change) }
        }
    }

    func loadTokens() throws(StoreError) -> [StoredToken] {
        if let failure = content.withLock({ $0.failure }) { throw failure }
        return content.withLock { $0.tokens }
    }

    func readAudit(
        _ query: AuditQuery, _ completion: @escaping @Sendable (Result<[AuditRecord], StoreError>) -> Void
    ) {
        completion(content.withLock { $0.failure.map(Result.failure) ?? .success([]) })
    }

    func revisions(of slug: String, in app: String) throws(StoreError) -> [StoredDocument] { [] }

    func reply(to claim: IdempotencyClaim) throws(StoreError) -> StoredReply? {
        if let failure = content.withLock({ $0.failure }) { throw failure }
        return nil
    }

    func enforceRetention(_ policy: RetentionPolicy, now: Timestamp) {}

    var health: StoreHealth { content.withLock { $0.failure } == nil ? .healthy : .failing("told to") }

    func close() {}
}

extension MemoryStore {
    func keepConsumer(
        _ name: String, of app: String, at cursor: TelemetryCursor, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ConsumerOutcome, StoreError>) -> Void
    ) {
        completion(
            answer { content in
                guard content.apps.contains(app) else { return .unknownApp }
                if let fault = content.fault(of: cursor) { return .refused(fault) }
                let place = cursor == .start ? Self.cursor(Int(content.expired)) : cursor
                let others = content.consumers.filter { $0.name != name }
                guard others.count < TelemetryConsumer.countBound else { return .tooMany }
                let consumer = TelemetryConsumer(
                    name: name, cursor: place, updatedAt: origin.at, lag: content.telemetry.count - Int(place.number),
                    isExpired: false)
                defer { content.consumers = others + [consumer] }
                return .kept(consumer, isNew: others.count == content.consumers.count)
            })
    }

    func consumers(
        of app: String, named name: String?,
        _ completion: @escaping @Sendable (Result<[TelemetryConsumer]?, StoreError>) -> Void
    ) {
        completion(
            answer { content in
                guard content.apps.contains(app) else { return nil }
                return content.consumers.filter { name == nil || $0.name == name }.map {
                    TelemetryConsumer(
                        name: $0.name, cursor: $0.cursor, updatedAt: $0.updatedAt, lag: $0.lag,
                        isExpired: $0.cursor.number < content.expired)
                }
            })
    }

    func deleteConsumer(
        _ name: String, of app: String, _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        completion(
            answer { content in
                let count = content.consumers.count
                content.consumers.removeAll { $0.name == name }
                return content.consumers.count < count
            })
    }

    func erase(
        _ client: ClientReference, knownAs digest: [UInt8], _ origin: ChangeOrigin,
        _ completion: @escaping @Sendable (Result<ErasureOutcome, StoreError>) -> Void
    ) {
        let outcome = answer { content -> ErasureOutcome in
            guard content.apps.contains(client.app) else { return .unknownApp }
            return content.rows.removeValue(forKey: client) == nil ? .nothing : .erased
        }
        if case .success = outcome { table.erase(client) }
        completion(outcome)
    }

    private func answer<Value>(_ make: (inout Content) -> Value) -> Result<Value, StoreError> {
        content.withLock { content in
            if let failure = content.failure { return .failure(failure) }
            return .success(make(&content))
        }
    }
}

extension TelemetryFilter {
    fileprivate func means(_ row: TelemetryRow) -> Bool {
        let extra = (try? JSONValue(parsing: row.extra)) ?? .null
        let keys = [extra["message_key"].string, extra["survey_id"].string].compactMap(\.self)
        return (categories.isEmpty || categories.contains(row.category)) && (names.isEmpty || names.contains(row.name))
            && (messages.isEmpty || messages.contains { keys.contains($0) })
            && (experiments.isEmpty || experiments.contains(row.experiment ?? ""))
    }
}
