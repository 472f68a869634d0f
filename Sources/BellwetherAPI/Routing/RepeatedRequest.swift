internal import BellwetherBase
internal import BellwetherService
internal import HTTPWire

/// A request with the same bytes as an earlier request.
enum RepeatedRequest {
    /// The cached response if nothing that it depends on has changed; the rows of `known` are current. Nil if the
    /// request must be handled again. The request counts as any other request, also for rate limits.
    static func response(_ request: Request, _ known: CachedResponse, _ worker: APIWorker) -> (
        response: Response, RequestContext
    )? {
        let began = worker.services.clock.nanoseconds()
        let now = Timestamp(nanoseconds: began)
        guard known.holds(at: now), worker.services.persistence.feed.isCurrent, !isSampled(known, worker) else {
            return nil
        }
        let requestContext = RequestContext(
            endpoint: Routes.all[known.endpoint], app: known.rows.client.app, principal: known.principal, began: began)
        if let token = known.principal?.digest { worker.uses.note(token, at: now) }
        do {
            try worker.rates.limit(
                sender: request, isKnown: known.principal != nil && !worker.settings.isOpen,
                behind: worker.settings.proxies, at: began)
            if known.principal?.isWeb == true {
                try WebAccess.checkOrigin(of: request, to: known.rows.client.app, worker)
                try worker.rates.limit(web: .webPolls, request, behind: worker.settings.proxies, at: began)
            }
            try worker.rates.limit(client: known.client, at: began)
        } catch {
            let problem = refusal(error, requestContext.endpoint, request)
            worker.meter.count(problem, at: requestContext.endpoint)
            return (.problem(problem), requestContext)
        }
        worker.meter.count(.ignoredAttributes, known.ignoredAttributes)
        return (known.body.response(to: request, counting: worker.meter), requestContext)
    }

    /// Whether the request must be handled again, because it is part of a sample.
    private static func isSampled(_ known: CachedResponse, _ worker: APIWorker) -> Bool {
        if case .poll = known.body { !worker.explaining.passesOver() } else { false }
    }

    private static func refusal(_ error: APIError, _ endpoint: Endpoint?, _ request: Request) -> Problem {
        guard let endpoint, endpoint.errors == .openFeature else { return Problem(error) }
        let key = endpoint.pattern.hasSuffix("{key}") ? FlagRoutes.key(of: request) : nil
        return Problem(error).adding(openFeature: error, key: key)
    }
}
