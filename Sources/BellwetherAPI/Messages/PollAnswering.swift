internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// A poll whose question was understood.
struct PollAnswering {
    let call: Call
    let app: AppSnapshot
    let clientID: String
    let context: PollContext
    /// Where the context is kept, if it is.
    var found: PollContexts.Found?
    let events: EventBatch?

    var client: ClientReference { ClientReference(app: app.name, id: clientID) }

    var query: PollQuery { poll.query }

    private var poll: Poll {
        Poll(app: app, client: client, surfaces: context.surfaces, context: context.targeting, now: call.arrived)
    }

    /// Recipes are not looked at again where that was done since anything changed that they depend on.
    func answer(_ state: ClientState, held: HeldClient) -> Handling {
        let validity = Validity()
        guard !app.experiments.isEmpty || !state.enrollments.isEmpty else {
            return answer(state, held.mark, standing: .settled, validity)
        }
        if held.settlement.holds(for: context.digest, at: call.arrived) {
            validity.limit(to: held.settlement.until)
            return answer(state, held.mark, standing: .settled, validity)
        }
        let settlement = Validity()
        let evolved = app.edition.evolved(
            poll.query, state: state, verdicts: context.verdicts, validity: settlement)
        guard evolved == nil else { return record() }
        let settled = Settlement(digest: context.digest, until: settlement.end, at: call.arrived)
        call.services.store.settle(client, version: held.version, settled)
        validity.limit(to: settled.until)
        return answer(state, held.mark, standing: .settled, validity)
    }

    /// The usual case changes nothing and is answered from memory. The answer is remembered where the state has a mark.
    func answer(
        _ state: ClientState, _ mark: ClientMark?, standing: EnrollmentStanding = .unsettled,
        _ validity: Validity = Validity()
    ) -> Handling {
        let poll = self.poll
        let delivery = app.edition.decide(
            poll.query, state: state, standing: standing, verdicts: context.verdicts, validity: validity)
        guard delivery.effects.isEmpty else { return record() }
        let rendering = PollRendering(polling: self, delivery: delivery)
        let answer = rendering.answer(events.map(\.tally))
        if let mark, rendering.isShared {
            call.worker.remembered.remember(self, mark: mark, until: validity.end, answer: answer)
        }
        return .now(answer.response(to: call.request, counting: call.worker.meter))
    }

    /// What a poll changes is durable before it is answered.
    func record() -> Handling { detached.recordDetached() }

    /// See `Call.detached`.
    var detached: PollAnswering {
        PollAnswering(
            call: call.detached, app: app, clientID: clientID, context: context, found: found, events: events)
    }

    private func recordDetached() -> Handling {
        let poll = self.poll
        let change = DeliverMessages.change(poll, events: events?.resolved, policy: call.worker.settings.events)
        return call.park { (ticket: Ticket<Result<SubmissionResult, StoreError>>) in
            call.services.store.submit(Submission([change]) { ticket.complete($0) })
        } resume: { (outcome) throws(APIError) in
            guard case .applied(let results) = try outcome.orThrow(),
                case .delivered(let delivery, var tally)? = results.first
            else { return .now(.unexpected) }
            if let rejected = events?.rejected { tally?.reject(rejected) }
            let answer = PollRendering(polling: self, delivery: delivery).answer(tally)
            return .now(answer.response(to: call.request, counting: call.worker.meter))
        }
    }
}
