internal import BellwetherJSON

/// One line of the queue: an event, or a request of its own.
struct QueueEntry: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A behaviour event. It is dropped first if the queue is full.
        case behavior
        /// An event about a message or a feature.
        case event
        /// A statement of a person: answers, an identity. It is never dropped.
        case answer
    }

    /// The id of the event, or the idempotency key of the request. It makes a repetition harmless.
    let id: String
    let kind: Kind
    let clientID: String
    /// The path of the request below the app; nil for events, which share requests.
    var path: String?
    /// The event, or the body of the request.
    var body: JSONObject
    /// A later entry of the group takes the place of this one.
    var group: String?
    /// The id on this device of a flow's run. The daemon's own id is known when the start is delivered.
    var run: String?
    /// Whether the request starts this run.
    var startsRun = false

    init(id: String, kind: Kind, clientID: String, path: String? = nil, body: JSONObject) {
        (self.id, self.kind, self.clientID, self.path, self.body) = (id, kind, clientID, path, body)
    }

    /// The line with its newline.
    var line: [UInt8] {
        var json: JSONObject = [
            "id": .string(id), "kind": .string(kind.rawValue), "client_id": .string(clientID), "body": .object(body),
        ]
        json["path"] = path.map { .string($0) }
        json["group"] = group.map { .string($0) }
        json["run"] = run.map { .string($0) }
        if startsRun { json["starts_run"] = true }
        return JSONValue.object(json).encoded + [UInt8(ascii: "\n")]
    }

    /// Reads a line; nil if it is none.
    init?(line: ArraySlice<UInt8>) {
        guard let json = try? JSONValue(parsing: Array(line), limits: .queue), let id = json["id"].string,
            let kind = json["kind"].string.flatMap(Kind.init), let clientID = json["client_id"].string,
            let body = json["body"].object
        else { return nil }
        self.init(id: id, kind: kind, clientID: clientID, path: json["path"].string, body: body)
        (group, run, startsRun) = (json["group"].string, json["run"].string, json["starts_run"].bool ?? false)
    }
}

extension JSONLimits {
    /// The limits of the files of the client.
    static let queue = JSONLimits(depth: 128, bytes: 64 << 20, values: 4_000_000)
}
