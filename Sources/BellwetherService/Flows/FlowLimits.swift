internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The quotas and limits that apply to a run of a flow (docs/reference/flows.md#quotas): those of the flow's own offer,
/// and of the message that presented it.
struct FlowLimits: Sendable, Hashable {
    let limits: [ResponseLimits]
    /// The counters of the client, for conditions.
    private let counters: JSONObject
    /// The segments that conditions read.
    private let segments: JSONObject

    /// The row of the client, if its branches or counters matter; nil if nothing depends on them.
    static func name(of run: Run, _ flow: FlowDefinition, in app: AppSnapshot) -> RowName? {
        guard let id = run.clientID else { return nil }
        let keys = [run.slug] + (run.message.map { [$0] } ?? [])
        let areLimited = keys.contains { key in
            app.everyVariant(of: key).contains { $0.pacing?.limitsResponses ?? false }
        }
        guard areLimited || flow.notification?.condition != nil else { return nil }
        return .client(ClientReference(app: app.name, id: id))
    }

    /// - Parameter state: the state of the client.
    init(of run: Run, in app: AppSnapshot, _ state: ClientState, at now: Timestamp) {
        limits = ClientMessages(app, state).limits(of: run.slug, presentedBy: run.message)
        counters = state.counters.facts
        segments = app.segments(of: run.clientID, run.flow?.attributes ?? [:], state, at: now)
    }

    /// The facts of a run that conditions of quotas and notifications read. Its answers are grouped by step.
    func facts(_ run: FlowRun, at now: Timestamp) -> ConditionFacts {
        var facts = run.facts
        (facts.answers, facts.counters, facts.segments, facts.now) = (run.responses, counters, segments, now)
        return facts
    }

    /// The reason why no run may begin; nil if a run may begin.
    func closing(
        _ run: FlowRun, of app: Identifier, at now: Timestamp, _ rows: TransactionRows, _ budget: inout EvaluationBudget
    ) -> FetchRun.Ineligibility? {
        let facts = facts(run, at: now)
        for limit in limits {
            let tally = rows.tally(.tally(app: app, key: limit.key))
            if let reason = limit.closing(tally, facts, slots: [], &budget) { return reason }
        }
        return nil
    }
}

extension [ResponseLimits] {
    /// The rows of the tallies, which are read and changed when a run is counted.
    func names(of app: Identifier) -> [RowName] { map { .tally(app: app, key: $0.key) } }

    /// Takes and releases the slots of a run, and returns the changed tallies. Nil if a quota that ends runs is full,
    /// or if a limit is reached; then nothing is taken.
    ///
    /// - Parameter verdicts: whether the condition of each quota of each limit holds.
    func count(
        _ run: inout Run, _ verdicts: [[Bool]], isFinal: Bool, of app: Identifier, in rows: TransactionRows
    ) -> [(RowName, RowValue)]? {
        var counted = run
        var tallies: [(RowName, RowValue)] = []
        for (limit, verdicts) in zip(self, verdicts) {
            let name = RowName.tally(app: app, key: limit.key)
            var tally = rows.tally(name)
            guard limit.count(&counted, verdicts, isFinal: isFinal, in: &tally) else { return nil }
            tallies.append((name, .tally(tally)))
        }
        run = counted
        return tallies.filter { rows[$0.0] != $0.1 }
    }
}
