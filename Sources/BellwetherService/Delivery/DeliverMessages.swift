public import BellwetherBase
public import BellwetherCore

/// One client's poll.
public struct Poll: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    public let query: PollQuery

    public init(
        app: AppSnapshot, client: ClientReference, surfaces: [String], context: TargetingContext, now: Timestamp,
        sessionID: String? = nil
    ) {
        self.app = app
        self.client = client
        var query = PollQuery(clientID: client.id, surfaces: surfaces, context: context, now: now)
        query.sessionID = sessionID
        self.query = query
    }
}

/// A poll that was recorded, and how its own events fared.
public struct Delivery: Sendable {
    public let decision: Decision
    /// Nil: it brought none.
    public let tally: EventTally?
}

/// Answers polls: from memory where nothing changes, else by a write.
public enum DeliverMessages {
    /// How far a poll came without I/O.
    public enum Progress {
        /// It changes nothing: while the rows are the same, neither does its answer.
        case decided(Decision, ReadRows)
        /// The client has to be read: `Persistence.loadJoined` does.
        case needsState
        /// It changes something: `change` decides it again when it is recorded.
        case needsWrite
    }

    /// Decides from memory; never any I/O. `memo` and `basis` are of the app and the poll's context.
    public static func decide(
        _ poll: Poll, memo: ContextMemo, basis: EnrollmentBasis, in persistence: Persistence
    ) -> Progress {
        guard let held = persistence.heldJoined(poll.client) else { return .needsState }
        return decide(poll, memo: memo, basis: basis, of: held, in: persistence)
    }

    /// The same of a client that was read, by `Persistence.loadJoined`; it never needs the state.
    public static func decide(
        _ poll: Poll, memo: ContextMemo, basis: EnrollmentBasis, of held: HeldClient, in persistence: Persistence
    ) -> Progress {
        let now = poll.query.now
        let settledUntil = held.settled.end(for: basis, at: now)
        let decision = poll.app.compiledApp.decide(
            poll.query, state: held.state, memo: memo, settledUntil: settledUntil)
        guard decision.effects.isEmpty else { return .needsWrite }
        if settledUntil == nil {
            persistence.settle(
                held.rows, SettledEnrollments(basis, from: now, until: decision.enrollmentsUntil))
        }
        return .decided(decision, held.rows)
    }

    /// Records a poll with effects, or with events of its own, and completes with the decision that was made then.
    ///
    /// - Parameter bytes: of the request.
    public static func record(
        _ poll: Poll, events: [ResolvedEvent]?, policy: EventPolicy, bytes: Int, in persistence: Persistence,
        _ completion: @escaping @Sendable (Result<Delivery, StoreError>) -> Void
    ) {
        let change = change(poll, events: events, policy: policy)
        persistence.submit(Transaction(change).keeping(bytes: bytes), completion)
    }

    /// The change that a poll with effects, or with events of its own, makes: events first, so that a message they
    /// trigger is in this very answer. The decision of the worker is made again here, on the state as it is then.
    static func change(_ poll: Poll, events: [ResolvedEvent]?, policy: EventPolicy) -> ClientChange<Delivery> {
        let eventIDs = events?.map(\.id) ?? []
        let now = poll.query.now
        let recording = RecordEvents(in: poll.app, policy: policy, now: now)
        return ClientChange(client: poll.client, eventIDs: eventIDs, now: now) { state, input in
            var journal = ClientJournal(
                state: state, clientID: poll.client.id, at: now, pacing: poll.app.manifest.pacing)
            let recorded = events.map { recording.apply($0, input, to: &journal) }
            let decision = poll.app.compiledApp.decide(poll.query, state: journal.state)
            journal.apply(decision.effects, revision: poll.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(
                records: journal.records, releasedEventIDs: recorded?.releasedIDs ?? [],
                result: Delivery(decision: decision, tally: recorded?.tally))
        }
    }
}
