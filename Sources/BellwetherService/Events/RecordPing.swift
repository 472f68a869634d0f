public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// Records a ping that a phone sent through Glean, once (docs/reference/events.md#submitted-pings). Its events change
/// the client's state in the same way as events of the daemon's own API. The log contains them as they were sent;
/// nothing is derived from them again.
public enum RecordPing {
    /// Records a ping, and completes with the tally of its events.
    ///
    /// - Parameter bytes: the bytes of the request.
    public static func run(
        _ ping: GleanSubmission, in app: AppSnapshot, now: Timestamp, bytes: Int, _ store: Persistence,
        newID: () -> Identifier, _ completion: @escaping @Sendable (Result<EventTally, StoreError>) -> Void
    ) {
        let change = change(ping, in: app, now: now, newID: newID)
        store.submit(Transaction(change).keeping(bytes: bytes), completion)
    }

    /// The change that a ping makes. A ping with a known document id changes nothing: document ids are stored for the
    /// client, like event ids.
    ///
    /// A ping without a client is logged, and changes no state. `newID` makes ids of answers.
    static func change(
        _ ping: GleanSubmission, in app: AppSnapshot, now: Timestamp, newID: () -> Identifier
    ) -> ClientChange<EventTally> {
        let client = ClientReference(app: app.name, id: ping.clientID ?? GleanSubmission.nobody)
        let answers = answers(ping, in: app, newID)
        let ids: [Identifier?] =
            ["glean:\(ping.address.documentID)"] + Array(repeating: nil, count: max(0, ping.records.count - 1))
        let messages = answers.values.compactMap(\.first?.message)
        return ClientChange(client: client, eventIDs: ids, answers: messages, now: now, goals: app.goals) {
            state, input in
            var tally = EventTally()
            guard input.isDuplicate.first == false else {
                tally.duplicates = 1
                return ChangeOutcome(result: tally)
            }
            var journal = PingJournal(ping: ping, app: app, client: client, state: state, now: now, goals: input.goals)
            for (position, event) in ping.records.enumerated() {
                journal.enter(event, answers: answers[position], input)
            }
            state = journal.state
            tally.accepted = ping.records.count
            return ChangeOutcome(
                records: journal.records, responses: journal.responses, result: tally)
        }
    }

    /// The answers that were recognised by their texts, by the index of their event. Only the first event of each
    /// survey is examined, so the number of surveys bounds the cost of a ping.
    private static func answers(
        _ ping: GleanSubmission, in app: AppSnapshot, _ newID: () -> Identifier
    ) -> [Int: [SurveyResponse]] {
        guard let clientID = ping.clientID else { return [:] }
        var answers: [Int: [SurveyResponse]] = [:]
        var seen: Set<Identifier> = []
        for (position, event) in ping.records.enumerated() {
            guard case .answered(let text)? = event.effect, let key = event.messageKey,
                seen.insert(key).inserted
            else { continue }
            let answer = GleanResponse(message: key, text: text, clientID: clientID, locale: ping.locale, at: event.at)
            answers[position] = answer.responses(in: app, id: newID())
        }
        return answers
    }
}

/// Applies a ping's events to its client, one after another.
private struct PingJournal {
    let ping: GleanSubmission
    /// The client's messages by its enrollments here. Other enrollments of the phone are unknown.
    let messages: ClientMessages
    let client: ClientReference
    private let catalog: Catalog
    private let goals: GoalTable
    private let now: Timestamp
    private(set) var state: ClientState
    private(set) var records: [TelemetryRecord] = []
    private(set) var responses: [SurveyResponse] = []

    init(
        ping: GleanSubmission, app: AppSnapshot, client: ClientReference, state: ClientState, now: Timestamp,
        goals: GoalTable
    ) {
        self.ping = ping
        messages = ClientMessages(app, state)
        (catalog, self.goals) = (app.catalog, goals)
        self.now = now
        self.client = client
        self.state = state
        records.reserveCapacity(ping.records.count)
    }

    mutating func enter(_ event: SubmittedEvent, answers: [SurveyResponse]?, _ input: ChangeInput) {
        let facts = event.messageKey.flatMap { messages.facts(of: $0) }
        let branch = branch(of: event, facts)
        records.append(
            TelemetryRecord(
                at: event.at, clientID: client.id, category: event.category, name: event.name, extra: event.extra,
                experiment: branch?.slug, branch: branch?.branch))
        guard ping.clientID != nil, let facts, let effect = event.effect else { return }
        switch effect {
        case .displayed: apply(at: event.at) { $0.displayed(facts) }
        case .clicked: apply(at: event.at) { $0.clicked(facts, actionUUID: nil) }
        case .dismissed: apply(at: event.at) { $0.dismissed(facts) }
        case .expired: apply(at: event.at) { $0.expired(facts) }
        case .answered: record(answers ?? [], of: facts, under: branch, at: event.at, input)
        }
    }

    /// Applies an event to the state only. It makes no records, because the phone has sent the records itself.
    private mutating func apply(at time: Timestamp, _ step: (inout ClientJournal) -> Void) {
        var journal = ClientJournal(state: state, clientID: client.id, at: now, catalog: catalog, goals: goals)
        journal.countsExposures = false
        journal.at = time
        step(&journal)
        state = journal.state
    }

    /// Records the first answer of a client to a survey. The message counts as dismissed, even if no ping contains its
    /// dismissal.
    ///
    /// If the text is an option of several variants of the message, the variant that the client has now counts.
    private mutating func record(
        _ answers: [SurveyResponse], of message: MessageFacts, under branch: EnrolledBranch?, at time: Timestamp,
        _ input: ChangeInput
    ) {
        guard let first = answers.first, input.response(first.message) == nil else { return }
        let revision = messages.current(first.message)?.revision
        var answer = answers.first { $0.revision == revision } ?? first
        answer.enrollment = branch
        responses.append(answer)
        var entry = state.ledger[answer.message]
        entry.isAnswered = true
        entry.dismissals = max(1, entry.dismissals)
        state.ledger[answer.message] = entry
        if let experiment = message.experiment { apply(at: time) { $0.answered(in: experiment) } }
    }

    /// The branch that the event belongs to: by the phone's enrollment, otherwise by the client's enrollment here.
    private func branch(of event: SubmittedEvent, _ facts: MessageFacts?) -> EnrolledBranch? {
        if let slug = facts?.experiment { return ping.enrollment(in: slug) ?? facts?.enrollment }
        guard event.category == "nimbus_events", let slug = event.extra["experiment"]?.identifier,
            let branch = event.extra["branch"]?.identifier
        else { return nil }
        return EnrolledBranch(slug: slug, branch: branch)
    }
}
