internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// All data that is stored under the id of a client or user, for a copy. The telemetry log is not part of it.
public struct KeptData: Sendable {
    public let person: Person
    public var state = ClientState()
    /// The lists that contain the person, in byte order.
    public var lists: [Identifier] = []
    /// The clients of a user, or the users that a client was identified with.
    public var aliases: [Identifier] = []
    /// The answers to microsurveys; for a user, on all clients.
    public var answers: [SurveyResponse] = []
    /// The runs, newest first.
    public var runs: [Run] = []
    /// The files of the runs, each once. Content is nil if it would be too much for one copy.
    public var files: [(reference: FileReference, content: [UInt8]?)] = []

    /// The maximum bytes of content in one copy.
    static let maximumContent = 16 << 20

    public typealias Completion = @Sendable (Result<KeptData, StoreError>) -> Void

    public static func read(_ person: Person, in store: Persistence, _ completion: @escaping Completion) {
        var query = RunQuery(app: person.app, limit: 500)
        switch person {
        case .client(let client): query.clientID = client.id
        case .user(let user): (query.userID, query.includesMerged) = (user.id, true)
        }
        let add: @Sendable (inout KeptData, Run) -> Void = { $0.runs.append($1) }
        store.foldRuns(query, into: KeptData(person: person), add) { result in
            guard case .success(let kept) = result else { return completion(result) }
            var references = Set<FileReference>()
            let files = kept.runs.flatMap { $0.flow?.files ?? [] }.filter { references.insert($0).inserted }
            readFiles(files[...], kept, room: maximumContent, store, completion)
        }
    }

    /// Reads the files one after another.
    private static func readFiles(
        _ files: ArraySlice<FileReference>, _ kept: KeptData, room: Int, _ store: Persistence,
        _ completion: @escaping Completion
    ) {
        guard let file = files.first else { return readAliases(kept, store, completion) }
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

    private static func readAliases(_ kept: KeptData, _ store: Persistence, _ completion: @escaping Completion) {
        store.aliases(of: kept.person) { result in
            switch result {
            case .success(let aliases):
                var kept = kept
                kept.aliases = aliases
                readLists(kept, store, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private static func readLists(_ kept: KeptData, _ store: Persistence, _ completion: @escaping Completion) {
        store.lists(with: kept.person) { result in
            switch result {
            case .success(let lists):
                var kept = kept
                kept.lists = lists
                readState(kept, store, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    /// Answers to microsurveys are rows of clients. A user has the answers of the clients that belong to the user now.
    private static func readState(_ kept: KeptData, _ store: Persistence, _ completion: @escaping Completion) {
        let clients =
            switch kept.person {
            case .client(let client): [client]
            case .user(let user): kept.aliases.map { ClientReference(app: user.app, id: $0) }
            }
        let question: @Sendable (TransactionRows) -> Inquiry<(ClientState, [ClientReference])> = { rows in
            switch kept.person {
            case .client(let client): .done((rows.state(of: client), clients))
            case .user(let user): .done((rows.state(of: user), clients.filter { rows.user(of: $0) == user }))
            }
        }
        store.inquire([kept.person.rowName] + clients.map { .client($0) }, question) { result in
            switch result {
            case .success((let state, let clients)):
                store.answers(of: clients) { answers in
                    completion(
                        answers.map {
                            var kept = kept
                            (kept.state, kept.answers) = (state, $0)
                            return kept
                        })
                }
            case .failure(let error): completion(.failure(error))
            }
        }
    }
}
