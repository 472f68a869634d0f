internal import BellwetherCore
import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Handles a poll, after its request was read.
struct PollHandler {
    let call: Call
    let app: AppSnapshot
    let clientID: Identifier
    let sessionID: Identifier?
    let context: PollContext
    /// How many attributes of the request are not declared in the manifest.
    let ignoredAttributes: Int
    let events: EventBatch?

    var poll: Poll {
        Poll(
            app: app, client: ClientReference(app: app.name, id: clientID), surfaces: context.surfaces,
            context: context.targeting, now: call.arrived, sessionID: sessionID)
    }

    /// Responds at once if the client is in memory and does not change; else the response waits for the store.
    func handle() -> Handling {
        if let events, !events.resolved.isEmpty { return record() }
        call.worker.explaining.note(self)
        let persistence = call.services.persistence
        return handle(DeliverMessages.decide(poll, memo: context.memo, basis: context.basis, in: persistence))
    }

    private func handle(_ progress: DeliverMessages.Progress) -> Handling {
        switch progress {
        case .decided(let decision, let held): handle(decision, held)
        case .needsState: load()
        case .needsWrite: record()
        }
    }

    private func handle(_ decision: Decision, _ held: HeldClient) -> Handling {
        call.worker.sampling.note(self, held.state)
        let rendering = PollRendering(polling: self, decision: decision)
        let response = rendering.response(events.map(\.tally))
        if rendering.isShared {
            call.worker.responses.keep(
                CachedResponse(.poll(response), to: self, from: held.rows, validUntil: rendering.validUntil),
                as: call.responseKey)
        }
        return .now(response.response(to: call.request, counting: call.worker.meter))
    }

    /// Reads the client's state first.
    private func load() -> Handling {
        let poll = poll
        let persistence = call.services.persistence
        return call.park { (ticket: Ticket<Result<HeldClient, StoreError>>) in
            persistence.loadJoined(poll.client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let held = try outcome.orThrow()
            call.worker.explaining.noteRead(self, held.state)
            return handle(
                DeliverMessages.decide(
                    poll, memo: context.memo, basis: context.basis, of: held, in: persistence))
        }
    }

    /// Records the effects of a poll, which are durable before the response is sent.
    private func record() -> Handling {
        let (poll, policy, bytes) = (poll, call.worker.settings.events, call.contentBytes)
        return call.park { (ticket: Ticket<Result<Delivery, StoreError>>) in
            DeliverMessages.record(
                poll, events: events?.resolved, policy: policy, bytes: bytes, stream: call.streamName,
                in: call.services.persistence
            ) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let delivery = try outcome.orThrow()
            call.worker.sampling.note(self, delivery.state)
            var tally = delivery.tally
            if let events { tally?.add(events) }
            let response = PollRendering(polling: self, decision: delivery.decision).response(tally)
            return .now(response.response(to: call.request, counting: call.worker.meter))
        }
    }
}
