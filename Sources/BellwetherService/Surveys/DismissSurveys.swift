public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The dismissal of all questionnaires and surveys by a respondent (docs/reference/surveys.md#dismissal).
public enum DismissSurveys {
    /// Stores the dismissal, and completes with its time.
    ///
    /// - Parameter stream: the name of the streams whose reader dismisses.
    public static func run(
        _ ids: RespondentIDs, in store: Persistence, now: Timestamp, stream: String? = nil,
        _ completion: @escaping @Sendable (Result<Timestamp, StoreError>) -> Void
    ) {
        store.submit(transaction(ids, now: now).notifying(except: stream), completion)
    }

    private static func transaction(_ ids: RespondentIDs, now: Timestamp) -> Transaction<Timestamp> {
        Transaction(names: ids.names, now: now) { rows in
            let respondent = RespondentRows(ids: ids, rows: rows)
            guard respondent.missing.isEmpty else { return .needs(respondent.missing) }
            var outcome = TransactionOutcome(result: now)
            guard let name = respondent.name else { return .done(outcome) }
            var state = respondent.state
            state.surveys.dismissedAt = now
            outcome.rows = [(name, .client(state))]
            let record = TelemetryRecord(
                at: now, clientID: ids.clientID ?? ids.userID ?? "", category: "questionnaire", name: "dismissed",
                extra: [:])
            outcome.records = [(ids.app, record)]
            return .done(outcome)
        }
    }
}
