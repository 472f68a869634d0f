internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// A question for flags that was understood.
struct FlagHandler {
    let call: Call
    let question: FeatureRequest
    /// The flag that is asked for, in the list of its feature's flags; nil: all flags of all features.
    let flag: Int?
    /// How many attributes of the question the manifest does not declare.
    let ignoredAttributes: Int

    /// A question that changes nothing of a client in memory is answered at once; else the answer waits for the store.
    func answer() -> Handling {
        answer(EvaluateFeatures.decide(question, in: call.services.persistence))
    }

    private func answer(_ progress: EvaluateFeatures.Progress) -> Handling {
        switch progress {
        case .decided(let decision, let rows):
            let answer = rendered(decision)
            call.worker.answers.keep(
                CachedResponse(.flags(answer), to: self, from: rows, validUntil: decision.validUntil),
                as: call.responseKey)
            return .now(answer.response(to: call.request))
        case .needsState: return load()
        case .needsWrite: return record()
        }
    }

    private func rendered(_ decision: FeatureDecision) -> FlagResponse {
        let features = question.features.map { feature in
            call.worker.contexts.rendered(feature, feature.variation(of: decision.branches))
        }
        return FlagResponse(features, flag: flag)
    }

    /// Reads the client's state first.
    private func load() -> Handling {
        let asking = detached
        let persistence = call.services.persistence
        return asking.call.park { (ticket: Ticket<Result<HeldClient, StoreError>>) in
            persistence.load(asking.question.client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            asking.answer(EvaluateFeatures.decide(asking.question, of: try outcome.orThrow(), in: persistence))
        }
    }

    /// What a question changes is durable before it is answered.
    private func record() -> Handling {
        let asking = detached
        let (persistence, bytes) = (call.services.persistence, call.contentBytes)
        return asking.call.park { (ticket: Ticket<Result<FeatureDecision, StoreError>>) in
            EvaluateFeatures.record(asking.question, bytes: bytes, in: persistence) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(asking.rendered(try outcome.orThrow()).response(to: asking.call.request))
        }
    }

    /// See `Call.detached`.
    private var detached: FlagHandler {
        FlagHandler(call: call.detached, question: question, flag: flag, ignoredAttributes: ignoredAttributes)
    }
}
