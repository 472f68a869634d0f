public import BellwetherCore

/// One client's poll (api.md 2.1).
public struct Poll: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    public let query: PollQuery

    public init(
        app: AppSnapshot, client: ClientReference, surfaces: [String], context: TargetingContext, now: Timestamp
    ) {
        self.app = app
        self.client = client
        query = PollQuery(clientID: client.id, surfaces: surfaces, context: context, now: now)
    }
}

/// Makes what a poll changes durable.
public enum DeliverMessages {
    /// The change that a poll with effects, or with events of its own, makes: events first, so that a message they
    /// trigger is in this very answer. What was decided on a worker is decided again here, on the state as it is then.
    public static func change(_ poll: Poll, events: [ResolvedEvent]?, policy: EventPolicy) -> ClientChange {
        let eventIDs = events?.map(\.id) ?? []
        let now = poll.query.now
        let recording = RecordEvents(in: poll.app, policy: policy, now: now)
        return ClientChange(client: poll.client, eventIDs: eventIDs, now: now) { state, input in
            var journal = ClientJournal(state: state, clientID: poll.client.id, at: now)
            let recorded = events.map { recording.apply($0, input, to: &journal) }
            let verdicts = ContextVerdicts(catalog: poll.app.catalog, context: poll.query.context)
            let delivery = poll.app.edition.decide(poll.query, state: journal.state, verdicts: verdicts)
            journal.apply(delivery.effects, revision: poll.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(
                records: journal.records, releasedEventIDs: recorded?.releasedIDs ?? [],
                result: .delivered(delivery, recorded?.tally))
        }
    }
}
