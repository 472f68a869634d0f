internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Erases a client or a user: places in quotas are given back, a user's clients forget who they belong to, then the
/// store removes what it has (docs/reference/http-api.md#erasure).
public struct EraseRespondent: Sendable {
    private static let pageSize = 500

    private let person: Person
    /// What the audit keeps of the id.
    private let digest: [UInt8]
    private let origin: ChangeOrigin
    private let store: Persistence

    public init(_ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin, in store: Persistence) {
        (self.person, self.digest, self.origin, self.store) = (person, digest, origin, store)
    }

    public func run(_ completion: @escaping @Sendable (Result<ErasureOutcome, StoreError>) -> Void) {
        deleteRuns { [self] failure in
            if let failure { return completion(.failure(failure)) }
            forgetUser { [self] failure in
                if let failure { return completion(.failure(failure)) }
                store.erase(person, knownAs: digest, origin, completion)
            }
        }
    }

    private typealias Completion = @Sendable (StoreError?) -> Void

    /// All that are there, a page at a time. A deleted run is not found again.
    private func deleteRuns(_ completion: @escaping Completion) {
        var query = RunQuery(app: person.app, limit: Self.pageSize)
        switch person {
        case .client(let client): query.clientID = client.id
        case .user(let user): query.userID = user.id
        }
        store.readRuns(query) { [self] result in
            switch result {
            case .failure(let error): completion(error)
            case .success([]): completion(nil)
            case .success(let runs):
                let transactions = runs.map { run in
                    ChangeRun(
                        .delete, of: RunReference(app: person.app, id: run.id), by: origin.author, now: origin.at
                    ).transaction
                }
                submit(transactions[...]) { [self] failure in
                    if let failure { return completion(failure) }
                    deleteRuns(completion)
                }
            }
        }
    }

    private func forgetUser(_ completion: @escaping Completion) {
        guard case .user(let user) = person else { return completion(nil) }
        store.aliases(of: user) { [self] result in
            switch result {
            case .failure(let error): completion(error)
            case .success(let clients):
                let references = clients.map { ClientReference(app: user.app, id: $0) }
                submit(references.map { forgetting(user, of: $0) }[...], completion)
            }
        }
    }

    private func forgetting(_ user: UserReference, of client: ClientReference) -> Transaction {
        Transaction(names: [.client(client)], now: origin.at) { rows in
            var outcome = TransactionOutcome(result: .identified(merged: []))
            var state = rows.state(of: client)
            if state.userID?.hasSameBytes(as: user.id) == true {
                state.userID = nil
                outcome.rows = [(.client(client), .client(state))]
            }
            return .done(outcome)
        }
    }

    /// One after another.
    private func submit(_ transactions: ArraySlice<Transaction>, _ completion: @escaping Completion) {
        guard let next = transactions.first else { return completion(nil) }
        store.submit(next) { [self] result in
            if case .failure(let error) = result { return completion(error) }
            submit(transactions.dropFirst(), completion)
        }
    }
}
