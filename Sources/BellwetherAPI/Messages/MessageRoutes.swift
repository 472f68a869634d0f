internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The poll: what a client may see now.
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
        let context = try call.worker.contexts.context(for: question, app: app, call: call)
        let ignored = question.ignoredAttributes + context.ignoredAttributes
        call.worker.meter.countIgnoredAttributes(ignored)
        call.worker.sampling.note(context, at: call.arrived)
        return PollAnswering(
            call: call, app: app, clientID: question.clientID, context: context, ignoredAttributes: ignored, events: nil
        ).answer()
    }

    /// What the same request was answered lately, if nothing can have changed since, and when it came. It counts as any
    /// other, against limits too.
    static func answerAgain(_ request: Request, _ worker: APIWorker) -> (response: Response, Asked)? {
        guard let known = worker.answers.find(request) else { return nil }
        let began = worker.services.clock.nanoseconds()
        let now = Timestamp(nanoseconds: began)
        guard known.holds(at: now), worker.services.persistence.version(of: known.asker) == known.version,
            worker.sampling.passesOver(known.countdown), worker.explaining.passesOver()
        else { return nil }
        let asked = Asked(
            endpoint: APIWorker.pollEndpoint, app: known.asker.app, principal: known.principal, began: began)
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
        return (known.answer.response(to: request, counting: worker.meter), asked)
    }

    /// Who asks and what; when that cannot be told, the faults of the rest are told with it.
    private static func question(_ call: Call, _ app: AppSnapshot) throws(APIError) -> PollQuestion {
        do {
            return try PollQuestion(call.request, call.worker.contexts.names(of: app))
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
        let context = PollContext(
            body.context, surfaces: body.surfaces, ignoredAttributes: 0, app: app,
            countdown: call.worker.sampling.countdown(of: app))
        call.worker.sampling.note(context, at: call.arrived)
        return PollAnswering(
            call: call, app: app, clientID: body.clientID, context: context, ignoredAttributes: 0, events: body.events
        ).answer()
    }
}
