public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// One client's poll.
public struct Poll: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    public let query: PollQuery

    public init(
        app: AppSnapshot, client: ClientReference, surfaces: [Identifier], context: TargetingContext, now: Timestamp,
        sessionID: Identifier? = nil
    ) {
        self.app = app
        self.client = client
        var query = PollQuery(clientID: client.id, surfaces: surfaces, context: context, now: now)
        query.sessionID = sessionID
        self.query = query
    }
}

/// The decision of a recorded poll, and the tally of its own events.
public struct Delivery: Sendable {
    public let decision: Decision
    /// The client's state after the poll.
    public let state: ClientState
    /// Nil if the poll contained no events.
    public let tally: EventTally?
}

/// Answers polls: from memory if nothing changes, otherwise with a write.
public enum DeliverMessages {
    /// The result of a poll without I/O.
    public enum Progress {
        /// The poll changes nothing. While the client's rows are the same, its result is the same.
        case decided(Decision, HeldClient)
        /// `Persistence.loadJoined` must read the client.
        case needsState
        /// The poll changes something. `change` decides it again when it is recorded.
        case needsWrite
    }

    /// Decides from memory, without I/O. `memo` and `basis` belong to the app and the poll's context.
    public static func decide(
        _ poll: Poll, memo: ContextMemo, basis: EnrollmentBasis, in persistence: Persistence
    ) -> Progress {
        guard let held = persistence.heldJoined(poll.client) else { return .needsState }
        return decide(poll, memo: memo, basis: basis, of: held, in: persistence)
    }

    /// Decides for a client that `Persistence.loadJoined` has read. The result is never `needsState`.
    public static func decide(
        _ poll: Poll, memo: ContextMemo, basis: EnrollmentBasis, of held: HeldClient, in persistence: Persistence
    ) -> Progress {
        let now = poll.query.now
        let isSettling = held.isSettling(in: poll.app)
        let settledUntil = isSettling ? held.settled.end(for: basis, at: now) : nil
        let decision = poll.app.compiledApp.decide(
            poll.query, state: held.state, memo: memo, settledUntil: settledUntil)
        guard decision.effects.isEmpty else { return .needsWrite }
        if isSettling, settledUntil == nil {
            persistence.settle(
                held.rows, SettledEnrollments(basis, from: now, until: decision.enrollmentsUntil))
        }
        return .decided(decision, held)
    }

    /// Records a poll with effects, or with its own events, and completes with the decision at that time.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the request.
    ///   - stream: the name of the streams whose reader sends the events.
    public static func record(
        _ poll: Poll, events: [ResolvedEvent]?, policy: EventPolicy, bytes: Int, stream: String? = nil,
        in persistence: Persistence,
        _ completion: @escaping @Sendable (Result<Delivery, StoreError>) -> Void
    ) {
        persistence.feed.seenEvents.note(events ?? [], in: poll.app.name, at: poll.query.now)
        let change = change(poll, events: events, policy: policy)
        let transaction = Transaction(change).keeping(bytes: bytes)
        let hasNoEvents = events?.isEmpty ?? true
        persistence.submit(transaction.notifying(except: stream, isEffect: hasNoEvents), completion)
    }

    /// The change that a poll with effects or events makes. It applies events first, so that a message that they
    /// trigger is in the same response. It makes the worker's decision again, on the present state.
    static func change(_ poll: Poll, events: [ResolvedEvent]?, policy: EventPolicy) -> ClientChange<Delivery> {
        let eventIDs = events?.map(\.id) ?? []
        let now = poll.query.now
        let recording = RecordEvents(in: poll.app, policy: policy, now: now)
        return ClientChange(client: poll.client, eventIDs: eventIDs, now: now, goals: poll.app.goals) { state, input in
            var journal = ClientJournal(
                state: state, clientID: poll.client.id, at: now, catalog: poll.app.catalog,
                goals: input.goals)
            let recorded = events.map { recording.apply($0, input, to: &journal) }
            let decision = poll.app.compiledApp.decide(poll.query, state: journal.state)
            journal.apply(decision.effects, revision: poll.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(
                records: journal.records, releasedEventIDs: recorded?.releasedIDs ?? [],
                result: Delivery(decision: decision, state: state, tally: recorded?.tally))
        }
    }
}
