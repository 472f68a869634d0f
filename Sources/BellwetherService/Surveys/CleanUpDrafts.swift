public import BellwetherBase
internal import BellwetherCore
internal import Surveys

/// Deletes drafts that nobody has touched for 90 days (docs/reference/surveys.md#clean-up). They are gone for good when
/// retention finds them.
public struct CleanUpDrafts: Sendable {
    public static let seconds: Int64 = 90 * 86_400
    private static let pageSize = 500

    private let store: Persistence
    private let now: Timestamp

    public init(in store: Persistence, now: Timestamp) { (self.store, self.now) = (store, now) }

    /// Looks at one app after another. Drafts that are touched meanwhile stay.
    public func run(apps: [String], _ completion: @escaping @Sendable () -> Void = {}) {
        guard let app = apps.first else { return completion() }
        var query = RunQuery(app: app, limit: Self.pageSize)
        (query.status, query.untouchedSince) = (.draft, now.adding(seconds: -Self.seconds))
        store.readRuns(query) { [self] result in
            guard case .success(let runs) = result else { return completion() }
            delete(runs.map { RunReference(app: app, id: $0.id) }[...]) { [self] isDone in
                // What a store does not take now is deleted tomorrow.
                guard isDone else { return completion() }
                let hasMore = runs.count == Self.pageSize
                run(apps: hasMore ? apps : Array(apps.dropFirst()), completion)
            }
        }
    }

    /// False: the store failed.
    private func delete(
        _ runs: ArraySlice<RunReference>, _ completion: @escaping @Sendable (_ isDone: Bool) -> Void
    ) {
        guard let run = runs.first else { return completion(true) }
        store.submit(transaction(run)) { [self] result in
            guard case .success = result else { return completion(false) }
            delete(runs.dropFirst(), completion)
        }
    }

    private func transaction(_ reference: RunReference) -> Transaction {
        let change = ChangeRun(.delete, of: reference, by: "", now: now)
        return Transaction(names: [.run(reference)], now: now) { rows in
            guard let run = rows.run(reference), run.status == .draft,
                run.updatedAt < now.adding(seconds: -Self.seconds)
            else { return .done(TransactionOutcome(result: .changedRun(.unknownRun))) }
            return change.transaction.apply(rows)
        }
    }
}
