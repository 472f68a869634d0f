public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Records the events that clients of an app report. Each event is recorded once, even if it is sent again.
public struct RecordEvents: Sendable {
    let app: AppSnapshot
    let policy: EventPolicy
    let now: Timestamp

    public init(in app: AppSnapshot, policy: EventPolicy, now: Timestamp) {
        self.app = app
        self.policy = policy
        self.now = now
    }

    /// Records the events of clients, and completes with the tally of each client.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the request.
    ///   - stream: the name of the streams whose reader sends the events.
    public func run(
        _ shares: [(client: ClientReference, events: [ResolvedEvent])], bytes: Int, stream: String? = nil,
        in store: Persistence,
        _ completion: @escaping @Sendable (Result<[EventTally], StoreError>) -> Void
    ) {
        store.feed.seenEvents.note(shares.lazy.flatMap(\.events), in: app.name, at: now)
        let changes = shares.map { change(client: $0.client, events: $0.events) }
        store.submit(Transaction(changes).keeping(bytes: bytes).notifying(except: stream), completion)
    }

    /// The change that one client's events make.
    func change(client: ClientReference, events: [ResolvedEvent]) -> ClientChange<EventTally> {
        ClientChange(client: client, eventIDs: events.map(\.id), now: now, goals: app.goals) { state, input in
            var journal = ClientJournal(
                state: state, clientID: client.id, at: now, catalog: app.catalog, goals: input.goals)
            let (tally, released) = apply(events, input, to: &journal)
            state = journal.state
            return ChangeOutcome(records: journal.records, releasedEventIDs: released, result: tally)
        }
    }

    /// Applies events. The id of a rejected event stays free for an accepted event, in this batch or later.
    func apply(
        _ events: [ResolvedEvent], _ input: ChangeInput, to journal: inout ClientJournal
    ) -> (tally: EventTally, releasedIDs: [Int]) {
        var tally = EventTally()
        var released: [Identifier: Int] = [:]
        let messages = ClientMessages(app, journal.state)
        for (position, (event, isDuplicate)) in zip(events, input.isDuplicate).enumerated() {
            guard !isDuplicate || event.id.flatMap({ released[$0] }) != nil else {
                tally.duplicates += 1
                continue
            }
            journal.at = event.at
            switch apply(event, messages, to: &journal) {
            case .accepted:
                tally.accepted += 1
                if isDuplicate, let id = event.id { released[id] = nil }
            case .duplicate: tally.duplicates += 1
            case .rejected(let code, let message):
                tally.rejected.append(EventRejection(index: event.index, code: code, message: message))
                if !isDuplicate, let id = event.id { released[id] = position }
            }
        }
        journal.at = now
        return (tally, released.values.sorted())
    }

    private enum Fate {
        case accepted, duplicate
        case rejected(code: String, String)

        init(_ fault: MessageFault?) { self = fault.map { .rejected(code: $0.code, $0.message) } ?? .accepted }
    }

    private func apply(_ event: ResolvedEvent, _ messages: ClientMessages, to journal: inout ClientJournal) -> Fate {
        switch event.kind {
        case .behavior(let behavior, let then):
            guard
                journal.state.behavior.count < Self.maximumEventNames
                    || journal.state.behavior.names.count < Self.maximumEventNames
                    || journal.state.behavior.contains(behavior.name)
            else {
                return .rejected(code: "too_many_names", "the client has too many event names")
            }
            guard journal.behaved(behavior, at: then) else {
                return .rejected(code: "time", "the event's time can not be counted")
            }
            if policy.recordsBehavior { journal.recordBehavior(behavior) }
        case .message(let action, let key, let uuid):
            guard let facts = messages.facts(of: key) else { return Fate(.unknown(key)) }
            if let fault = MessageFault(action, facts) { return Fate(fault) }
            switch action {
            case .displayed: journal.displayed(facts, session: event.sessionID)
            case .clicked:
                if messages.hasBrokenAction(key) { journal.reportMalformed(facts) }
                journal.clicked(facts, actionUUID: uuid)
            case .dismissed: journal.dismissed(facts)
            }
        case .microsurvey(let step, let key):
            guard let facts = messages.facts(of: key) else { return Fate(.unknown(key)) }
            if let fault = MessageFault(step, facts) { return Fate(fault) }
            if step == .confirmationShown, journal.state.ledger[key].isAnswered { return .duplicate }
            journal.microsurvey(step, facts)
        case .exposure(let experiment, let featureID):
            if let branch = messages.exposure(to: featureID, experiment: experiment) {
                journal.exposed(branch, featureID: featureID)
            }
        case .refused(let code, let message): return .rejected(code: code, message)
        }
        return .accepted
    }

    /// The maximum number of event names that the daemon stores for one client.
    private static let maximumEventNames = 500
}
