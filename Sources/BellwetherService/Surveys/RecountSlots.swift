public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys
internal import Synchronization

/// Compares the tallies of quotas and limits, and the references to files, with the stored runs, and mends what differs
/// (docs/reliability.md#recounts). Writes go on meanwhile.
///
/// A tally gets the difference that a census has found, not the counted number: writes since the census have changed
/// both sides alike. One process recounts at a time, under a lease, so that no difference is applied twice.
public struct RecountSlots: Sendable {
    /// The lifetime of the lease. A daemon that dies during a recount keeps others from it for this time.
    public static let leaseSeconds: Int64 = 600
    private static let lease: Identifier = "places.recount"

    private let store: Persistence
    private let holder: Identifier
    private let now: Timestamp

    /// - Parameters:
    ///   - holder: a random id that the process has drawn.
    ///   - now: the store's time.
    public init(in store: Persistence, holding holder: Identifier, now: Timestamp) {
        (self.store, self.holder, self.now) = (store, holder, now)
    }

    private final class Success: Sendable {
        let value = Atomic<Bool>(false)
    }

    /// - Parameter completion: receives false if another process recounts, or if the store failed.
    public func run(_ completion: @escaping @Sendable (_ wasDone: Bool) -> Void = { _ in }) {
        let success = Success()
        LeasedJob(Self.lease, of: holder, seconds: Self.leaseSeconds).run(in: store, now: now) { [self] done in
            recount { isDone in
                success.value.store(isDone, ordering: .relaxed)
                done()
            }
        } _: { wasDone in
            completion(wasDone && success.value.load(ordering: .relaxed))
        }
    }

    private func recount(_ completion: @escaping @Sendable (_ isDone: Bool) -> Void) {
        store.census { [self] census in
            guard case .success(let census) = census else { return completion(false) }
            correct(Array(census.differences)[...]) { [self] isDone in
                guard isDone else { return completion(false) }
                store.refer(census.unreferring, completion)
            }
        }
    }

    /// Corrects one tally after another.
    private func correct(
        _ differences: ArraySlice<(key: RowName, value: Tally)>, _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        guard let (name, difference) = differences.first else { return completion(true) }
        store.submit(correction(of: name, by: difference)) { [self] result in
            guard case .success(let change) = result else { return completion(false) }
            if let change { store.counts.addCorrection(of: name, from: change.before, to: change.after) }
            correct(differences.dropFirst(), completion)
        }
    }

    /// Nothing is written if another process has taken the lease meanwhile: it makes a census of its own.
    private func correction(
        of name: RowName, by difference: Tally
    ) -> Transaction<(before: Tally, after: Tally)?> {
        Transaction(names: [name, .lease(Self.lease)], now: now) { [holder] rows in
            guard case .lease(let lease)? = rows[.lease(Self.lease)], lease.holder == holder else {
                return .done(TransactionOutcome(result: nil))
            }
            let before = rows.tally(name)
            var after = before
            after.add(difference, times: 1)
            var outcome = TransactionOutcome<(before: Tally, after: Tally)?>(result: (before, after))
            outcome.rows = [(name, .tally(after))]
            return .done(outcome)
        }
    }
}

extension Persistence {
    /// Writes runs once more, which adds their references to files. The completion receives false if the store failed.
    fileprivate func refer(_ runs: [RunReference], _ completion: @escaping @Sendable (Bool) -> Void) {
        guard !runs.isEmpty else { return completion(true) }
        change { (result: Result<Void, StoreError>) in
            completion((try? result.get()) != nil)
        } _: { [store, counts] () throws(StoreError) in
            for run in runs { counts.addReference(of: run, isMended: try store.refer(run)) }
        }
    }
}

extension Store {
    /// Returns false if a file of the run is lost.
    fileprivate func refer(_ name: RunReference) throws(StoreError) -> Bool {
        try commit { () throws(StoreError) in
            guard let row = try row(.run(name)), case .run(let run) = row.value else { return (true, nil) }
            let files = (run.flow?.files ?? []).map { RowName.file(FileName(app: name.app, sha256: $0.sha256)) }
            let group = WriteGroup([RowWrite(name: .run(name), expected: row.version, value: row.value)])
            return (try versions(of: files).allSatisfy { $0 != 0 }, group)
        }
    }
}
