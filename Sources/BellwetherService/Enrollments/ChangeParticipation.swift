public import BellwetherBase
public import BellwetherCore

/// Records what a person wants of experiments and rollouts.
public enum ChangeParticipation {
    public static func change(
        _ participation: Participation, of client: ClientReference, in app: AppSnapshot, now: Timestamp
    ) -> ClientChange {
        ClientChange(client: client, now: now) { state, _ in
            var journal = ClientJournal(state: state, clientID: client.id, at: now)
            journal.participates(participation, in: app.experiments)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: .participating)
        }
    }
}
