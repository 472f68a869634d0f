public import BellwetherBase
public import BellwetherCore

/// One client's question for features.
public struct FeatureQuestion: Sendable {
    public let app: AppSnapshot
    public let client: ClientReference
    public let query: PollQuery
    /// What the client asks for: one feature, or all.
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

    fileprivate func decide(_ state: ClientState) -> FeatureDecision {
        app.compiledApp.evaluate(features, for: query, state: state)
    }
}

/// Evaluates features: from memory where nothing changes, else by a write. Enrollments change as by a poll.
public enum EvaluateFeatures {
    /// How far a question came without I/O.
    public enum Progress {
        /// It changes nothing. The version is that of the client's row that was looked at.
        case decided(FeatureDecision, version: UInt64)
        /// The client is not in memory: `Persistence.load` reads it.
        case needsState
        /// It changes something: `change` decides it again when it is recorded.
        case needsWrite
    }

    /// Decides from memory; never any I/O.
    public static func decide(_ question: FeatureQuestion, in persistence: Persistence) -> Progress {
        let state: ClientState
        let version: UInt64
        switch persistence.lookUp(question.client) {
        case .known(let client):
            guard let known = client.state else { return .needsState }
            (state, version) = (known, client.version)
        case .absent: (state, version) = (ClientState(), 0)
        case .notLoaded: return .needsState
        }
        let decision = question.decide(state)
        return decision.effects.isEmpty ? .decided(decision, version: version) : .needsWrite
    }

    /// Decides for a client whose state was read. Nil: the question changes something.
    public static func decide(_ question: FeatureQuestion, state: ClientState) -> FeatureDecision? {
        let decision = question.decide(state)
        return decision.effects.isEmpty ? decision : nil
    }

    /// The change that a question with effects makes. What was decided on a worker is decided again here, on the state
    /// as it is then.
    public static func change(_ question: FeatureQuestion) -> ClientChange {
        let now = question.query.now
        return ClientChange(client: question.client, now: now) { state, _ in
            var journal = ClientJournal(state: state, clientID: question.client.id, at: now)
            let decision = question.decide(journal.state)
            journal.apply(decision.effects, revision: question.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: .evaluated(decision))
        }
    }
}
