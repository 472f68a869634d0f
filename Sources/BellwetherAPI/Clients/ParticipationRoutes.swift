internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The routes of a person's participation in experiments and rollouts (docs/reference/http-api.md#participation).
enum ParticipationRoutes {
    private static let pattern = "/v1/apps/{app}/clients/{client_id}/participation"

    static let all = [
        Endpoint(.get, pattern, .needs(.participate), handle: get),
        Endpoint(.put, pattern, .needs(.participate), handle: put),
    ]

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let client = try client(call, in: call.app())
        return try call.withState(of: client) { state in
            .now(response(state.enrollments.unpacked.participation))
        }
    }

    /// The client immediately leaves the experiments that it opted out of. All other changes follow at the next poll,
    /// which brings the context.
    @Sendable private static func put(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let client = try client(call, in: app)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        guard let participation = Participation(reading: reader), findings.faults.isEmpty else {
            throw .badRequest(findings.faults)
        }
        let (store, now) = (call.services.persistence, call.arrived)
        let (bytes, stream) = (call.contentBytes, call.streamName)
        return call.park { (ticket: Ticket<Result<Void, StoreError>>) in
            ChangeParticipation.run(
                participation, of: client, in: app, now: now, bytes: bytes, stream: stream, store
            ) {
                ticket.complete($0)
            }
        } resume: { (outcome) throws(APIError) in
            try outcome.orThrow()
            return .now(response(participation))
        }
    }

    private static func client(_ call: Call, in app: AppSnapshot) throws(APIError) -> ClientReference {
        let id = call.parameter("client_id")
        guard id.text.isIdentifier else { throw .identifier("client_id") }
        try call.limit(client: id, of: app)
        return ClientReference(app: app.name, id: id)
    }

    private static func response(_ participation: Participation) -> Response {
        var response = Response.json(200, participation.json)
        response.add("Cache-Control", "private, no-cache")
        return response
    }
}
