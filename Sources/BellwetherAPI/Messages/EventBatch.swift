internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The events of one client: the events for the store, and the events that cannot be recorded, each with its reason.
struct EventBatch {
    /// The events for the store. They include rejected events, which are rejected only if their ids are unknown.
    private(set) var resolved: [ResolvedEvent] = []
    private(set) var rejected: [EventRejection] = []
    private(set) var warnings: [EventWarning] = []

    init() {}

    init(_ items: [JSONReader], app: AppSnapshot, call: Call, limit: Int) throws(APIError) {
        guard items.count <= limit else {
            throw .invalid(
                "too_many", "a request brings at most \(limit) events, this one \(items.count)",
                at: JSONPointer(tokens: ["events"]))
        }
        let now = call.now
        resolved.reserveCapacity(items.count)
        for (index, item) in items.enumerated() { add(item.value, index: index, app: app, call: call, now: now) }
    }

    /// Reads and checks one event. Its faults do not affect other events.
    ///
    /// - Parameter isLine: Whether the event is a line of NDJSON.
    mutating func add(
        _ value: JSONValue, index: Int, isLine: Bool = false, app: AppSnapshot, call: Call, now: Timestamp
    ) {
        ClientEvent.forEachUnknownMember(of: value, isLine: isLine) { name in
            warn(EventWarning(index: index, code: .unknownMember, name: name))
        }
        let findings = Findings()
        guard let event = ClientEvent.read(JSONReader(value, findings: findings)) else {
            let fault = findings.faults.first
            let pointer = fault.map { "\($0.pointer)" } ?? ""
            let rejection = EventRejection(
                index: index, code: fault?.code ?? "type",
                message: (pointer.isEmpty ? "" : "\(pointer): ") + (fault?.message ?? "not an event"))
            return refuse(rejection, id: ClientEvent.id(of: value), now: now)
        }
        if case .behavior(let name, _, let properties) = event.kind, !properties.isEmpty {
            for (code, property) in app.manifest.warnings(about: properties, of: name) {
                warn(EventWarning(index: index, code: code, name: property))
            }
        }
        add(event, index: index, app: app, call: call, now: now)
    }

    private mutating func warn(_ warning: EventWarning) {
        if warnings.count < EventTally.maximumWarnings { warnings.append(warning) }
    }

    /// Checks one event.
    mutating func add(_ event: ClientEvent, index: Int, app: AppSnapshot, call: Call, now: Timestamp) {
        switch event.resolve(index: index, in: app, policy: call.worker.settings.events, now: now) {
        case .success(let event): resolved.append(event)
        case .failure(let refused): refuse(refused.rejection, id: event.id, now: now)
        }
    }

    private mutating func refuse(_ rejection: EventRejection, id: Identifier?, now: Timestamp) {
        if let id {
            resolved.append(ResolvedEvent(refused: rejection, id: id, now: now))
        } else {
            rejected.append(rejection)
        }
    }
}

extension EventBatch {
    /// Rejects all of the events.
    mutating func reject(_ code: String, _ message: String) {
        rejected += resolved.map { EventRejection(index: $0.index, code: code, message: message) }
        rejected.sort { $0.index < $1.index }
        resolved = []
    }

    /// The tally of a batch from which no event can be recorded.
    var tally: EventTally {
        var tally = EventTally()
        tally.add(self)
        return tally
    }
}

extension EventTally {
    /// Adds what is known of a batch before its events are recorded.
    mutating func add(_ batch: EventBatch) {
        reject(batch.rejected)
        guard !batch.warnings.isEmpty else { return }
        let all = (warnings + batch.warnings).sorted { $0.index < $1.index }
        warnings = Array(all.prefix(Self.maximumWarnings))
    }

    mutating func reject(_ rejections: [EventRejection]) {
        var other = EventTally()
        other.rejected = rejections
        add(other)
    }

    /// The tally in the response (docs/reference/events.md#rejected-events).
    var json: JSONValue {
        var members: JSONObject = [
            "accepted": .integer(Int64(accepted)), "duplicates": .integer(Int64(duplicates)),
            "rejected": .array(
                rejected.map {
                    ["index": .integer(Int64($0.index)), "code": .string($0.code), "message": .string($0.message)]
                }),
        ]
        if !warnings.isEmpty {
            members["warnings"] = .array(
                warnings.map {
                    [
                        "index": .integer(Int64($0.index)), "code": .string($0.code.rawValue),
                        "name": .string($0.name),
                    ]
                })
        }
        return .object(members)
    }
}
