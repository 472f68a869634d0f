public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// A request for features by one client.
public struct FeatureRequest: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    public let query: PollQuery
    /// The features that the client requests: one, or all.
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

/// Evaluates features: from memory if nothing changes, otherwise with a write. Enrollments change as in a poll.
public enum EvaluateFeatures {
    /// The result of a request without I/O.
    public enum Progress {
        /// The request changes nothing. While the client's rows are the same, its result is the same.
        case decided(FeatureDecision, ReadRows)
        /// `Persistence.loadJoined` must read the client.
        case needsState
        /// The request changes something. `change` decides it again when it is recorded.
        case needsWrite
    }

    /// Decides from memory, without I/O.
    public static func decide(_ request: FeatureRequest, in persistence: Persistence) -> Progress {
        guard let held = persistence.heldJoined(request.client) else { return .needsState }
        return decide(request, of: held, in: persistence)
    }

    /// Decides for a client that `Persistence.loadJoined` has read. The result is never `needsState`.
    public static func decide(
        _ request: FeatureRequest, of held: HeldClient, in persistence: Persistence
    ) -> Progress {
        let now = request.query.now
        let basis = EnrollmentBasis(request.app, request.query.context)
        let isSettling = held.isSettling(in: request.app)
        let settledUntil = isSettling ? held.settled.end(for: basis, at: now) : nil
        let decision = request.decide(held.state, settledUntil: settledUntil)
        guard decision.effects.isEmpty else { return .needsWrite }
        if isSettling, settledUntil == nil {
            persistence.settle(
                held.rows, SettledEnrollments(basis, from: now, until: decision.enrollmentsUntil))
        }
        return .decided(decision, held.rows)
    }

    /// Records a request with effects, and completes with the decision at that time.
    ///
    /// - Parameter bytes: the bytes of the request.
    public static func record(
        _ request: FeatureRequest, bytes: Int, in persistence: Persistence,
        _ completion: @escaping @Sendable (Result<FeatureDecision, StoreError>) -> Void
    ) {
        let transaction = Transaction(change(request)).keeping(bytes: bytes)
        persistence.submit(transaction.notifying(except: nil, isEffect: true), completion)
    }

    /// The change that a request with effects makes. It makes the worker's decision again, on the present state.
    static func change(_ request: FeatureRequest) -> ClientChange<FeatureDecision> {
        let now = request.query.now
        return ClientChange(client: request.client, now: now, goals: request.app.goals) { state, input in
            var journal = ClientJournal(
                state: state, clientID: request.client.id, at: now, catalog: request.app.catalog, goals: input.goals)
            let decision = request.decide(journal.state)
            journal.apply(decision.effects, revision: request.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: decision)
        }
    }
}
