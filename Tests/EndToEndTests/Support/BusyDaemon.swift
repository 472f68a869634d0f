import BellwetherJSON
import Foundation
import TestSupport

/// A separate daemon that has had every kind of request once, and its metrics.
struct BusyDaemon {
    let app: TestApp
    let text: String
    let metrics: PrometheusText
    /// The time from before the daemon's start until after its metrics were read, in seconds since 1970.
    let lifetime: ClosedRange<Double>

    /// The tests share it, because they only read it.
    static let shared = Result { try BusyDaemon() }

    init() throws {
        let began = Date.now.timeIntervalSince1970
        let data = try TemporaryDirectory()
        try data.write("", to: "backups/notes")
        let sink = #"sinks: {lake: {to: "file:\#(data.path)/lake", every_seconds: 10}}"#
        let configuration = try data.write(sink, to: "bellwether.yaml")
        let settings = [
            "BELLWETHER_BACKUPS_DIRECTORY": data.path + "/backups",
            "BELLWETHER_LIMITS_RATE_CLIENT_PER_SECOND": "1",
            "BELLWETHER_LIMITS_RATE_CLIENT_BURST": "\(EveryKindOfWork.burst)",
        ]
        let environment = try TestCertificates.shared.get().settings.merging(settings) { $1 }
        let daemon = try Daemon(
            ["--dev", "--workers", "2", "--config", configuration], data: data, environment: environment)
        let manifest = (TestApp.manifest.object ?? [:]).merging("app_id", "busy.app")
        app = try TestApp(on: daemon, manifest: .object(manifest))
        try EveryKindOfWork(app: app).perform()
        try waitUntil("a backup") { try daemon.get("/metrics").text.contains("\nbellwether_backup_size_bytes ") }
        try waitUntil("a file of a sink") {
            try daemon.get("/metrics").text.contains(/\nbellwether_sink_files_total\{sink="lake"\} [1-9]/)
        }
        text = try daemon.get("/metrics").text
        metrics = try PrometheusText(text)
        lifetime = began...Date.now.timeIntervalSince1970
    }
}

/// Requests of every kind, as clients, owners, pipelines and strangers send them.
private struct EveryKindOfWork {
    let app: TestApp
    private var daemon: Daemon { app.server }

    /// The burst in the settings; all clients except one stay below it.
    static let burst = 30

    func perform() throws {
        try poll()
        try report()
        try answer()
        try own()
        try dropIn()
        try beRefused()
    }

    /// One poll of each outcome.
    private func poll() throws {
        _ = try app.poll("c")
        try app.publish("asked", Sample.survey())
        try app.publish(
            "x",
            [
                "on-control": "show-none",
                "messages": [
                    "control": [
                        "is-control": true, "experiment": "{experiment}", "surface": "card", "style": "ONCE",
                    ]
                ],
            ])
        let tag = try app.poll("c", "&surface=microsurvey").header("ETag") ?? ""
        _ = try app.poll("c", "&surface=microsurvey", headers: ["If-None-Match": tag])
        _ = try app.poll("c", "&surface=card")
        _ = try app.poll("c", "&surface=notification")
        _ = try daemon.post("\(app.path)/messages", ["client_id": "c", "surfaces": ["microsurvey"]])
    }

    /// Reports three events that are accepted, one duplicate, and two that are rejected.
    private func report() throws {
        try app.record("c", Event.behavior("visit", ["id": "1"]), Event.behavior("visit", ["id": "1"]))
        let bad = Event.message("displayed", "nobody")
        _ = try daemon.post(
            "\(app.path)/events", ["client_id": "c", "events": [bad, Event.message("displayed", "survey")]])
        let lines = [Event.behavior("visit"), Event.behavior("visit", ["at": "2999-01-01T00:00:00Z"])].map { event in
            JSONValue.object((event.object ?? [:]).merging("client_id", "d")).text
        }
        _ = try daemon.send(
            "POST", "\(app.path)/events", headers: ["Content-Type": "application/x-ndjson"],
            body: Array(lines.joined(separator: "\n").utf8))
    }

    private func answer() throws {
        _ = try app.respond("c", "survey", "0")
        _ = try app.respond("c", "survey", "1")
        _ = try app.respond("c", "nobody", "1")
        _ = try daemon.put("\(app.path)/clients/c/participation", ["experiments": false])
        _ = try daemon.get("\(app.path)/clients/c/participation")
        _ = try daemon.get("\(app.path)/bundle")
    }

    /// Sends requests of owners and pipelines.
    private func own() throws {
        _ = try daemon.put("\(app.path)/recipes/bad", ["triggers": ["T": "1 +"]])
        _ = try daemon.post("\(app.path)/recipes", ["data": [["slug": "bad", "triggers": ["T": "1 +"]]]])
        for path in ["recipes", "recipes/asked/revisions", "results/asked", "telemetry", "consumers", "manifest"] {
            _ = try daemon.get("\(app.path)/\(path)")
        }
        _ = try daemon.post("\(app.path)/explain", ["client_id": "c"])
        _ = try daemon.put("\(app.path)/consumers/warehouse", ["cursor": "0"])
        for path in ["/v1/apps", "/v1/audit", "/v1/tokens", "/__heartbeat__"] { _ = try daemon.get(path) }
    }

    private func dropIn() throws {
        _ = try daemon.post("/v1/features/", ["client_id": "c", "context": ["app_id": "busy.app"]])
        _ = try daemon.get("/v1/buckets/main/collections/nimbus-mobile-experiments/records")
        _ = try daemon.post("/submit/nobody/events/1/\(UUID().uuidString.lowercased())", [:])
    }

    private func beRefused() throws {
        for (method, path) in [("GET", "/nowhere"), ("DELETE", "/metrics"), ("OPTIONS", "/metrics")] {
            _ = try daemon.send(method, path)
        }
        let connection = try daemon.connect()
        try connection.send(Array("nonsense\r\n\r\n".utf8))
        _ = try connection.receive()
        // On a slow machine, more polls are needed: each second one more is let in.
        try waitUntil("a poll is refused") { try app.poll("greedy").status == 429 }
    }
}
