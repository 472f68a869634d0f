internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The erasure and the export of clients and users (docs/reference/http-api.md#erasure). The log is not rewritten. The
/// routes also work for an app that is no longer published. The audit has an entry for each call, without the id.
enum ErasureRoutes {
    static let all = [
        Endpoint(.delete, "/v1/apps/{app}/clients/{client_id}", .needs(.respond)) { call throws(APIError) in
            try erase(call, client(call))
        },
        Endpoint(.get, "/v1/apps/{app}/clients/{client_id}/export", .needs(.respond)) { call throws(APIError) in
            try export(call, client(call))
        },
        Endpoint(.delete, "/v1/apps/{app}/users/{user_id}", .needs(.respond)) { call throws(APIError) in
            try erase(call, user(call))
        },
        Endpoint(.get, "/v1/apps/{app}/users/{user_id}/export", .needs(.respond)) { call throws(APIError) in
            try export(call, user(call))
        },
    ]

    private static func client(_ call: Call) throws(APIError) -> Person {
        .client(ClientReference(app: call.parameter("app"), id: try id(call, "client_id")))
    }

    private static func user(_ call: Call) throws(APIError) -> Person {
        .user(UserReference(app: call.parameter("app"), id: try id(call, "user_id")))
    }

    private static func id(_ call: Call, _ name: String) throws(APIError) -> Identifier {
        let id = call.parameter(name)
        guard id.text.isIdentifier else { throw .identifier(name) }
        return id
    }

    /// Erases a person. A person without data counts as erased. A name that was never an app's is an error, because it
    /// may be misspelled.
    private static func erase(_ call: Call, _ person: Person) throws(APIError) -> Handling {
        let digest = ClientDigest.make(person, secret: call.services.secret)
        let (origin, store) = (call.origin, call.services.persistence)
        return call.park { (ticket: Ticket<Result<ErasureOutcome, StoreError>>) in
            store.erase(person, knownAs: digest, origin) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            if try outcome.orThrow() == .unknownApp, call.worker.snapshot.apps[person.app] == nil {
                throw .unknownApp(person.app)
            }
            if case .client(let client) = person { call.services.forecasts.samples.remove(client) }
            return .now(Response(204))
        }
    }

    private static func export(_ call: Call, _ person: Person) throws(APIError) -> Handling {
        let now = call.arrived
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<KeptData, StoreError>>) in
            KeptData.read(person, in: store) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let kept = try outcome.orThrow()
            let digest = ClientDigest.make(person, secret: call.services.secret)
            return call.audited(AuditEntry(exportOf: person, knownAs: digest, call.origin)) {
                var response = Response.json(
                    200, .object(kept.json(at: now, in: call.worker.snapshot.apps[person.app])))
                response.add("Cache-Control", "no-store")
                return response
            }
        }
    }
}
