public import BellwetherBase
public import BellwetherJSON

/// The query of one client for the messages that it may see now.
public struct PollQuery: Sendable {
    /// The client's id; nil in a hypothetical query without a client.
    public let clientID: Identifier?
    /// The surfaces, each once, in the order of the response.
    public let surfaces: [Identifier]
    public let context: TargetingContext
    public let now: Timestamp
    /// The app's session, if the client names it.
    public var sessionID: Identifier?

    public init(clientID: Identifier?, surfaces: [Identifier], context: TargetingContext, now: Timestamp) {
        self.clientID = clientID
        self.surfaces = surfaces
        self.context = context
        self.now = now
    }
}

/// The offers of a poll, the effects to record, and the time until which both hold.
public struct Decision: Sendable {
    public let offers: [Offer]
    public let effects: DecisionEffects
    /// Exclusive: before this time the same query of the same state has the same result.
    public let validUntil: Timestamp
    /// Exclusive: before this time the same client's enrollments do not change in the same context, whatever surfaces a
    /// query names. It is the time of the query if they depend on an `eventAgo` that will change: each answer must
    /// say when.
    public let enrollmentsUntil: Timestamp
    /// The earliest time at which an order in time turns that the decision has read
    /// (docs/reference/events.md#order-in-time).
    public let nextTurn: Timestamp
}

/// A message that a client may see now.
public struct Offer: Sendable {
    public let message: Message
    /// The number of displays to the client so far.
    public let displayCount: Int
}

/// The changes that a poll or an evaluation of features makes; usually none.
public struct DecisionEffects: Sendable {
    /// The client's enrollments as they are now, and the records of the change; nil if they did not change.
    public var enrollments: EvolvedEnrollments?
    /// Controls that count as shown, in order.
    public var controls: [MessageFacts] = []
    /// Messages to report as malformed, if they were not reported yet for this client and catalog.
    public var malformed: [MessageFacts] = []
    /// The exposures of the evaluated features, if the manifest wants them. Each occurs once for a client and a recipe.
    public var exposures: [FeatureExposure] = []

    public init() {}

    public var isEmpty: Bool {
        enrollments == nil && controls.isEmpty && malformed.isEmpty && exposures.isEmpty
    }
}

extension CompiledApp {
    /// Decides what a client may see now: its enrollments are evolved, then each surface's message is selected. The
    /// function is pure. It runs on a worker, inside a write transaction if it has effects, and on a device.
    ///
    /// `memo` must belong to this compiled app and the query's context. It saves work and does not change the result.
    /// `settledUntil` does not change the result either. It is `enrollmentsUntil` of an earlier decision that changed
    /// no enrollments, for the same compiled app, context and state, and must be in the future. The state's enrollments
    /// are then used unchanged.
    public func decide(
        _ query: PollQuery, state: ClientState, memo: ContextMemo? = nil, settledUntil: Timestamp? = nil
    ) -> Decision {
        let memo = memo ?? ContextMemo(for: catalog)
        let clock = DecisionClock(at: query.now)
        var effects = DecisionEffects()
        effects.enrollments = evolved(query, state: state, memo: memo, clock: clock, settledUntil: settledUntil)
        let enrollmentsUntil = clock.settledUntil
        let packed = effects.enrollments.map { state.enrollments.replacing($0) } ?? state.enrollments
        let environment = environment(of: query, state, enrollments: packed, clock: clock)
        let selector = Selector(catalog, environment: environment, state: state, memo: memo)
        var offers: [Offer] = []
        for surface in query.surfaces {
            let selection = selector.select(surface: surface)
            effects.controls += selection.controls.map(\.facts)
            if let message = selection.message {
                selector.note(offered: message)
                let entry = selector.facts.ledgerEntry(of: message)
                offers.append(Offer(message: message, displayCount: Int(entry?.displayCount ?? 0)))
            }
        }
        if !catalog.malformed.isEmpty, state.reportedRevision != catalog.revision {
            effects.malformed = catalog.malformed(for: selector.variants).map(\.facts)
        }
        return Decision(
            offers: offers, effects: effects, validUntil: clock.validUntil, enrollmentsUntil: enrollmentsUntil,
            nextTurn: clock.nextTurn)
    }

    /// Evolves the enrollments, unless it is known that they do not change.
    func evolved(
        _ query: PollQuery, state: ClientState, memo: ContextMemo?, clock: DecisionClock, settledUntil: Timestamp?
    ) -> EvolvedEnrollments? {
        guard let settledUntil else { return evolved(query, state: state, memo: memo, clock: clock) }
        clock.holds(until: settledUntil)
        return nil
    }

    /// The client's evolved enrollments; nil if nothing changed that would be stored or recorded.
    public func evolved(
        _ query: PollQuery, state: ClientState, memo: ContextMemo? = nil, clock: DecisionClock? = nil
    ) -> EvolvedEnrollments? {
        guard !experiments.isEmpty || !state.enrollments.isEmpty else { return nil }
        let known = state.enrollments.unpacked
        let evolved = evolve(known, query, state, memo: memo, clock: clock ?? DecisionClock(at: query.now))
            .memorable(under: known.participation)
        return evolved.changes.isEmpty && evolved.enrollments == known.enrollments ? nil : evolved
    }

    func evolve(
        _ known: ClientEnrollments, _ query: PollQuery, _ state: ClientState, memo: ContextMemo? = nil,
        clock: DecisionClock
    ) -> EvolvedEnrollments {
        let subject = subject(of: query, participation: known.participation)
        let environment = environment(of: query, state, enrollments: state.enrollments, clock: clock)
        return EnrollmentEvolution(
            recipes: experiments, subject: subject, environment: environment, clock: clock, memo: memo
        ).evolve(known.enrollments)
    }

    func subject(of query: PollQuery, participation: Participation) -> EnrollmentSubject {
        EnrollmentSubject(
            appName: manifest.appName, channel: manifest.channel,
            ids: RandomizationIDs(clientID: query.clientID, context: query.context), participation: participation)
    }

    func environment(
        of query: PollQuery, _ state: ClientState, enrollments: PackedEnrollments, clock: DecisionClock
    ) -> TriggerEnvironment {
        var environment = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: state.behavior,
            branches: ClientBranches(experiments, enrollments), clock: clock)
        environment.events = catalog.derivedEvents
        (environment.lists, environment.userID) = (lists, state.userID)
        environment.sessionID = query.sessionID
        if knowsAnswers { environment.answers = state.facts }
        return environment
    }
}

extension PackedEnrollments {
    /// The same client's enrollments after an evolution.
    func replacing(_ evolved: EvolvedEnrollments) -> PackedEnrollments {
        PackedEnrollments(
            ClientEnrollments(enrollments: evolved.enrollments, participation: unpacked.participation))
    }
}
