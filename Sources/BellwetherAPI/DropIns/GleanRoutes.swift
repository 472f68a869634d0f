internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Glean's edge server, for phones that use Glean's SDK (docs/reference/http-api.md#gleans-edge-server).
enum GleanRoutes {
    private static let pattern = "/submit/{application_id}/{ping}/{version}/{document_id}"

    static let all = [
        Endpoint(.post, pattern, .interface(.glean), handle: submit).taking(.ping),
        Endpoint(.put, pattern, .interface(.glean), handle: submit).taking(.ping),
        Endpoint(.get, "/status", .open, handle: status).admittingOtherSites,
    ]

    /// The edge server's refusal under `/submit` where there is no route. A ping to a path of another form is a bad
    /// request; a GET finds nothing.
    static func refusal(of request: Request) -> APIError? {
        let path = request.path
        guard path.starts(with: "/submit/".utf8) || path.elementsEqual("/submit".utf8) else { return nil }
        switch request.method {
        case .get, .head: return .notFound("There is nothing to get at this path.")
        case .post, .put: return .badRequest("path", "a ping is submitted to \(pattern)")
        default: return nil
        }
    }

    @Sendable private static func status(_ call: Call) throws(APIError) -> Handling { .now(.ok) }

    /// Stores the body without inspection, and accepts it when it is durable.
    @Sendable private static func submit(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let address = try address(call)
        try call.requireLength()
        let ping = IncomingPing(call, address: address, app: app)
        return call.park { (ticket: Ticket<Result<EventTally, StoreError>>) in
            let isTaken = call.worker.pings.read(bytes: ping.body.count) { ping.submit(ticket) }
            if !isTaken { ticket.complete(.failure(.overloaded)) }
        } resume: { (outcome) throws(APIError) in
            _ = try outcome.orThrow()
            return .now(.ok)
        }
    }

    /// The app of the application id. A token for another app learns nothing else about it.
    private static func app(_ call: Call) throws(APIError) -> AppSnapshot {
        let id = call.parameter("application_id")
        guard let app = call.worker.snapshot.app(applicationID: id) else {
            throw .notFound("There is no app with the application id \"\(id)\".")
        }
        if let principal = call.principal, !principal.can(.participate, in: app.name) { throw .otherApp }
        return app
    }

    private static func address(_ call: Call) throws(APIError) -> GleanAddress {
        let address = GleanAddress(
            applicationID: call.parameter("application_id"), ping: call.parameter("ping").text,
            version: call.parameter("version").text, documentID: call.parameter("document_id"))
        let findings = Findings()
        address.check(findings)
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return address
    }
}

/// The parts of a request that are needed to read its ping outside the worker's thread.
private struct IncomingPing: Sendable {
    let address: GleanAddress
    let app: AppSnapshot
    let body: ArraySlice<UInt8>
    let limits: GleanLimits
    let store: Persistence

    init(_ call: Call, address: GleanAddress, app: AppSnapshot) {
        let settings = call.worker.settings
        self.address = address
        self.app = app
        body = call.request.body
        let oldest = call.arrived.adding(seconds: -settings.events.dedupSeconds)
        limits = GleanLimits(
            json: call.jsonLimits, events: settings.eventLinesPerRequest,
            times: min(oldest, call.arrived)...call.arrived)
        store = call.services.persistence
    }

    private var now: Timestamp { limits.times.upperBound }

    /// Reads the ping and hands it to the store, which completes the ticket once it is durable.
    func submit(_ ticket: Ticket<Result<EventTally, StoreError>>) {
        let ping = GleanSubmission(address, body: body, limits: limits)
        let newID = { UniqueID.make(at: now) }
        RecordPing.run(ping, in: app, now: now, bytes: body.count, store, newID: newID) { ticket.complete($0) }
    }
}

extension Response {
    /// The edge server's response to an accepted ping.
    fileprivate static var ok: Response {
        var response = Response(200, body: .bytes(Array("OK".utf8)))
        response.add("Content-Type", "text/plain; charset=utf-8")
        return response
    }
}
