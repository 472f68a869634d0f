internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// Handles a request for flags, after it was read.
struct FlagHandler {
    let call: Call
    let request: FeatureRequest
    /// The index of the requested flag in its feature's flags; nil for all flags of all features.
    let flag: Int?
    /// How many attributes of the request are not declared in the manifest.
    let ignoredAttributes: Int

    /// Responds at once if the client is in memory and does not change; else the response waits for the store.
    func handle() -> Handling {
        handle(EvaluateFeatures.decide(request, in: call.services.persistence))
    }

    private func handle(_ progress: EvaluateFeatures.Progress) -> Handling {
        switch progress {
        case .decided(let decision, let rows):
            let response = rendered(decision)
            call.worker.responses.keep(
                CachedResponse(.flags(response), to: self, from: rows, validUntil: decision.validUntil),
                as: call.responseKey)
            return .now(response.response(to: call.request))
        case .needsState: return load()
        case .needsWrite: return record()
        }
    }

    private func rendered(_ decision: FeatureDecision) -> FlagResponse {
        let features = request.features.map { feature in
            call.worker.contexts.rendered(feature, feature.variation(of: decision.branches))
        }
        let stream = flag == nil ? call.streamURL(of: request.client.id, named: nil, in: request.app) : nil
        return FlagResponse(features, flag: flag, stream: stream)
    }

    /// Reads the client's state first.
    private func load() -> Handling {
        let persistence = call.services.persistence
        return call.park { (ticket: Ticket<Result<HeldClient, StoreError>>) in
            persistence.loadJoined(request.client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            handle(EvaluateFeatures.decide(request, of: try outcome.orThrow(), in: persistence))
        }
    }

    /// Records the effects of a request, which are durable before the response is sent.
    private func record() -> Handling {
        let (persistence, bytes) = (call.services.persistence, call.contentBytes)
        return call.park { (ticket: Ticket<Result<FeatureDecision, StoreError>>) in
            EvaluateFeatures.record(request, bytes: bytes, in: persistence) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(rendered(try outcome.orThrow()).response(to: call.request))
        }
    }
}
