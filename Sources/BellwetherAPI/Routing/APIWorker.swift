public import BellwetherService
public import HTTPWire

/// Answers requests on one worker's thread. It holds the worker's reference to the snapshot and what is remembered of
/// the contexts that poll here; nothing of it leaves the thread.
public final class APIWorker: Responder {
    let services: APIServices
    let parking: any Parking
    private(set) var snapshot: Snapshot
    private(set) var settings: APISettings
    private var issued: TokenTable
    let uses: TokenUses
    let router: Router<Endpoint>
    let contexts: PollContexts
    let remembered: RememberedPolls
    let rendered: RenderedMessages
    let records: RecordAnswers
    let pings = PingIntake(bytes: 32 << 20)
    let features: FeatureAnswers
    let sampling: PollSampling
    let bundleTags = BundleTags()
    /// As it is counted.
    private static let pollEndpoint = Routes.all.first { $0.method == .get && $0.pattern == MessageRoutes.pattern }
    private let compressed = CompressedAnswers(capacity: 4096, bytes: 64 << 20)

    /// Snapshots and settings that come later arrive through `receive`.
    public init(services: APIServices, parking: any Parking, initial: Publication) {
        self.services = services
        self.parking = parking
        snapshot = initial.snapshot
        settings = initial.settings
        issued = initial.issued
        uses = TokenUses(register: services.tokens)
        router = Router(Routes.all.map { ($0.method, $0.pattern, $0) })
        sampling = PollSampling(samples: services.forecasts.samples)
        contexts = PollContexts(capacity: 16_384)
        remembered = RememberedPolls(bound: 131_072)
        rendered = RenderedMessages(capacity: 4096)
        records = RecordAnswers(capacity: 1024)
        features = FeatureAnswers(capacity: 1024, bytes: 16 << 20)
    }

    /// What meets no route may bring as much as a client's request: it is then told that, not that it is too large. The
    /// large bodies of owners are for owners: nobody else makes the daemon keep 16 MiB.
    public func bodyLimit(for request: Request) -> Int {
        guard case .found(let endpoint, let parameters) = router.match(request.method, request.path),
            endpoint.body == .owner
        else { return settings.bodyBytes }
        let call = Call(request: request, endpoint: endpoint, parameters: parameters, worker: self)
        let isOwner = (try? call.authorize()) != nil
        return isOwner ? settings.ownerBodyBytes : min(settings.bodyBytes, settings.ownerBodyBytes)
    }

    public func respond(to request: Request, _ exchange: consuming Exchange) {
        if let response = MessageRoutes.answerAgain(request, self) {
            return exchange.reply(completed(response, request, Self.pollEndpoint))
        }
        switch router.match(request.method, request.path) {
        case .found(let endpoint, let parameters):
            let call = Call(request: request, endpoint: endpoint, parameters: parameters, worker: self)
            finish(call, exchange) { () throws(APIError) in
                try call.authorize()
                return try endpoint.handle(call)
            }
        case .methodNotAllowed(let methods):
            let allowed = methods + [.options]
            guard request.method == .options else {
                let refusal = GleanRoutes.refusal(of: request) ?? .methodNotAllowed(allowed.map(\.name))
                return refuse(request, refusal, exchange)
            }
            exchange.reply(completed(CORS.options(request, allowed, settings), request, nil))
        case .notFound where request.method == .options && request.path.elementsEqual([UInt8(ascii: "*")]):
            exchange.reply(completed(CORS.options(request, [.options], settings), request, nil))
        case .notFound:
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
            issued = update.issued
            sampling.keep(snapshot)
            contexts.removeAll()
            remembered.removeAll()
            rendered.removeAll()
            records.removeAll()
            features.removeAll()
            bundleTags.removeAll()
        case let tokens as IssuedTokens:
            issued = tokens.table
            remembered.removeAll()
        default: break
        }
    }

    /// A token of the configuration, or one that the daemon made.
    func token(digest: [UInt8]) -> Token? { settings.tokens.token(digest: digest) ?? issued.token(digest: digest) }

    public func drain() {}

    /// Answers what a route made, or what it refused; parks what it wants to wait for.
    func finish(_ call: Call, _ exchange: consuming Exchange, _ handle: () throws(APIError) -> Handling) {
        let handling: Handling
        do {
            handling = try handle()
        } catch {
            handling = .now(.problem(Problem(error)))
        }
        switch handling {
        case .now(let response): exchange.reply(completed(response, call.request, call.endpoint))
        case .later(let park): park(exchange)
        }
    }

    private func refuse(_ request: Request, _ error: APIError, _ exchange: consuming Exchange) {
        exchange.reply(completed(.problem(Problem(error)), request, nil))
    }

    /// What every answer has: CORS, compression where it pays, and a place in the counts.
    private func completed(_ response: Response, _ request: Request, _ endpoint: Endpoint?) -> Response {
        services.metrics.count(endpoint, status: response.status)
        var response = response
        CORS.allow(request, settings, &response)
        Compression.apply(to: &response, for: request, keeping: compressed)
        return response
    }
}

/// What is handed to every worker when something is published or reloaded.
public struct Publication: Sendable {
    public var snapshot: Snapshot
    public var settings: APISettings
    /// The tokens that the daemon made; `settings` has those of the configuration.
    public var issued: TokenTable

    public init(snapshot: Snapshot, settings: APISettings, issued: TokenTable = TokenTable([])) {
        self.snapshot = snapshot
        self.settings = settings
        self.issued = issued
    }
}

/// What is handed to every worker when a token was made or revoked. What they remember of polls goes, for it was
/// remembered with whoever asked.
public struct IssuedTokens: Sendable {
    public let table: TokenTable

    public init(_ table: TokenTable) { self.table = table }
}
