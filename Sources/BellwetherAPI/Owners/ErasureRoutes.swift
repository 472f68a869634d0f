internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// The right to erase: what is kept of a client by its id goes; the log is not rewritten. Also where the app is
/// published no more. The audit tells of it, without the id.
enum ErasureRoutes {
    static let all = [
        Endpoint(.delete, "/v1/apps/{app}/clients/{client_id}", .scope(.owner), handle: erase)
    ]

    /// A client of which there is nothing is erased already. A name that was never an app's is told: it may be
    /// misspelled.
    @Sendable private static func erase(_ call: Call) throws(APIError) -> Handling {
        let (app, id, store) = (call.parameter("app"), call.parameter("client_id"), call.services.persistence)
        guard id.isIdentifier else { throw .identifier("client_id") }
        let (client, origin) = (ClientReference(app: app, id: id), call.origin)
        let digest = ClientDigest.make(client, secret: call.services.secret)
        return call.detached.park { (ticket: Ticket<Result<ErasureOutcome, StoreError>>) in
            store.erase(client, knownAs: digest, origin) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            if try outcome.orThrow() == .unknownApp, call.worker.snapshot.app(app) == nil { throw .unknownApp(app) }
            return .now(Response(204))
        }
    }
}
