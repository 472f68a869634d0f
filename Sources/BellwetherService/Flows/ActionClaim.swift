internal import BellwetherBase
internal import BellwetherCore
internal import Synchronization

/// The progress of a respondent's action after a transaction.
enum ActionProgress {
    /// The owner's server is called next.
    case calls
    case goesOn
    case ends
}

protocol ActionStep: Sendable {
    var progress: ActionProgress { get }
}

/// The outcome of a transaction under a claim.
enum Attempt<Value: Sendable>: Sendable {
    case made(Value)
    /// Another daemon's action on the same subject is in progress; nothing was written.
    case waits
}

extension Attempt: RunLimited where Value: RunLimited {
    var fullList: RowName? { if case .made(let value) = self { value.fullList } else { nil } }
}

/// The claim of a respondent's action among the daemons that share a store. While the action calls the owner's server,
/// actions on the same subject wait at the other daemons. Within one process, `FlowTurns` lets them wait.
///
/// The claim is a row with an end time. The transaction that finds that a call is due writes it, and the transaction
/// that ends the action deletes it. In between it is renewed, so the claim of a dead daemon expires
/// (docs/decisions/archive/0108-an-action-claims-its-run-among-the-nodes.md). A store that one process uses has no
/// claims.
final class ActionClaim: Sendable {
    /// The lifetime of a claim. If a daemon dies during a call, other daemons are kept from the run for this time.
    static let seconds: Int64 = 6
    private static let renewalSeconds = 2.0
    /// The delay before an action checks again whether another daemon's action is over.
    private static let waitSeconds = 0.05...0.15

    private let name: RowName
    private let holder = WebhookID.make()
    private let store: Persistence
    private let timer: HookCaller.Timer
    private let isHeld = Atomic<Bool>(false)

    init(_ subject: FlowTurns.Subject, in store: Persistence, timer: @escaping HookCaller.Timer) {
        (name, self.store, self.timer) = (.lease(subject.claimName), store, timer)
    }

    private var now: Timestamp { store.store.clock.now() }

    /// The transaction, guarded by the claim.
    func guarding<Value: ActionStep>(_ transaction: Transaction<Value>) -> Transaction<Attempt<Value>> {
        guard store.feed.isShared else { return transaction.map { .made($0) } }
        return transaction.adding(name) { [name, holder, now] rows in
            let lease = rows.lease(name)
            if let lease, lease.holder != holder, lease.until > now {
                return .done(TransactionOutcome(result: .waits))
            }
            switch transaction.apply(rows) {
            case .needs(let names): return .needs(names)
            case .done(let outcome):
                var claimed = outcome.with(Attempt.made(outcome.result))
                switch outcome.result.progress {
                case .calls:
                    let until = now.adding(seconds: Self.seconds)
                    claimed.rows.append((name, .lease(Lease(holder: holder, until: until))))
                case .ends where lease != nil: claimed.rows.append((name, .nothing))
                case .ends, .goesOn: break
                }
                return .done(claimed)
            }
        }
    }

    /// Handles the result of a transaction under the claim.
    ///
    /// - Parameter again: called after a delay, instead of the completion, if another daemon's action is in progress.
    func note<Value: ActionStep>(
        _ result: Result<Attempt<Value>, StoreError>, again: @escaping @Sendable () -> Void,
        _ completion: FlowActions.Completion<Value>
    ) {
        switch result {
        case .failure(let error): completion(.failure(error))
        case .success(.waits): timer(Double.random(in: Self.waitSeconds), again)
        case .success(.made(let step)):
            switch step.progress {
            case .calls where store.feed.isShared:
                if !isHeld.exchange(true, ordering: .acquiringAndReleasing) { keepUp() }
            case .ends: isHeld.store(false, ordering: .releasing)
            case .calls, .goesOn: break
            }
            completion(.success(step))
        }
    }

    /// Ends the action. If no transaction has ended it, for example because the recipe was paused meanwhile, the claim
    /// is released here.
    func end() {
        guard isHeld.exchange(false, ordering: .acquiringAndReleasing) else { return }
        store.submit(changing { _ in .nothing }) { _ in }
    }

    /// Renews the claim while the owner's server is called. A claim that another daemon holds by now is not renewed.
    private func keepUp() {
        timer(Self.renewalSeconds) { [weak self] in
            guard let self, isHeld.load(ordering: .acquiring) else { return }
            let until = now.adding(seconds: Self.seconds)
            let renewal = changing { .lease(Lease(holder: $0, until: until)) }
            store.submit(renewal) { [weak self] _ in self?.keepUp() }
        }
    }

    /// - Parameter value: the new value of the row, if this claim still holds it.
    private func changing(_ value: @escaping @Sendable (_ holder: String) -> RowValue) -> Transaction<Void> {
        Transaction(names: [name], now: now) { [name, holder] rows in
            var outcome = TransactionOutcome(result: ())
            if rows.lease(name)?.holder == holder { outcome.rows = [(name, value(holder))] }
            return .done(outcome)
        }
    }
}

extension TransactionRows {
    fileprivate func lease(_ name: RowName) -> Lease? {
        if case .lease(let lease)? = self[name] { lease } else { nil }
    }
}

extension FlowTurns.Subject {
    /// The name of the claim's row. It contains no fact of the respondent.
    fileprivate var claimName: String {
        let parts: [String] =
            switch self {
            case .run(let run): ["run", run.app, run.id]
            case .start(let slug, let ids): ["start", slug, ids.app, ids.userID ?? "", ids.clientID ?? ""]
            }
        return "action:" + Digest.hex(Digest.sha256(parts.flatMap { Digest.sha256(Array($0.utf8)) }))
    }
}
