internal import BellwetherBase
internal import BellwetherJSON
public import BellwetherService
public import HTTPWire

/// Responds to requests on one worker's thread. It has the worker's reference to the snapshot and the worker's caches,
/// which never leave the thread.
public final class APIWorker: Responder {
    let services: APIServices
    let parking: any Parking
    private(set) var snapshot: Snapshot
    private(set) var settings: APISettings
    /// The faults because of which the last reload did not change the settings; empty if it succeeded.
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
    let streams: StreamTable
    var accessLine = AccessLine()
    private let compressed = CompressedResponses(capacity: 4096, bytes: 64 << 20)

    /// Later snapshots and settings arrive through `receive`.
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
        streams = StreamTable(services.persistence.feed.streams)
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

    /// The maximum size of a request's body. A request without a route may have a client's body: its error is the
    /// missing route, not the size.
    public func bodyLimit(for request: Request) -> Int {
        guard case .found(let endpoint, let parameters) = router.match(request.method, request.path),
            endpoint.body != .client
        else { return settings.bodyBytes }
        let call = Call(request: request, endpoint: endpoint, parameters: parameters, worker: self)
        return endpoint.body.wireLimit(settings, isAdmitted: (try? call.authorize()) != nil)
    }

    public func admitsHandshake(from peer: PeerAddress) -> Bool {
        rates.admitsHandshake(from: peer, behind: settings.proxies, at: services.clock.nanoseconds())
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

    /// Asks the store whether the rows of a cached response are still current.
    private func verify(_ known: CachedResponse, of request: Request, _ exchange: consuming Exchange) {
        let ticket = parking.park(exchange, wait: nil) { [self] (isCurrent: Bool, exchange) in
            // A publish in the meantime empties the cache.
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
                request: request.detached, endpoint: endpoint, parameters: parameters, responseKey: key, worker: self)
            finish(call, exchange) { () throws(APIError) in
                try call.admit()
                return try call.readingThrough { (call) throws(APIError) in try endpoint.run(call) }
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
            let former = snapshot
            snapshot = update.snapshot
            settings = update.settings
            settingsFaults = update.settingsFaults
            issued = update.issued
            sampling.follow(snapshot)
            contexts.removeAll()
            responses.removeAll()
            records.removeAll()
            features.removeAll()
            bundleTags.removeAll()
            rates.follow(settings.rates)
            meter.serves(snapshot, at: services.clock.nanoseconds())
            streams.follow(former, snapshot)
        case let tokens as IssuedTokens:
            if !issued.hasTokens(of: tokens.table) { responses.removeAll() }
            issued = tokens.table
            streams.follow(snapshot, snapshot)
        case let notice as StreamHub.Notice: streams.take(notice)
        default: break
        }
    }

    /// A token of the configuration, or one that the daemon issued.
    func token(digest: [UInt8]) -> Token? { settings.tokens.token(digest: digest) ?? issued.token(digest: digest) }

    /// A token by its name, of the configuration first.
    func token(named name: String) -> Token? { settings.tokens.token(named: name) ?? issued.token(named: name) }

    /// Whether the token belongs to the configuration.
    func isConfigured(digest: [UInt8]) -> Bool { settings.tokens.token(digest: digest) != nil }

    /// A guessed link costs no read of the store.
    func hasLink(digest: [UInt8]) -> Bool { issued.hasLink(digest: digest) }

    /// The person of a session, unless the session, its token or its account has ended.
    func person(ofSession digest: [UInt8], at now: Timestamp) -> Principal? {
        guard let session = issued.session(digest: digest), let origin = session.session, !session.hasExpired(at: now),
            let parent = token(digest: origin.parent) ?? issued.account(digest: origin.parent),
            !parent.hasExpired(at: now)
        else { return nil }
        return Principal(session, of: parent.principal)
    }

    /// Sends the response of a route, or its refusal. Parks the exchange if the route must wait.
    func finish(_ call: Call, _ exchange: consuming Exchange, _ handle: () throws(APIError) -> Handling) {
        let handling: Handling
        do {
            handling = try handle()
        } catch {
            let problem = Problem(error, at: call)
            meter.count(problem, at: call.endpoint)
            handling = .now(RefusalPage(problem: problem, call: call).response ?? .problem(problem))
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
        exchange.reply(note(response, to: request, requestContext))
    }

    /// Completes the response of a route, counts it and logs it.
    func note(_ response: Response, to request: Request, _ requestContext: RequestContext) -> Response {
        let response = completed(response, request)
        let elapsed = services.clock.nanoseconds() - requestContext.began
        meter.count(requestContext.endpoint, status: response.status, nanoseconds: elapsed)
        if services.accessLog.isOn { logAccess(response, to: request, requestContext, nanoseconds: elapsed) }
        return response
    }

    /// Sends the response to a request without a route.
    private func send(_ request: Request, _ response: Response, _ exchange: consuming Exchange) {
        let response = completed(response, request)
        meter.count(status: response.status)
        if services.accessLog.isOn { logAccess(response, to: request, nil, nanoseconds: 0) }
        exchange.reply(response)
    }

    /// Adds the parts of every response: CORS, and compression for a long enough body.
    private func completed(_ response: Response, _ request: Request) -> Response {
        var response = response
        if request.isEncrypted, settings.hstsSeconds > 0 {
            response.add("Strict-Transport-Security", "max-age=\(settings.hstsSeconds)")
        }
        CORS.allow(request, allowedOrigins(for: request), &response)
        Compression.apply(to: &response, for: request, keeping: compressed)
        return response
    }
}

/// The facts of a request for metrics and the access log.
struct RequestContext {
    let endpoint: Endpoint?
    let app: Identifier?
    let principal: Principal?
    /// The time at which the handling of the request began, in the clock's nanoseconds.
    let began: Int64
}

/// The state that every worker receives after a publish or a reload.
public struct Publication: Sendable {
    public var snapshot: Snapshot
    public var settings: APISettings
    /// The faults because of which the last reload did not change the settings, one sentence each; empty if it
    /// succeeded.
    public var settingsFaults: [String] = []
    /// The tokens that the daemon issued. `settings` has the configuration's tokens.
    public var issued: TokenTable

    public init(snapshot: Snapshot, settings: APISettings, issued: TokenTable = TokenTable([])) {
        self.snapshot = snapshot
        self.settings = settings
        self.issued = issued
    }
}

/// The tokens that every worker receives after a token or session was issued or revoked. A change of tokens also
/// empties the cached responses, which contain their principal.
public struct IssuedTokens: Sendable {
    public let table: TokenTable

    public init(_ table: TokenTable) { self.table = table }
}
