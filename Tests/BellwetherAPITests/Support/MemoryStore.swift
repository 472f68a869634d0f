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
        var failure: StoreError?
        var results = ResultsReading(messages: nil)
        /// Cursors up to here are gone.
        var expired: Int64 = 0
    }

    private let table = ClientTable(bound: 100, absentBound: 100)
    private let content: Mutex<Content>
    private let observer = Mutex<(@Sendable (Set<String>) -> Void)?>(nil)

    init() { content = Mutex(Content()) }

    /// Another store that was told the same, with nothing in memory.
    init(copying other: MemoryStore) {
        let copy = other.content.withLock { $0 }
        content = Mutex(copy)
    }

    /// What is kept of a client.
    func state(of client: ClientReference) -> [UInt8]? { content.withLock { $0.rows[client]?.state } }

    /// All records, each as one line.
    var records: [String] {
        content.withLock { $0.telemetry.map { "\($0.at) \($0.clientID) \($0.category).\($0.name) \($0.extra)" } }
    }

    /// Everything fails from now on, or succeeds again.
    func fail(_ error: StoreError?) { content.withLock { $0.failure = error } }

    func expire(upTo cursor: Int64) { content.withLock { $0.expired = cursor } }

    /// Puts a record into the log beside what requests record.
    func log(_ record: TelemetryRecord) { content.withLock { Self.append(record, to: &$0) } }

    func lookUp(_ client: ClientReference) -> ClientLookup { table.lookUp(client) }

    func settle(_ client: ClientReference, version: UInt64, _ settlement: Settlement) {
        table.settle(client, version: version, settlement)
    }

    func load(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<ClientState?, StoreError>) -> Void
    ) {
        let (row, failure) = content.withLock { ($0.rows[client], $0.failure) }
        if let failure { return completion(.failure(failure)) }
        _ = table.finish(table.beginLoad(client), row)
        completion(.success(row.flatMap { ClientState(encoded: $0.state) }))
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
        var state = content.rows[client].flatMap { ClientState(encoded: $0.state) } ?? ClientState()
        let isDuplicate = change.eventIDs.map { id in
            id.map { !content.eventIDs.insert("\(client.app)/\(client.id)/\($0)").inserted } ?? false
        }
        let responses = content.responses
        let outcome = change.apply(
            &state, ChangeInput(isDuplicate: isDuplicate) { responses["\(client.app)/\(client.id)/\($0)"] })
        for response in outcome.responses {
            content.responses["\(client.app)/\(client.id)/\(response.message)"] = response
        }
        for record in outcome.records { Self.append(record, to: &content) }
        let row = StoredClient(row: 1, version: (content.rows[client]?.version ?? 0) + 1, state: state.encoded())
        content.rows[client] = row
        table.commit(client, row)
        return outcome.result
    }

    private static func append(_ record: TelemetryRecord, to content: inout Content) {
        content.telemetry.append(
            TelemetryRow(
                cursor: Int64(content.telemetry.count + 1), at: record.at, clientID: record.clientID,
                category: record.category, name: record.name, extra: JSONValue.object(record.extra).text,
                experiment: record.experiment, branch: record.branch))
    }

    func readTelemetry(
        _ query: TelemetryQuery, _ completion: @escaping @Sendable (Result<TelemetryPage, StoreError>) -> Void
    ) {
        let result = content.withLock { content -> Result<TelemetryPage, StoreError> in
            if let failure = content.failure { return .failure(failure) }
            let rows = content.telemetry.filter { $0.cursor > query.after }.prefix(query.limit)
            let isExpired = query.after > 0 && query.after < content.expired
            return .success(TelemetryPage(rows: Array(rows), isExpired: isExpired))
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

    func publish(_ changes: [CatalogChange]) throws(StoreError) {
        if let failure = content.withLock({ $0.failure }) { throw failure }
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
