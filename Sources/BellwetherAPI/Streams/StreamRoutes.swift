internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The streams on which clients learn that they have to ask again (docs/reference/streams.md).
enum StreamRoutes {
    static let pattern = "/v1/apps/{app}/stream"

    static let all = [
        Endpoint(.get, pattern, .needs(.participate), handle: open),
        Endpoint(.post, pattern, .needs(.participate), handle: address).reading,
    ]

    /// The time in seconds after which a reader in the background may close its stream.
    static let inactivitySeconds: Int64 = 120

    @Sendable private static func open(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let request = try StreamRequest(query: call)
        guard call.request.method != .head else { return .now(head) }
        guard let holder = StreamTicket.Holder(call.principal, isOpen: call.settings.isOpen) else {
            throw .forbidden("The token of a page opens no stream.")
        }
        try call.limit(client: request.clientID, of: app)
        let client = ClientReference(app: app.name, id: request.clientID)
        let persistence = call.services.persistence
        return call.park { (ticket: Ticket<Result<HeldClient, StoreError>>) in
            persistence.loadJoined(client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            try begin(request, for: client, in: outcome.orThrow(), holder, call)
        }
    }

    private static func begin(
        _ request: StreamRequest, for client: ClientReference, in held: HeldClient, _ holder: StreamTicket.Holder,
        _ call: Call
    ) throws(APIError) -> Handling {
        let hub = call.services.persistence.feed.streams
        let settings = call.settings.streams
        let address = call.principal?.isWeb == true ? call.worker.rates.key(ofAddress: call) : nil
        let opening = StreamHub.Opening(client: client, name: request.name, address: address)
        let id: UInt64
        do {
            id = try hub.open(
                opening, of: held, limit: settings.limit,
                addressLimit: settings.addressLimit == 0 ? .max : settings.addressLimit)
        } catch {
            switch error {
            case .full: throw .tooManyStreams
            case .address: throw .tooManyRequests("This address has too many streams.", retryAfter: 60)
            }
        }
        let digest = call.snapshot.apps[client.app]?.publication.digest ?? ""
        // A commit between the read and the opening has not notified this stream.
        let isPresent =
            request.lastEventID == "\(digest).\(hub.mark(of: id))"
            && call.services.persistence.areCurrent(held.rows) != false
        let stream = OpenStream(id, of: client.app, holder: holder, isPending: !isPresent, call.worker)
        return .later { exchange in call.worker.begin(stream, head, for: call, exchange) }
    }

    private static var head: Response {
        var response = Response(200)
        response.add("Content-Type", "text/event-stream")
        response.add("Cache-Control", "no-cache, no-transform")
        response.add("X-Accel-Buffering", "no")
        return response
    }

    @Sendable private static func address(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let request = try StreamRequest(body: call)
        try call.limit(client: request.clientID, of: app)
        guard let url = call.streamURL(of: request.clientID, named: request.name, in: app) else {
            throw call.settings.streams.limit == 0
                ? .tooManyStreams : .forbidden("The token of a page opens no stream.")
        }
        return .now(.json(200, ["url": .string(url), "inactivity_seconds": .integer(inactivitySeconds)]))
    }
}

extension Call {
    /// The path and query of a client's stream, with a ticket; nil if there are no streams, or none for the principal.
    func streamURL(of clientID: Identifier, named name: String?, in app: AppSnapshot) -> String? {
        guard settings.streams.limit > 0,
            let holder = StreamTicket.Holder(principal, isOpen: settings.isOpen)
        else { return nil }
        return StreamTicket(app: app.name, clientID: clientID, name: name, holder: holder).url(secret: services.secret)
    }
}

extension APIError {
    static let tooManyStreams = APIError.unavailable("This node has as many streams as it may have.", retryAfter: 5)
}

extension APIWorker {
    /// The milliseconds of a clock that is never set.
    var milliseconds: Int64 { Int64(services.uptime() / 1_000_000) }

    /// Sends the head of a stream, and keeps the stream.
    func begin(_ stream: OpenStream, _ head: Response, for call: Call, _ exchange: consuming Exchange) {
        let response = note(head, to: call.request, call.requestContext)
        streams.insert(stream)
        parking.stream(response, by: stream, exchange)
    }
}

/// The settings of streams (docs/reference/streams.md#limits).
public struct StreamSettings: Sendable, Hashable {
    /// The maximum number of streams of a node; 0 means that there are none.
    public var limit = 10_000
    /// The maximum number of streams with public tokens of one address; 0 means no limit.
    public var addressLimit = 100
    public var heartbeatSeconds = 15
    public var maximumSeconds = 3_600

    public init() {}
}
