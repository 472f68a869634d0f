internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Erases a client or a user: releases the slots in quotas, then removes the data from the store. Runs of users stay
/// when a client is erased (docs/reference/http-api.md#erasure).
public struct EraseRespondent: Sendable {
    private static let pageSize = 500

    private let person: Person
    /// The digest of the id, for the audit.
    private let digest: [UInt8]
    private let origin: ChangeOrigin
    private let store: Persistence

    public init(_ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin, in store: Persistence) {
        (self.person, self.digest, self.origin, self.store) = (person, digest, origin, store)
    }

    public func run(_ completion: @escaping @Sendable (Result<ErasureOutcome, StoreError>) -> Void) {
        deleteRuns { [self] failure in
            if let failure { return completion(.failure(failure)) }
            store.erase(person, knownAs: digest, origin, completion)
        }
    }

    private typealias Completion = @Sendable (StoreError?) -> Void

    /// Deletes all runs, page by page. A deleted run is not found again.
    private func deleteRuns(_ completion: @escaping Completion) {
        var query = RunQuery(app: person.app, limit: Self.pageSize)
        switch person {
        case .client(let client): (query.clientID, query.isWithoutUser) = (client.id, true)
        case .user(let user): (query.userID, query.includesMerged) = (user.id, true)
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

    /// Submits the transactions one after another.
    private func submit(_ transactions: ArraySlice<Transaction<ChangeRun.Outcome>>, _ completion: @escaping Completion)
    {
        guard let next = transactions.first else { return completion(nil) }
        store.submit(next) { [self] result in
            if case .failure(let error) = result { return completion(error) }
            submit(transactions.dropFirst(), completion)
        }
    }
}
