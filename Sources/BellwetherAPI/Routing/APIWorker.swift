public import BellwetherService
public import HTTPWire

/// Responds to requests on one worker's thread. It holds the worker's reference to the snapshot and its caches, which
/// never leave the thread.
public final class APIWorker: Responder {
    let services: APIServices
    let parking: any Parking
    private(set) var snapshot: Snapshot
    private(set) var settings: APISettings
    /// Why the last reload left the settings as they were; empty when it did not.
    private(set) var settingsFaults: [String]
    private var issued: TokenTable
    let uses: TokenUses
    let router: Router<Endpoint>
    let contexts: ContextCache
    let responses: ResponseCache
    let records: CollectionCache
    let flows = FlowRevisions()
    let pings = PingIntake(bytes: 32 << 20)
    let expandedBytes = ExpandedBytes(bound: 64 << 20)
    let features: FeatureCache
    let sampling: PollSampling
    let bundleTags = BundleTags()
    let meter: WorkerMeter
    let explaining = SampledExplanations()
    let rates: RateGate
    var accessLine = AccessLine()
    private let compressed = CompressedResponses(capacity: 4096, bytes: 64 << 20)

    /// Snapshots and settings that come later arrive through `receive`.
    public init(
        services: APIServices, parking: any Parking, initial: Publication, caches: CacheLimits = CacheLimits()
    ) {
        self.services = services
        self.parking = parking
        snapshot = initial.snapshot
        settings = initial.settings
        settingsFaults = initial.settingsFaults
        issued = initial.issued
        uses = TokenUses(register: services.tokens)
        meter = services.metrics.makeMeter(pings: pings)
        rates = RateGate(services.rates, meter)
        router = Router(Routes.all.map { ($0.method, $0.pattern, $0) })
        sampling = PollSampling(samples: services.forecasts.samples)
        contexts = ContextCache(
            capacity: caches.contexts, contextBytes: caches.contextBytes, messageBytes: caches.renderedBytes)
        responses = ResponseCache(capacity: caches.responses, bytes: caches.responseBytes)
        records = CollectionCache(capacity: 1024, bytes: 64 << 20)
        features = FeatureCache(capacity: 1024, bytes: 16 << 20)
        rates.follow(settings.rates)
        meter.serves(snapshot, at: services.clock.nanoseconds())
    }

    /// A request without a route may have a body as large as a client's: its error is that there is no route, not that
    /// it is too large.
    public func bodyLimit(for request: Request) -> Int {
        guard case .found(let endpoint, let parameters) = router.match(request.method, request.path),
            endpoint.body != .client
        else { return settings.bodyBytes }
        let call = Call(request: request, endpoint: endpoint, parameters: parameters, worker: self)
        return endpoint.body.wireLimit(settings, isAdmitted: (try? call.authorize()) != nil)
    }

    public func respond(to request: Request, _ exchange: consuming Exchange) {
        if settings.isOpen {
            do { try DevelopmentGuard.checkHost(request) } catch { return refuse(request, error, exchange) }
        }
        let key = responses.key(for: request)
        if let key, let known = responses.find(key) {
            switch services.persistence.areCurrent(known.rows) {
            case true?:
                if let (response, requestContext) = RepeatedRequest.response(request, known, self) {
                    return send(request, response, requestContext, exchange)
                }
            case false?: break
            case nil: return verify(known, of: request.detached, exchange)
            }
        }
        route(request, key, exchange)
    }

    /// Asks the store whether a repeated question rests on what there is still.
    private func verify(_ known: CachedResponse, of request: Request, _ exchange: consuming Exchange) {
        let ticket = parking.park(exchange, wait: nil) { [self] (isCurrent: Bool, exchange) in
            // A publish in between has emptied the cache.
            let key = responses.key(for: request)
            if isCurrent, let known = key.flatMap(responses.find),
                let (response, requestContext) = RepeatedRequest.response(request, known, self)
            {
                send(request, response, requestContext, exchange)
            } else {
                route(request, key, exchange)
            }
        }
        services.persistence.verify(known.rows) { ticket.complete($0) }
    }

    private func route(_ request: Request, _ key: ResponseKey?, _ exchange: consuming Exchange) {
        switch router.match(request.method, request.path) {
        case .found(let endpoint, let parameters):
            let call = Call(
                request: request, endpoint: endpoint, parameters: parameters, responseKey: key, worker: self)
            finish(call, exchange) { () throws(APIError) in
                try call.admit()
                return try call.readingThrough { (call) throws(APIError) in try endpoint.handle(call.expanded()) }
            }
        case .methodNotAllowed(let methods):
            let allowed = methods + [.options]
            guard request.method == .options else {
                let refusal = GleanRoutes.refusal(of: request) ?? .methodNotAllowed(allowed.map(\.name))
                return refuse(request, refusal, exchange)
            }
            send(request, CORS.options(request, allowed, allowedOrigins(for: request)), exchange)
        case .notFound where request.method == .options && request.path.elementsEqual([UInt8(ascii: "*")]):
            send(request, CORS.options(request, [.options], allowedOrigins(for: request)), exchange)
        case .notFound:
            if let problem = FlagRoutes.refusal(of: request) ?? OwlmetryRoutes.refusal(of: request) {
                return refuse(request, problem, exchange)
            }
            refuse(
                request, GleanRoutes.refusal(of: request) ?? .notFound("There is nothing at this path."), exchange)
        case .malformed: refuse(request, .badRequest("path", "the path is not valid percent-encoded UTF-8"), exchange)
        }
    }

    public func receive(_ message: any Sendable) {
        switch message {
        case let update as Publication:
            snapshot = update.snapshot
            settings = update.settings
            settingsFaults = update.settingsFaults
            issued = update.issued
            sampling.keep(snapshot)
            contexts.removeAll()
            responses.removeAll()
            records.removeAll()
            features.removeAll()
            bundleTags.removeAll()
            rates.follow(settings.rates)
            meter.serves(snapshot, at: services.clock.nanoseconds())
        case let tokens as IssuedTokens:
            if !issued.hasTokens(of: tokens.table) { responses.removeAll() }
            issued = tokens.table
        default: break
        }
    }

    /// A token of the configuration, or one that the daemon made.
    func token(digest: [UInt8]) -> Token? { settings.tokens.token(digest: digest) ?? issued.token(digest: digest) }

    /// Whether the token is one of the configuration.
    func isConfigured(digest: [UInt8]) -> Bool { settings.tokens.token(digest: digest) != nil }

    func session(digest: [UInt8]) -> StoredToken? { issued.session(digest: digest) }

    /// Sends the response of a route, or its refusal; parks the exchange if the route has to wait.
    func finish(_ call: Call, _ exchange: consuming Exchange, _ handle: () throws(APIError) -> Handling) {
        let handling: Handling
        do {
            handling = try handle()
        } catch {
            let problem = Problem(error, at: call)
            meter.count(problem, at: call.endpoint)
            handling = .now(.problem(problem))
        }
        switch handling {
        case .now(let response):
            guard let parent = call.parent else { return send(call.request, response, call.requestContext, exchange) }
            finish(parent.call, exchange) { () throws(APIError) in try parent.resume(response) }
        case .later(let park): park(exchange)
        }
    }

    private func refuse(_ request: Request, _ error: APIError, _ exchange: consuming Exchange) {
        refuse(request, Problem(error), exchange)
    }

    private func refuse(_ request: Request, _ problem: Problem, _ exchange: consuming Exchange) {
        meter.count(problem, at: nil)
        send(request, .problem(problem), exchange)
    }

    private func send(
        _ request: Request, _ response: Response, _ requestContext: RequestContext, _ exchange: consuming Exchange
    ) {
        let response = completed(response, request)
        let elapsed = services.clock.nanoseconds() - requestContext.began
        meter.count(requestContext.endpoint, status: response.status, nanoseconds: elapsed)
        if services.accessLog.isOn { logAccess(response, to: request, requestContext, nanoseconds: elapsed) }
        exchange.reply(response)
    }

    /// Answers for no route.
    private func send(_ request: Request, _ response: Response, _ exchange: consuming Exchange) {
        let response = completed(response, request)
        meter.count(status: response.status)
        if services.accessLog.isOn { logAccess(response, to: request, nil, nanoseconds: 0) }
        exchange.reply(response)
    }

    /// Adds the parts of every response: CORS, and compression where it pays.
    private func completed(_ response: Response, _ request: Request) -> Response {
        var response = response
        CORS.allow(request, allowedOrigins(for: request), &response)
        Compression.apply(to: &response, for: request, keeping: compressed)
        return response
    }
}

/// The facts of a request for metrics and the access log.
struct RequestContext {
    let endpoint: Endpoint?
    let app: String?
    let principal: Principal?
    /// When the request was taken up, in the clock's nanoseconds.
    let began: Int64
}

/// The state that is handed to every worker when something is published or reloaded.
public struct Publication: Sendable {
    public var snapshot: Snapshot
    public var settings: APISettings
    /// Why the last reload left the settings as they were, a sentence each; empty when it did not.
    public var settingsFaults: [String] = []
    /// The tokens that the daemon made; `settings` has those of the configuration.
    public var issued: TokenTable

    public init(snapshot: Snapshot, settings: APISettings, issued: TokenTable = TokenTable([])) {
        self.snapshot = snapshot
        self.settings = settings
        self.issued = issued
    }
}

/// The tokens that are handed to every worker when a token or session was made or revoked. With a token go the cached
/// responses, which were kept together with their principal.
public struct IssuedTokens: Sendable {
    public let table: TokenTable

    public init(_ table: TokenTable) { self.table = table }
}
