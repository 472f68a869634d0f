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
                // Both readings find the faults of client_id, and of a query that cannot be decoded.
                let more = others.filter { other in
                    !findings.contains { $0 == other || $0.code == "query" && other.code == "query" }
                }
                throw .badRequest(findings + more)
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
            let state = try outcome.orThrow() ?? ClientState()
            polling.call.worker.explaining.noteRead(polling, state)
            return polling.answer(state, nil)
        }
    }
}
