internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
public import Surveys

/// All that is kept of a client or user by the id, for a copy. The telemetry log is not part of it.
public struct KeptData: Sendable {
    public let person: Person
    public var state = ClientState()
    /// Clients of a user.
    public var clients: [String] = []
    /// To microsurveys.
    public var answers: [SurveyResponse] = []
    /// Newest first.
    public var runs: [Run] = []
    /// Of the runs, each once. Content is nil where it would be too much for one copy.
    public var files: [(reference: FileReference, content: [UInt8]?)] = []

    /// Bytes of content in one copy.
    static let maximumContent = 16 << 20

    public static func read(
        _ person: Person, in store: Persistence,
        _ completion: @escaping @Sendable (Result<KeptData, StoreError>) -> Void
    ) {
        var query = RunQuery(app: person.app, limit: 500)
        switch person {
        case .client(let client): query.clientID = client.id
        case .user(let user): query.userID = user.id
        }
        let add: @Sendable (inout KeptData, Run) -> Void = { $0.runs.append($1) }
        store.foldRuns(query, into: KeptData(person: person), add) { result in
            guard case .success(let kept) = result else { return completion(result) }
            var references = Set<FileReference>()
            let files = kept.runs.flatMap { $0.flow?.files ?? [] }.filter { references.insert($0).inserted }
            readFiles(files[...], kept, room: maximumContent, store, completion)
        }
    }

    /// One after another.
    private static func readFiles(
        _ files: ArraySlice<FileReference>, _ kept: KeptData, room: Int, _ store: Persistence,
        _ completion: @escaping @Sendable (Result<KeptData, StoreError>) -> Void
    ) {
        guard let file = files.first else { return readState(kept, store, completion) }
        var kept = kept
        guard file.bytes <= room else {
            kept.files.append((file, nil))
            return readFiles(files.dropFirst(), kept, room: room, store, completion)
        }
        store.readFile(FileName(app: kept.person.app, sha256: file.sha256)) { [kept] result in
            switch result {
            case .success(let stored):
                var kept = kept
                kept.files.append((file, stored?.content))
                readFiles(files.dropFirst(), kept, room: room - file.bytes, store, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private static func readState(
        _ kept: KeptData, _ store: Persistence, _ completion: @escaping @Sendable (Result<KeptData, StoreError>) -> Void
    ) {
        let question: @Sendable (TransactionRows) -> Inquiry<KeptData> = { rows in
            var kept = kept
            switch kept.person {
            case .user(let user): kept.state = rows.state(of: user)
            case .client(let client):
                kept.state = rows.state(of: client)
                let answered = kept.state.ledger.entries.filter(\.isAnswered).map(\.message)
                let missing = answered.map { RowName.answer(client, message: $0) }.filter { !rows.isLoaded($0) }
                guard missing.isEmpty else { return .needs(missing) }
                kept.answers = answered.compactMap { rows.answer(of: client, to: $0) }
            }
            return .done(kept)
        }
        store.inquire([kept.person.rowName], question) { result in
            guard case .success(let kept) = result, case .user(let user) = kept.person else {
                return completion(result)
            }
            store.aliases(of: user) { clients in
                completion(
                    clients.map {
                        var kept = kept
                        kept.clients = $0
                        return kept
                    })
            }
        }
    }
}
