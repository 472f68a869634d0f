internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// A request that identifies a client as a user (docs/reference/surveys.md#identity).
struct Identification {
    let clientID: Identifier
    let userID: Identifier
    let proof: String?

    /// Finds the client's runs first; a second round finds runs that began meanwhile. With a public token, the client's
    /// id must be unguessable, and the client must not belong to another user.
    ///
    /// - Parameter answer: Makes the response from the slugs whose runs now belong to the user.
    func handle(
        _ call: Call, in app: AppSnapshot, answer: @escaping ([Identifier]) -> JSONValue
    ) throws(APIError) -> Handling {
        try call.requireProof(of: userID, proof, in: app)
        try call.limit(client: clientID, of: app)
        let isWeb = call.principal?.isWeb == true
        guard !isWeb || clientID.isUnguessable else { throw .guessableClient }
        let client = ClientReference(app: app.name, id: clientID)
        let (store, now, stream) = (call.services.persistence, call.arrived, call.streamName)
        return call.park { (ticket: Ticket<Result<IdentifyClient.Outcome, StoreError>>) in
            IdentifyClient.run(
                client, as: userID, by: isWeb ? .page : .app, in: app, store, now: now, stream: stream
            ) {
                ticket.complete($0)
            }
        } resume: { (outcome) throws(APIError) in
            guard case .identified(let merged) = try outcome.orThrow() else { throw .foreignClient }
            return .now(.json(200, answer(merged)))
        }
    }
}

extension APIError {
    fileprivate static let guessableClient = APIError.refused(
        code: "identity_proof",
        "With a public token only a client_id of at least 22 characters of A-Z, a-z, 0-9, _ and - becomes a user's.")
    fileprivate static let foreignClient = APIError.refused(
        code: "identity_proof", "The client is another user's; with a public token it stays so.")
}
