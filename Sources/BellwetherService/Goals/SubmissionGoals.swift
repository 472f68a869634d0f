internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// A submission counts for the goals of the experiment whose message presented the content
/// (docs/reference/goals.md#what-is-counted).
struct SubmissionGoals {
    /// The client that submits, and the experiment.
    private let client: ClientReference
    private let experiment: Identifier
    private let goals: GoalTable
    private let now: Timestamp

    /// Nil if the submission cannot count for a goal.
    init?(_ run: Run, by client: ClientReference?, in app: AppSnapshot, at now: Timestamp) {
        guard let client, let experiment = run.experiment, !run.isDevelopment else { return nil }
        (self.client, self.experiment, goals, self.now) = (client, experiment, app.goals, now)
    }

    /// The rows that have to be read before.
    func missing(_ rows: TransactionRows) -> [RowName] {
        let name = RowName.client(client)
        return rows.isLoaded(name) ? rows.missingPeriods(of: client, in: goals) : [name]
    }

    /// Adds the change of the client's row to the rows that a transaction writes.
    func count(in written: inout [(name: RowName, value: RowValue)], _ rows: TransactionRows) {
        let name = RowName.client(client)
        let index = written.firstIndex { $0.name == name }
        var state = rows.state(of: client)
        if let index, case .client(let changed) = written[index].value { state = changed }
        var journal = ClientJournal(
            state: state, clientID: client.id, at: now, goals: rows.adding(periodsOf: client, to: goals))
        journal.answered(in: experiment)
        if let index {
            written[index].value = .client(journal.state)
        } else if journal.state != state {
            written.append((name, .client(journal.state)))
        }
    }
}
