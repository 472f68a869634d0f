internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The body of a poll by POST: `{client_id, session_id?, context?, surfaces?, events?}`.
struct PollBody {
    let clientID: Identifier
    let sessionID: Identifier?
    let context: TargetingContext
    let surfaces: [Identifier]
    /// The events of the poll; nil if it has none.
    let events: EventBatch?

    init(_ call: Call, app: AppSnapshot) throws(APIError) {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let reading = ContextReading(app: app, call: call)
        let clientID = reader.required("client_id")?.identifier()
        sessionID = reader.optional("session_id")?.identifier()
        context = reading.read(reader.optional("context"))
        surfaces = reading.readSurfaces(reader.optional("surfaces"))
        let events = reader.optional("events")?.elements()
        guard findings.faults.isEmpty, let clientID else { throw .badRequest(findings.faults) }
        self.clientID = clientID
        self.events = try events.map { (items) throws(APIError) in
            try EventBatch(items, app: app, call: call, limit: call.worker.settings.eventsPerRequest)
        }
    }
}

extension JSONReader {
    /// Reads an id: 1 to 128 printable characters (docs/reference/http-api.md#times-and-identifiers).
    func identifier() -> Identifier? {
        guard let text = string() else { return nil }
        guard text.isIdentifier else {
            finding("identifier", "an id is 1 to 128 printable characters")
            return nil
        }
        return Identifier(text)
    }
}
