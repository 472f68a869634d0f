public import BellwetherBase
public import BellwetherCore

/// One client's question for features.
public struct FeatureRequest: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    public let query: PollQuery
    /// The features that the client asks for: one, or all.
    public let features: [CompiledFeature]

    public init(
        app: AppSnapshot, client: ClientReference, features: [CompiledFeature], context: TargetingContext,
        now: Timestamp
    ) {
        self.app = app
        self.client = client
        self.features = features
        query = PollQuery(clientID: client.id, surfaces: [], context: context, now: now)
    }

    fileprivate func decide(_ state: ClientState, settledUntil: Timestamp? = nil) -> FeatureDecision {
        app.compiledApp.evaluate(features, for: query, state: state, settledUntil: settledUntil)
    }
}

/// Evaluates features: from memory where nothing changes, else by a write. Enrollments change as by a poll.
public enum EvaluateFeatures {
    /// How far a question came without I/O.
    public enum Progress {
        /// It changes nothing: while the client's row is the same, neither does its answer.
        case decided(FeatureDecision, ReadRows)
        /// The client has to be read: `Persistence.load` does.
        case needsState
        /// It changes something: `change` decides it again when it is recorded.
        case needsWrite
    }

    /// Decides from memory; never any I/O.
    public static func decide(_ request: FeatureRequest, in persistence: Persistence) -> Progress {
        guard let held = persistence.held(request.client) else { return .needsState }
        return decide(request, of: held, in: persistence)
    }

    /// The same of a client that was read, by `Persistence.load`; it never needs the state.
    public static func decide(
        _ request: FeatureRequest, of held: HeldClient, in persistence: Persistence
    ) -> Progress {
        let now = request.query.now
        let basis = EnrollmentBasis(request.app, request.query.context)
        let settledUntil = held.settled.end(for: basis, at: now)
        let decision = request.decide(held.state, settledUntil: settledUntil)
        guard decision.effects.isEmpty else { return .needsWrite }
        if settledUntil == nil {
            persistence.settle(
                held.rows, SettledEnrollments(basis, from: now, until: decision.enrollmentsUntil))
        }
        return .decided(decision, held.rows)
    }

    /// Records a request with effects, and completes with the decision that was made then.
    ///
    /// - Parameter bytes: of the request.
    public static func record(
        _ request: FeatureRequest, bytes: Int, in persistence: Persistence,
        _ completion: @escaping @Sendable (Result<FeatureDecision, StoreError>) -> Void
    ) {
        persistence.submit(Transaction(change(request)).keeping(bytes: bytes), completion)
    }

    /// The change that a request with effects makes. The decision of the worker is made again here, on the state as it
    /// is then.
    static func change(_ request: FeatureRequest) -> ClientChange<FeatureDecision> {
        let now = request.query.now
        return ClientChange(client: request.client, now: now) { state, _ in
            var journal = ClientJournal(state: state, clientID: request.client.id, at: now)
            let decision = request.decide(journal.state)
            journal.apply(decision.effects, revision: request.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: decision)
        }
    }
}
