internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The poll: what a client may see now (api.md 2.1).
enum MessageRoutes {
    static let pattern = "/v1/apps/{app}/messages"
    static let all = [
        Endpoint(.get, pattern, .scope(.client), handle: get),
        Endpoint(.post, pattern, .scope(.client), handle: post),
    ]

    static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let question = try question(call, app)
        try call.limit(client: question.clientID, of: app)
        let found = try call.worker.contexts.context(for: question, app: app, call: call)
        call.worker.meter.countIgnoredAttributes(found.ignoredAttributes)
        call.worker.sampling.note(found.context, at: call.arrived)
        return answer(
            PollAnswering(
                call: call, app: app, clientID: question.clientID, context: found.context, found: found, events: nil))
    }

    /// What the same request was answered lately, if nothing can have changed since, and when it came. It counts as any
    /// other, against limits too.
    static func answerAgain(_ request: Request, _ worker: APIWorker) -> (response: Response, Asked)? {
        var began = Int64.max
        let known = worker.remembered.poll(request) {
            began = worker.services.clock.nanoseconds()
            return Timestamp(nanoseconds: began)
        }
        guard let known, worker.contexts.keep(known.context), worker.services.store.isCurrent(known.mark),
            worker.sampling.passesOver(known.countdown), worker.explaining.passesOver()
        else { return nil }
        let asked = Asked(
            endpoint: APIWorker.pollEndpoint, app: known.app, principal: known.principal, began: began)
        let now = Timestamp(nanoseconds: began)
        if let token = known.principal?.digest { worker.uses.note(token, at: now) }
        do {
            try worker.rates.limit(
                asker: request, isKnown: known.principal != nil && !worker.settings.isOpen,
                behind: worker.settings.proxies, at: began)
            try worker.rates.limit(client: known.client, at: began)
        } catch {
            let problem = Problem(error)
            worker.meter.count(problem, at: APIWorker.pollEndpoint)
            return (.problem(problem), asked)
        }
        worker.meter.countIgnoredAttributes(known.ignoredAttributes)
        return (known.response(to: request, counting: worker.meter), asked)
    }

    /// Who asks and what; when that cannot be told, the faults of the rest are told with it.
    private static func question(_ call: Call, _ app: AppSnapshot) throws(APIError) -> PollQuestion {
        do {
            return try PollQuestion(call.request)
        } catch .badRequest(let findings) {
            do {
                _ = try ContextReading(app: app, call: call).readQuery()
            } catch .badRequest(let others) {
                // A query that cannot be read is told once.
                throw .badRequest(findings + others.filter { other in !findings.contains { $0.code == other.code } })
            }
            throw .badRequest(findings)
        }
    }

    static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let body = try PollBody(call, app: app)
        try call.limit(client: body.clientID, of: app)
        let asked = AskedContext(
            targeting: body.context, surfaces: body.surfaces,
            meaning: AskedContext.Meaning(app.name, body.context, surfaces: body.surfaces),
            countdown: call.worker.sampling.countdown(of: app))
        let context = PollContext(asked, app: app, outcomes: call.worker.contexts.outcomes(of: app))
        call.worker.sampling.note(context, at: call.arrived)
        let polling = PollAnswering(
            call: call, app: app, clientID: body.clientID, context: context, events: body.events)
        return body.events?.resolved.isEmpty ?? true ? answer(polling) : polling.record()
    }

    /// With the client's state at hand the answer is made at once; else it is read first.
    private static func answer(_ polling: PollAnswering) -> Handling {
        polling.call.worker.explaining.note(polling)
        let store = polling.call.services.store
        switch store.lookUp(polling.client) {
        case .known(let client):
            return client.state.map { polling.answer($0, held: client) } ?? load(polling)
        case .absent(let mark): return polling.answer(ClientState(), mark)
        case .notLoaded: return load(polling)
        }
    }

    private static func load(_ polling: PollAnswering) -> Handling {
        let polling = polling.detached
        let store = polling.call.services.store
        return polling.call.park { (ticket: Ticket<Result<ClientState?, StoreError>>) in
            store.load(polling.client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(let state):
                polling.call.worker.explaining.noteRead(polling, state ?? ClientState())
                return polling.answer(state ?? ClientState(), nil)
            case .failure(let error): throw .store(error)
            }
        }
    }
}

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
            switch outcome {
            case .success(.applied(let results)):
                guard case .delivered(let delivery, var tally)? = results.first else { return .now(.unexpected) }
                if let rejected = events?.rejected { tally?.reject(rejected) }
                let answer = PollRendering(polling: self, delivery: delivery).answer(tally)
                return .now(answer.response(to: call.request, counting: call.worker.meter))
            case .success(.replayed), .success(.keyConflict): throw .idempotencyKeyConflict
            case .failure(let error): throw .store(error)
            }
        }
    }
}
