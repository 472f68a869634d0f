public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// Records whether a person participates in experiments and rollouts.
public enum ChangeParticipation {
    /// - Parameters:
    ///   - bytes: the bytes of the request.
    ///   - stream: the name of the streams whose reader makes the change.
    public static func run(
        _ participation: Participation, of client: ClientReference, in app: AppSnapshot, now: Timestamp, bytes: Int,
        stream: String? = nil, _ store: Persistence,
        _ completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        let change = change(participation, of: client, in: app, now: now)
        store.submit(Transaction(change).keeping(bytes: bytes).notifying(except: stream), completion)
    }

    static func change(
        _ participation: Participation, of client: ClientReference, in app: AppSnapshot, now: Timestamp
    ) -> ClientChange<Void> {
        ClientChange(client: client, now: now, goals: app.goals) { state, input in
            var journal = ClientJournal(state: state, clientID: client.id, at: now, goals: input.goals)
            journal.participates(participation, in: app.experiments)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: ())
        }
    }
}
