internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The routes of events that clients report (docs/reference/events.md#events).
enum EventRoutes {
    static let all = [Endpoint(.post, "/v1/apps/{app}/events", .needs(.participate), handle: post)]

    static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let batches =
            switch try MediaType(call.request) {
            case .ndjson: try EventLines(call, app: app).batches
            case .json: [try one(call, app)]
            }
        return try EventRecording(call: call, app: app).record(batches) { $0.json }
    }

    /// Reads `{client_id, context?, events: […]}`. The context is checked, but has no other effect.
    private static func one(_ call: Call, _ app: AppSnapshot) throws(APIError) -> ClientEvents {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let clientID = reader.required("client_id")?.identifier()
        _ = ContextReading(app: app, call: call).read(reader.optional("context"))
        let items = reader.required("events")?.elements()
        if items?.isEmpty == true { findings.fault("length", at: JSONPointer(tokens: ["events"]), "there is no event") }
        guard findings.faults.isEmpty, let clientID, let items else { throw .badRequest(findings.faults) }
        let limit = call.worker.settings.eventsPerRequest
        let events = try EventBatch(items, app: app, call: call, limit: limit)
        return ClientEvents(client: ClientReference(app: app.name, id: clientID), events: events)
    }
}

/// The events of one client in a request.
struct ClientEvents {
    let client: ClientReference
    var events: EventBatch
}

/// Records the events of a request, and responds with their tally.
struct EventRecording {
    let call: Call
    let app: AppSnapshot
    /// The tally of the events that the caller has refused already.
    var tally = EventTally()

    func record(
        _ batches: [ClientEvents], answer: @escaping (EventTally) -> JSONValue
    ) throws(APIError) -> Handling {
        let admitted = try call.withinRates(batches)
        let recording = RecordEvents(in: app, policy: call.worker.settings.events, now: call.now)
        let shares = admitted.filter { !$0.events.resolved.isEmpty }.map {
            (client: $0.client, events: $0.events.resolved)
        }
        var tally = tally
        // The events that were refused while they were read. The store tallies the others.
        for client in admitted { tally.add(client.events) }
        let receipt = { [call, app] (tally: EventTally) -> Handling in
            call.count(tally, of: app.name)
            return .now(.json(200, answer(tally)))
        }
        guard !shares.isEmpty else { return receipt(tally) }
        let store = call.services.persistence
        let (bytes, stream) = (call.contentBytes, call.streamName)
        return call.park { (ticket: Ticket<Result<[EventTally], StoreError>>) in
            recording.run(shares, bytes: bytes, stream: stream, in: store) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            for share in try outcome.orThrow() { tally.add(share) }
            return receipt(tally)
        }
    }
}
