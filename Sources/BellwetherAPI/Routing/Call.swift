internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// One request to a route. Belongs to its worker's thread, and has its own copy of the request's bytes: it may wait
/// longer than the worker's receive buffer may be kept.
final class Call: RoutedRequest {
    let request: Request
    let endpoint: Endpoint
    let parameters: PathParameters
    let worker: APIWorker
    /// The key under which the response may be cached.
    let responseKey: ResponseKey?
    /// The principal; nil before it is looked up, and on routes that need no token.
    private(set) var principal: Principal?
    /// The share of an expanded body's bytes.
    private var expandedShare: ExpandedBytes.Share?
    /// The call that continues with the response; nil if the client gets the response.
    private(set) var parent: ParentCall?

    struct ParentCall {
        let call: Call
        let resume: (Response) throws(APIError) -> Handling
    }

    init(
        request: Request, endpoint: Endpoint, parameters: PathParameters, principal: Principal? = nil,
        began: Int64? = nil, responseKey: ResponseKey? = nil, worker: APIWorker
    ) {
        self.request = request
        self.endpoint = endpoint
        self.parameters = parameters
        self.principal = principal
        self.worker = worker
        self.responseKey = responseKey
        self.began = began ?? worker.services.clock.nanoseconds()
    }

    /// Identifies the principal, and checks its abilities.
    func authorize() throws(APIError) {
        principal = try Authorization.check(self)
        guard endpoint.isOwnersWrite, !services.persistence.feed.isCurrent else { return }
        throw .behind
    }

    var services: APIServices { worker.services }
    var snapshot: Snapshot { worker.snapshot }
    var settings: APISettings { worker.settings }
    var meter: WorkerMeter { worker.meter }
    var expandedBytes: ExpandedBytes { worker.expandedBytes }
    /// The time at which the handling of the request began, in the clock's nanoseconds. Durations and rates count from
    /// it.
    let began: Int64

    var trace: TraceContext? { parent?.call.trace ?? request.trace }

    /// The client's address, as the trusted proxies report it.
    var client: PeerAddress { worker.settings.proxies.client(of: request) }

    var requestContext: RequestContext {
        RequestContext(endpoint: endpoint, app: optionalParameter("app"), principal: principal, began: began)
    }

    /// The bytes of the body and the query: the approximate memory that the request takes in other parts.
    var contentBytes: Int { request.body.count + (request.query?.count ?? 0) }

    /// Continues at once. For an owner's request to one of several nodes, it first waits until this node serves what
    /// all nodes have published.
    func readingThrough(_ proceed: @escaping (Call) throws(APIError) -> Handling) throws(APIError) -> Handling {
        guard services.persistence.feed.isShared, endpoint.access.isForOwners else { return try proceed(self) }
        let publisher = services.publisher
        return park { (ticket: Ticket<Result<Void, StoreError>>) in
            publisher.readThrough { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            // While the store cannot be read, owners read what this node has in memory.
            if case .failure = outcome, self.endpoint.isOwnersWrite { throw .behind }
            return try proceed(self)
        }
    }

    /// The same call with its expanded body. The call must be authorized already.
    func expanded() throws(APIError) -> Call {
        guard let (request, share) = try expandedRequest() else { return self }
        let call = with(request)
        call.expandedShare = share
        return call
    }

    private func with(_ request: Request) -> Call {
        let call = Call(
            request: request, endpoint: endpoint, parameters: parameters, principal: principal, began: began,
            responseKey: responseKey, worker: worker)
        (call.expandedShare, call.parent) = (expandedShare, parent)
        return call
    }

    /// Calls another route's handler for the same principal and the same time, and continues with its response, even if
    /// it is a refusal. No request is sent, and no client is counted or limited twice.
    func ask(
        _ request: Request, then resume: @escaping (Response) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        guard case let path = request.path,
            case .found(let endpoint, let parameters) = worker.router.match(request.method, path)
        else { return try resume(.problem(Problem(.notFound("There is nothing of this name.")))) }
        let call = Call(
            request: request, endpoint: endpoint, parameters: parameters, principal: principal, began: began,
            worker: worker)
        call.parent = ParentCall(call: self, resume: resume)
        return .later { exchange in
            call.worker.finish(call, exchange) { () throws(APIError) in
                try Authorization.require(call)
                return try endpoint.run(call)
            }
        }
    }

    /// Waits outside the loop. `start` gets the ticket, and `resume` continues on this thread with the outcome.
    func park<Outcome: Sendable>(
        wait: ParkWait<Outcome>? = nil, start: @escaping (Ticket<Outcome>) -> Void,
        resume: @escaping (Outcome) throws(APIError) -> Handling
    ) -> Handling {
        .later { [self] exchange in
            let ticket = worker.parking.park(exchange, wait: wait) { [self] outcome, exchange in
                worker.finish(self, exchange) { () throws(APIError) in try resume(outcome) }
            }
            start(ticket)
        }
    }
}
