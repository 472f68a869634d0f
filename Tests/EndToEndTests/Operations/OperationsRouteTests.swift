import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The routes for the operation in a cluster (docs/reference/http-api.md#operations).
@Suite struct OperationsRouteTests {
    @Test func `Alive, ready, and which version`() throws {
        let server = try Servers.shared()
        #expect(try server.get("/__lbheartbeat__").json == ["status": "ok"])
        let ready = try server.get("/__heartbeat__")
        #expect(ready.status == 200)
        let checks: JSONValue = ["snapshot": "ok", "store": "ok", "files": "ok", "settings": "ok"]
        #expect(ready.json == ["status": "ok", "checks": checks])
        let version = try server.get("/__version__").json
        #expect(version["name"] == "bellwether")
        let lines = try Command.bellwether("--version").lines
        #expect(version["version"].string == lines.first)
        #expect(lines.dropFirst().first == "commit \(version["commit"].string ?? "unknown")")
        let schemas = (version["schema"].object ?? [:]).map { "\($0) \($1.text)" }
        #expect(schemas.count == 2 && lines.dropFirst(2).first == "schema \(schemas.joined(separator: ", "))")
    }

    @Test func `The files of a release name the version of the program`() throws {
        let version = try #require(try Command.bellwether("--version").lines.first)
        #expect(try Command.run([Repository.path + "/Scripts/version"]).lines == [version])
        let lines = [
            ("deploy/chart/Chart.yaml", "version: "), ("deploy/chart/Chart.yaml", "appVersion: "),
            ("docs/openapi.yaml", "  version: "), ("CHANGELOG.md", "## "),
        ]
        for (file, key) in lines {
            let text = try String(contentsOfFile: "\(Repository.path)/\(file)", encoding: .utf8)
            #expect(text.split(separator: "\n").contains { $0 == key + version }, "\(file)")
        }
    }

    /// Prometheus' text format, as in its documentation.
    @Test func `Metrics parse as Prometheus text, and count requests`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        for _ in 0..<3 { _ = try app.poll() }
        try app.record("c", Event.behavior("visit"))
        _ = try daemon.get("/nowhere")
        _ = try daemon.get("/v1/apps/nobody/messages?client_id=c")
        let bad = try daemon.connect()
        try bad.send(Array("nonsense\r\n\r\n".utf8))
        _ = try bad.receive()
        let answer = try daemon.get("/metrics")
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        let samples = try PrometheusText(answer.text)
        let route = #"{method="GET",route="/v1/apps/{app}/messages",status="#
        #expect(samples.values["bellwether_requests_total" + route + "\"200\"}"] == 3)
        #expect(samples.values["bellwether_requests_total" + route + "\"404\"}"] == 1)
        #expect(samples.values[#"bellwether_requests_total{method="",route="none",status="404"}"#] == 1)
        #expect(samples.values[#"bellwether_rejected_total{reason="request_line"}"#] == 1)
        #expect((samples.values["bellwether_connections_accepted_total"] ?? 0) >= 8)
        #expect(samples.values["bellwether_exchanges_unanswered_total"] == 0)
        #expect((samples.values["bellwether_store_commits_total"] ?? 0) >= 1)
    }
}
