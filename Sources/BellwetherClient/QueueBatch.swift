internal import BellwetherJSON

/// The entries of one request: events of one client, or a single request.
struct QueueBatch {
    let entries: [QueueEntry]
    var isOfEvents: Bool { entries[0].path == nil }

    private static let maximumEvents = 500
    private static let maximumBytes = 200_000

    /// Takes the first entries of the queue; nil if it is empty.
    init?(_ waiting: [QueueEntry]) {
        guard let first = waiting.first else { return nil }
        guard first.path == nil else {
            entries = [first]
            return
        }
        var bytes = 0
        let events = waiting.prefix(Self.maximumEvents).prefix { entry in
            bytes += entry.line.count
            return entry.path == nil && entry.clientID == first.clientID && bytes <= Self.maximumBytes
        }
        entries = events.isEmpty ? [first] : Array(events)
    }

    /// The request; nil if it is about a run of a flow that was not begun.
    ///
    /// - Parameter run: the daemon's id of a run.
    func request(run: (String) -> String?) -> TransportRequest? {
        let first = entries[0]
        guard var path = first.path else {
            let body: JSONObject = [
                "client_id": .string(first.clientID), "events": .array(entries.map { .object($0.body) }),
            ]
            return TransportRequest("POST", "events", body: JSONValue.object(body).encoded)
        }
        if let local = first.run, !first.startsRun {
            guard let id = run(local) else { return nil }
            path = "runs/\(TransportRequest.encoded(id))/\(path)"
        }
        var request = TransportRequest("POST", path, body: JSONValue.object(first.body).encoded)
        request.headers["Idempotency-Key"] = first.id
        return request
    }
}
