internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The ids of a respondent's runs, oldest first: one row of the store.
public struct RunList: Sendable, Hashable {
    public private(set) var ids: [Identifier]

    public init(_ ids: [Identifier] = []) { self.ids = ids }

    public var json: JSONObject { ["runs": .array(ids.map { .string($0) })] }

    public init?(_ json: JSONObject) {
        guard let ids = json["runs"]?.array else { return nil }
        self.ids = ids.compactMap(\.identifier)
    }

    mutating func add(_ id: Identifier) { if !ids.contains(id) { ids.append(id) } }

    mutating func remove(_ id: Identifier) { ids.removeAll { $0 == id } }
}

extension TransactionRows {
    /// The runs of a respondent. A respondent without such a row has no runs.
    func runList(_ name: RowName) -> RunList { if case .runList(let list)? = self[name] { list } else { RunList() } }
}

extension Respondent {
    /// The row that lists the respondent's runs; nil if there is no respondent.
    func runList(in app: Identifier) -> RowName? { key.map { .runList(app: app, respondent: $0) } }
}

/// A respondent has at most 100 runs. When one more begins, the oldest ended run is deleted, like a run that is older
/// than its retention: its slots in quotas stay taken (docs/reference/surveys.md#runs).
public enum RunLimit {
    public static let maximum = 100

    /// Deletes ended runs of a list until their number is within the limit. If a deletion fails, the next run that
    /// begins repeats it.
    static func enforce(
        on list: RowName, in store: Persistence, now: Timestamp, _ completion: @escaping @Sendable () -> Void
    ) {
        let room = RunRoom(list: list, store: store, now: now)
        room.readList { result in
            guard case .success(let runs) = result, runs.ids.count > maximum else { return completion() }
            room.make { made in
                guard case .success(true) = made else { return completion() }
                enforce(on: list, in: store, now: now, completion)
            }
        }
    }
}

/// Deletes the oldest ended run of a list. It reads one run at a time, because each may be large.
struct RunRoom: Sendable {
    let list: RowName
    let store: Persistence
    let now: Timestamp

    typealias Completion = @Sendable (Result<Bool, StoreError>) -> Void

    /// Deletes a run. Completes with false if all runs are open.
    func make(_ completion: @escaping Completion) {
        guard case .runList(let app, _) = list else { return completion(.success(false)) }
        readList { result in
            switch result {
            case .success(let list):
                deleteFirst(of: list.ids.map { RunReference(app: app, id: $0) }[...], completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    fileprivate func readList(_ completion: @escaping @Sendable (Result<RunList, StoreError>) -> Void) {
        let question: @Sendable (TransactionRows) -> Inquiry<RunList> = { .done($0.runList(list)) }
        store.inquire([list], question, completion)
    }

    private func deleteFirst(of runs: ArraySlice<RunReference>, _ completion: @escaping Completion) {
        guard let reference = runs.first else { return completion(.success(false)) }
        store.readRun(reference) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let run?) where run.deletedAt == nil && run.status == .draft:
                deleteFirst(of: runs.dropFirst(), completion)
            case .success(let run):
                let isThere = run.map { $0.deletedAt == nil } ?? false
                let expiry = ChangeRun(.expire, of: reference, by: "", now: now).transaction.map { _ in }
                store.submit(isThere ? expiry : dropping(reference)) { result in
                    completion(result.map { true })
                }
            }
        }
    }

    /// Removes a run that no longer exists from the list.
    private func dropping(_ run: RunReference) -> Transaction<Void> {
        Transaction(names: [list], now: now) { rows in
            var listed = rows.runList(list)
            listed.remove(run.id)
            var outcome = TransactionOutcome(result: ())
            outcome.rows = [(list, .runList(listed))]
            return .done(outcome)
        }
    }
}
