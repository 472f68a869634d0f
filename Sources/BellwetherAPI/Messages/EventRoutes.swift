internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// What clients report (api.md 2.2).
enum EventRoutes {
    static let all = [Endpoint(.post, "/v1/apps/{app}/events", .scope(.client), handle: post)]

    static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let batches = try isNDJSON(call) ? EventLines(call, app: app).batches : [one(call, app)]
        let policy = call.worker.settings.events
        let now = call.now
        let changes = batches.filter { !$0.events.resolved.isEmpty }.map {
            RecordEvents.change(client: $0.client, events: $0.events.resolved, policy: policy, now: now)
        }
        var tally = EventTally()
        tally.reject(batches.flatMap(\.events.rejected))
        guard !changes.isEmpty else { return .now(.json(200, tally.json)) }
        return call.park { (ticket: Ticket<Result<SubmissionResult, StoreError>>) in
            call.services.store.submit(Submission(changes) { ticket.complete($0) })
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .success(.applied(let results)):
                for case .recorded(let share) in results { tally.add(share) }
                return .now(.json(200, tally.json))
            case .success(.replayed), .success(.keyConflict): throw .idempotencyKeyConflict
            case .failure(let error): throw .store(error)
            }
        }
    }

    /// `{client_id, context?, events: […]}`. The context is checked, and counts for nothing here.
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

    private static func isNDJSON(_ call: Call) throws(APIError) -> Bool {
        guard let type = call.request.header(.contentType) else { return false }
        let name = String(decoding: type.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            .filter { $0 != " " && $0 != "\t" }.lowercased()
        switch name {
        case "application/x-ndjson", "application/ndjson", "application/jsonl": return true
        // What curl and beacons say when they are told nothing else.
        case "application/json", "application/x-www-form-urlencoded", "text/plain", "": return false
        default: throw .unsupportedMediaType("Events come as application/json or application/x-ndjson.")
        }
    }
}

/// One client's events of a request.
struct ClientEvents {
    let client: ClientReference
    var events: EventBatch
}

/// NDJSON: one `{client_id, …event}` a line. A line is an event's place.
struct EventLines {
    private(set) var batches: [ClientEvents] = []

    init(_ call: Call, app: AppSnapshot) throws(APIError) {
        let lines = call.request.body.split(separator: 0x0A, omittingEmptySubsequences: true)
            .filter { $0 != [0x0D] }
        let limit = call.worker.settings.eventLinesPerRequest
        guard lines.count <= limit else {
            throw .invalid("too_many", "a request brings at most \(limit) lines, this one \(lines.count)")
        }
        guard !lines.isEmpty else { throw .badRequest("length", "there is no event") }
        let now = call.now
        var positions: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            let (clientID, value) = try Self.read(line, index)
            let position = positions[clientID] ?? batches.count
            if position == batches.count {
                positions[clientID] = position
                let client = ClientReference(app: app.name, id: clientID)
                batches.append(ClientEvents(client: client, events: EventBatch()))
            }
            batches[position].events.add(value, index: index, app: app, call: call, now: now)
        }
    }

    /// A line that is no JSON, or names no client, is the envelope's fault.
    private static func read(_ line: ArraySlice<UInt8>, _ index: Int) throws(APIError) -> (String, JSONValue) {
        let place = JSONPointer(tokens: [String(index)])
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line)
        } catch {
            throw .badRequest("json_\(error.kind.rawValue)", "line \(index + 1): \(error.message)", at: place)
        }
        let findings = Findings()
        let reader = JSONReader(value, at: place, findings: findings)
        guard let clientID = reader.required("client_id")?.identifier() else { throw .badRequest(findings.faults) }
        return (clientID, value)
    }
}
