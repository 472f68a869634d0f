internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// What keeps the daemon running in someone's cluster (api.md 1).
enum OperationsRoutes {
    static let all = [
        Endpoint(.get, "/__lbheartbeat__", .open, handle: alive),
        Endpoint(.get, "/__heartbeat__", .open, handle: ready),
        Endpoint(.get, "/__version__", .open, handle: version),
        Endpoint(.get, "/metrics", .open, handle: metrics),
    ]

    @Sendable private static func alive(_ call: Call) throws(APIError) -> Handling {
        .now(.json(200, ["status": "ok"]))
    }

    /// Each part's state; 503 while the store is down. A file that could not be loaded makes it `degraded`.
    @Sendable private static func ready(_ call: Call) throws(APIError) -> Handling {
        let snapshot = call.worker.snapshot
        let health = call.services.store.health
        let catalog = snapshot.loadFailures.isEmpty ? "ok" : "degraded"
        var members: JSONObject = ["status": .string(catalog)]
        var store = "ok"
        if case .failing = health {
            store = "failing"
            members["status"] = "failing"
        }
        members["store"] = .string(store)
        members["catalog"] = .string(catalog)
        members["snapshot"] = .integer(Int64(clamping: snapshot.version))
        members["apps"] = .integer(Int64(snapshot.apps.count))
        members["failures"] = .integer(Int64(snapshot.loadFailures.count))
        return .now(.json(health == .healthy ? 200 : 503, .object(members)))
    }

    @Sendable private static func version(_ call: Call) throws(APIError) -> Handling {
        .now(.json(200, ["name": "bellwether", "version": .string(call.services.version)]))
    }

    @Sendable private static func metrics(_ call: Call) throws(APIError) -> Handling {
        let text = MetricsText.render(call.services.metrics.samples + call.services.loopMetrics())
        var response = Response(200, body: .bytes(Array(text.utf8)))
        response.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        return .now(response)
    }
}
