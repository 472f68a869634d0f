internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import Synchronization

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
    static let waitSeconds = 0.05...0.15

    private let name: RowName
    private let holder = WebhookID.make()
    private let store: Persistence
    private let timer: HookCaller.Timer
    private let isHeld = Atomic<Bool>(false)

    init(_ subject: FlowTurns.Subject, in store: Persistence, timer: @escaping HookCaller.Timer) {
        (name, self.store, self.timer) = (.lease(subject.claimName), store, timer)
    }

    private var now: Timestamp { store.store.clock.now() }

    /// The transaction, guarded by the claim. While another daemon's action on the same subject is in progress, it
    /// writes nothing, and the action needs a turn.
    func guarding<Performed: Action>(
        _ transaction: Transaction<ActionStep<Performed>>
    ) -> Transaction<ActionStep<Performed>> {
        guard store.feed.isShared else { return transaction }
        return transaction.adding(name) { [name, holder, now] rows in
            let lease = rows.lease(name)
            if let lease, lease.holder != holder, lease.until > now { return .need(.turn) }
            let step = transaction.apply(rows)
            guard case .done(var outcome) = step else { return step }
            switch outcome.result {
            case .needs(.call):
                let until = now.adding(seconds: Self.seconds)
                outcome.rows.append((name, .lease(Lease(holder: holder, until: until))))
            case .done where lease != nil: outcome.rows.append((name, .nothing))
            case .done, .needs: break
            }
            return .done(outcome)
        }
    }

    /// Keeps up the claim while the owner's server is called.
    func note<Performed: Action>(_ step: ActionStep<Performed>) {
        switch step {
        case .needs(.call) where store.feed.isShared:
            if !isHeld.exchange(true, ordering: .acquiringAndReleasing) { keepUp() }
        case .done: isHeld.store(false, ordering: .releasing)
        case .needs: break
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
    private func changing(_ value: @escaping @Sendable (_ holder: Identifier) -> RowValue) -> Transaction<Void> {
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
    fileprivate var claimName: Identifier {
        let parts: [Identifier] =
            switch self {
            case .run(let run): ["run", run.app, run.id]
            case .start(let slug, let ids): ["start", slug, ids.app, ids.userID ?? "", ids.clientID ?? ""]
            }
        return Identifier("action:" + Digest.hex(Digest.sha256(parts.flatMap { Digest.sha256(Array($0.utf8)) })))
    }
}
