internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Events of Owlmetry's SDKs. Each becomes a behaviour event whose name is the event's message
/// (docs/reference/http-api.md#owlmetry).
struct OwlmetryEvents {
    private let call: Call
    private let app: AppSnapshot
    private var events = EventsByClient()
    /// The tally of the SDK's own events, which are not stored, and of rejected events.
    private var tally = EventTally()

    /// The prefix of events that the SDK reports about itself.
    private static let ownPrefix = "sdk:"

    init(_ items: [JSONReader], _ call: Call, in app: AppSnapshot) throws(APIError) {
        (self.call, self.app) = (call, app)
        let limit = call.worker.settings.eventsPerRequest
        guard items.count <= limit else {
            throw .invalid(
                "too_many", "a request brings at most \(limit) events, this one \(items.count)",
                at: JSONPointer(tokens: ["events"]))
        }
        let now = call.now
        for (index, item) in items.enumerated() { add(item.value, index: index, now: now) }
    }

    /// Responds with `{"accepted", "rejected", "errors"?}`. An event that was already known is in neither number.
    func record() throws(APIError) -> Handling {
        try EventRecording(call: call, app: app, tally: tally).record(events.batches) { tally in
            var json: JSONObject = [
                "accepted": .integer(Int64(tally.accepted)), "rejected": .integer(Int64(tally.rejected.count)),
            ]
            if !tally.rejected.isEmpty {
                json["errors"] = .array(
                    tally.rejected.map {
                        ["index": .integer(Int64($0.index)), "message": .string($0.message)]
                    })
            }
            return .object(json)
        }
    }

    private mutating func add(_ value: JSONValue, index: Int, now: Timestamp) {
        let findings = Findings()
        let event = OwlmetryEvent(JSONReader(value, findings: findings))
        guard let event, findings.faults.isEmpty else {
            let fault = findings.faults.first
            let message = fault.map { "\($0.pointer): \($0.message)" } ?? "not an event"
            return tally.reject([EventRejection(index: index, code: fault?.code ?? "type", message: message)])
        }
        if event.message.utf8.starts(with: Self.ownPrefix.utf8) {
            tally.accepted += 1
            return
        }
        guard event.message.text.isIdentifier else {
            let message = "/message: the name of an event has 1 to 128 printable characters"
            return tally.reject([EventRejection(index: index, code: "identifier", message: message)])
        }
        let counted = ClientEvent(id: event.id, at: event.at, kind: .behavior(name: event.message, count: 1))
        events.add(to: ClientReference(app: app.name, id: event.clientID)) {
            $0.add(counted, index: index, app: app, call: call, now: now)
        }
    }
}

/// The members of an event that this service uses.
private struct OwlmetryEvent {
    /// The id of the user or of the installation; without either, the session's id.
    let clientID: Identifier
    let message: Identifier
    let id: Identifier?
    let at: Timestamp?

    /// Nil if the event has faults. The reader's findings list them.
    init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        let sessionID = reader.required("session_id")?.identifier()
        let userID = reader.optional("user_id")?.identifier()
        let message = reader.required("message")?.identifier(length: 1...10_000)
        _ = reader.optional("environment")?.choice(OwlmetryEnvironment.self)
        id = reader.optional("client_event_id")?.identifier()
        at = reader.optional("timestamp")?.time()
        guard let sessionID, let message else { return nil }
        (clientID, self.message) = (userID ?? sessionID, message)
    }
}
