internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The routes by which an operator watches the daemon (docs/reference/http-api.md#operations).
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

    private static let behind = "for more than a second this node has not read what others have changed"

    /// The number of settings' faults in the response. Further faults are only in the log.
    private static let shownFaults = 10

    /// The state of each part. It is `error` (503) while the store is down or nothing is loaded. It is `degraded` while
    /// a file could not be loaded, after the last reload of the settings was refused, while there is no recent backup,
    /// or while a sink is late. The response has the reason of the refusal. The name of a skipped file is only in the
    /// log, because this route is open.
    @Sendable private static func ready(_ call: Call) throws(APIError) -> Handling {
        let snapshot = call.worker.snapshot
        let feed = call.services.persistence.feed
        let isStoreWell = call.services.persistence.store.health == .healthy && feed.reasonBehind == nil
        var checks = [
            ("snapshot", snapshot.version > 0 ? "ok" : "error"),
            ("store", isStoreWell ? "ok" : "error"),
            ("files", snapshot.loadFailures.isEmpty ? "ok" : "degraded"),
            ("settings", call.worker.settingsFaults.isEmpty ? "ok" : "degraded"),
        ]
        if feed.isShared {
            checks.append(("changes", feed.isCurrent ? "ok" : "error"))
            checks.append(("clock", feed.clockDifference.level == .tooLarge ? "error" : "ok"))
        }
        let backups = call.services.backups
        if let isLate = backups?.isLate { checks.append(("backups", isLate ? "degraded" : "ok")) }
        let sinks = call.services.sinks
        if !sinks.isEmpty { checks.append(("sinks", sinks.contains(where: \.isLate) ? "degraded" : "ok")) }
        let certificates = call.services.certificates?.value
        if let certificates {
            let isWell = certificates.reasons(at: call.arrived.seconds).isEmpty
            checks.append(("certificates", isWell ? "ok" : "degraded"))
        }
        let states = checks.map(\.1)
        let status = states.contains("error") ? "error" : states.contains("degraded") ? "degraded" : "ok"
        var body: JSONObject = [
            "status": .string(status),
            "checks": .object(JSONObject(checks.map { (key: $0.0, value: .string($0.1)) })),
        ]
        if let shown = backups?.shown, !shown.isEmpty { body["backups"] = .object(shown) }
        if let certificates {
            body["certificates"] = ["days_left": .integer(certificates.daysLeft(at: call.arrived.seconds))]
        }
        let reasons = reasons(call)
        if !reasons.isEmpty { body["reasons"] = .object(reasons) }
        guard status == "error" else { return .now(.json(200, .object(body))) }
        var response = Response.json(503, .object(body))
        response.add("Retry-After", "1")
        return .now(response)
    }

    /// The reasons why parts are not `ok`, by their names.
    private static func reasons(_ call: Call) -> JSONObject {
        let feed = call.services.persistence.feed
        var reasons: JSONObject = [:]
        let faults = call.worker.settingsFaults.prefix(shownFaults).map(JSONValue.string)
        if !faults.isEmpty { reasons["settings"] = .array(faults) }
        if feed.reasonBehind != nil { reasons["store"] = ["the store does not answer; the log says why"] }
        if !feed.isCurrent { reasons["changes"] = [.string(behind)] }
        let clock = feed.clockDifference
        if clock.level == .tooLarge { reasons["clock"] = [.string(clock.sentence)] }
        if let backups = call.services.backups, backups.isLate == true {
            reasons["backups"] = [.string(backups.sentence)]
        }
        let sinks = call.services.sinks.filter(\.isLate).map {
            JSONValue.string("the sink \($0.settings.name) is late or cannot write; the log says why")
        }
        if !sinks.isEmpty { reasons["sinks"] = .array(sinks) }
        let certificates = call.services.certificates?.value.reasons(at: call.arrived.seconds) ?? []
        if !certificates.isEmpty { reasons["certificates"] = .array(certificates.map(JSONValue.string)) }
        return reasons
    }

    @Sendable private static func version(_ call: Call) throws(APIError) -> Handling {
        var body: JSONObject = ["name": "bellwether", "version": .string(call.services.version)]
        for (name, value) in call.services.build { body[name] = value }
        body["node"] = .string(call.services.node)
        return .now(.json(200, .object(body)))
    }

    @Sendable private static func metrics(_ call: Call) throws(APIError) -> Handling {
        let services = call.services
        let samples =
            services.metrics.reading.samples(now: call.began) + call.worker.snapshot.samples
            + services.persistence.store.health.samples + services.loopMetrics()
        let text = MetricsText.render(samples)
        var response = Response(200, body: .bytes(Array(text.utf8)))
        response.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        return .now(response)
    }
}

extension ScheduledBackups {
    /// The newest backup, for the heartbeat.
    fileprivate var shown: JSONObject {
        var shown: JSONObject = [:]
        if let intervalSeconds { shown["every_seconds"] = .integer(intervalSeconds) }
        if let newest = status.newest, let age = ageSeconds {
            shown["newest_at"] = .string(newest.rfc3339)
            shown["age_seconds"] = .integer(Int64(age))
        }
        return shown
    }

    /// The reason why the backups are late, without a path, because the heartbeat is open.
    fileprivate var sentence: String {
        status.failure == nil
            ? "the newest backup is older than two intervals" : "the last backup failed; the log says why"
    }
}
