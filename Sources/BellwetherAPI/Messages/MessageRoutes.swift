internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The poll: the messages that a client may see now.
enum MessageRoutes {
    static let pattern = "/v1/apps/{app}/messages"
    static let all = [
        Endpoint(.get, pattern, .needs(.participate), handle: get),
        Endpoint(.post, pattern, .needs(.participate), handle: post).reading,
    ]

    static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let request = try pollRequest(call, app)
        try call.limit(client: request.clientID, of: app)
        let context = try call.worker.contexts.context(for: request, app: app, call: call)
        let ignored = request.ignoredAttributes + context.ignoredAttributes
        call.worker.meter.count(.ignoredAttributes, ignored)
        return PollHandler(
            call: call, app: app, clientID: request.clientID, sessionID: try sessionID(call, app), context: context,
            ignoredAttributes: ignored, events: nil
        ).handle()
    }

    /// The session's id. The parameter is only read if a cap of the app counts sessions.
    private static func sessionID(_ call: Call, _ app: AppSnapshot) throws(APIError) -> Identifier? {
        guard app.manifest.pacing?.hasSessionCaps == true,
            let id = try call.query().first(where: { $0.name == "session_id" }).map({ Identifier($0.value) })
        else { return nil }
        guard id.text.isIdentifier else { throw .identifier("session_id") }
        return id
    }

    /// The client and the query. If the client cannot be read, its faults are reported together with the query's other
    /// faults.
    private static func pollRequest(_ call: Call, _ app: AppSnapshot) throws(APIError) -> PollRequest {
        do {
            return try PollRequest(call.request, call.worker.contexts.names(of: app))
        } catch .badRequest(let findings) {
            do {
                _ = try ContextReading(app: app, call: call).readQuery()
            } catch .badRequest(let others) {
                // Both readings report the faults of client_id, and of a query that cannot be decoded.
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
        let context = PollContext(body.context, surfaces: body.surfaces, ignoredAttributes: 0, app: app)
        return PollHandler(
            call: call, app: app, clientID: body.clientID, sessionID: body.sessionID, context: context,
            ignoredAttributes: 0, events: body.events
        ).handle()
    }
}
