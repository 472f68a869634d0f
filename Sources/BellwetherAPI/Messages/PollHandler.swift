internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// A poll whose question was understood.
struct PollHandler {
    let call: Call
    let app: AppSnapshot
    let clientID: String
    let sessionID: String?
    let context: PollContext
    /// How many attributes of the question the manifest does not declare.
    let ignoredAttributes: Int
    let events: EventBatch?

    var poll: Poll {
        Poll(
            app: app, client: ClientReference(app: app.name, id: clientID), surfaces: context.surfaces,
            context: context.targeting, now: call.arrived, sessionID: sessionID)
    }

    /// A poll that changes nothing of a client in memory is answered at once; else the answer waits for the store.
    func answer() -> Handling {
        if let events, !events.resolved.isEmpty { return record() }
        call.worker.explaining.note(self)
        let persistence = call.services.persistence
        return answer(DeliverMessages.decide(poll, memo: context.memo, basis: context.basis, in: persistence))
    }

    private func answer(_ progress: DeliverMessages.Progress) -> Handling {
        switch progress {
        case .decided(let decision, let rows): answer(decision, rows)
        case .needsState: load()
        case .needsWrite: record()
        }
    }

    private func answer(_ decision: Decision, _ rows: ReadRows) -> Handling {
        let rendering = PollRendering(polling: self, decision: decision)
        let answer = rendering.answer(events.map(\.tally))
        if rendering.isShared {
            call.worker.answers.keep(
                CachedResponse(.poll(answer), to: self, from: rows, validUntil: decision.validUntil),
                as: call.responseKey)
        }
        return .now(answer.response(to: call.request, counting: call.worker.meter))
    }

    /// Reads the client's state first.
    private func load() -> Handling {
        let polling = detached
        let poll = polling.poll
        let persistence = call.services.persistence
        return polling.call.park { (ticket: Ticket<Result<HeldClient, StoreError>>) in
            persistence.loadJoined(poll.client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let held = try outcome.orThrow()
            polling.call.worker.explaining.noteRead(polling, held.state)
            return polling.answer(
                DeliverMessages.decide(
                    poll, memo: polling.context.memo, basis: polling.context.basis, of: held, in: persistence))
        }
    }

    /// What a poll changes is durable before it is answered.
    private func record() -> Handling {
        let polling = detached
        let (poll, policy, bytes) = (polling.poll, call.worker.settings.events, call.contentBytes)
        return polling.call.park { (ticket: Ticket<Result<Delivery, StoreError>>) in
            DeliverMessages.record(
                poll, events: polling.events?.resolved, policy: policy, bytes: bytes,
                in: polling.call.services.persistence
            ) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let delivery = try outcome.orThrow()
            var tally = delivery.tally
            if let rejected = polling.events?.rejected { tally?.reject(rejected) }
            let answer = PollRendering(polling: polling, decision: delivery.decision).answer(tally)
            return .now(answer.response(to: polling.call.request, counting: polling.call.worker.meter))
        }
    }

    /// See `Call.detached`.
    private var detached: PollHandler {
        PollHandler(
            call: call.detached, app: app, clientID: clientID, sessionID: sessionID, context: context,
            ignoredAttributes: ignoredAttributes,
            events: events)
    }
}
