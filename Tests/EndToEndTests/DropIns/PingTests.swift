import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Phones that report through Glean (docs/reference/events.md#submitted-pings).
@Suite struct PingTests {
    /// An app with an application id of its own.
    private func app(on server: Daemon? = nil) throws -> (app: TestApp, path: (String) -> String) {
        let id = "org.example.\(UUID().uuidString)"
        let manifest = TestApp.manifest.object?.merging("application_ids", ["other", .string(id)])
        let app = try TestApp(on: server, manifest: .object(manifest ?? [:]))
        let spelled = id.replacing(".", with: "-").lowercased()
        return (app, { ping in "/submit/\(spelled)/\(ping)/1/\(UUID().uuidString.lowercased())" })
    }

    private func ping(_ client: String? = "c", _ events: JSONValue...) -> JSONValue {
        [
            "ping_info": ["seq": 1, "start_time": "2026-01-01T00:00Z", "end_time": "2026-01-01T00:01Z"],
            "client_info": client.map { ["client_id": .string($0), "locale": "de-DE"] } ?? [:],
            "events": .array(events),
        ]
    }

    private func event(_ category: String, _ name: String, _ extra: JSONObject = [:]) -> JSONValue {
        ["timestamp": 0, "category": .string(category), "name": .string(name), "extra": .object(extra)]
    }

    @Test func `What a phone showed counts for the next poll, and is stored as sent`() throws {
        let (app, path) = try app()
        try app.publish("r", Sample.message("m", ["style": "TWICE", "experiment": "{experiment}"]))
        #expect(try app.keys() == ["m"])
        let shown = event("messaging", "shown", ["message_key": "m", "message_surface": "card"])
        let answer = try app.server.post(path("events"), ping("c", shown, event("own", "thing")))
        #expect(answer.status == 200 && answer.text == "OK")
        #expect(try app.poll().json["messages"][0]["display_count"] == 1)
        #expect(try app.server.put(path("events"), ping("c", shown)).status == 200)
        #expect(try app.keys() == [], "the cap is reached")
        #expect(try app.keys("d") == ["m"])
        #expect(try app.recorded() == ["messaging.shown", "own.thing", "messaging.shown"])
        let record = try app.telemetry()[0]
        #expect(record["client_id"] == "c")
        #expect(record["extra"] == ["message_key": "m", "message_surface": "card"])
    }

    @Test func `A phone's answer is the client's, whatever its language`() throws {
        let (app, path) = try app()
        _ = try app.server.put("\(app.path)/strings/de", ["T": ["yes": "Ja"]])
        try app.publish(
            "r",
            Sample.message(
                "s", ["surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": ["T/yes", "No"]]]))
        let tap = event("microsurvey", "submit_button_tapped", ["survey_id": "s", "user_selection": "Ja"])
        #expect(try app.server.post(path("events"), ping("c", tap)).status == 200)
        #expect(try app.keys() == [])
        #expect(places(expectProblem(try app.respond("c", "s", "0"), 409)) == [" already_responded"])
        #expect(try app.respond("d", "s", "1").status == 201)
        #expect(try app.server.post(path("events"), ping("d", tap)).status == 200)
        let unknown = event("microsurvey", "submit_button_tapped", ["survey_id": "s", "user_selection": "Oui"])
        #expect(try app.server.post(path("events"), ping("e", unknown)).status == 200)
        #expect(try app.respond("e", "s", "1").status == 201, "unresolved: the record only")
        let taps = try app.telemetry().filter { $0["name"] == "submit_button_tapped" }
        #expect(
            taps.filter { $0["extra"]["option_index"] == .null }.map { $0["extra"]["user_selection"] } == [
                "Ja", "Ja", "Oui",
            ])
    }

    @Test func `A document is taken once, also after a crash, and also when it names no client`() throws {
        let daemon = try Daemon()
        var (app, path) = try app(on: daemon)
        let (events, baseline, text) = (path("events"), path("baseline"), path("text"))
        func send(to daemon: Daemon) throws {
            for _ in 0..<2 {
                #expect(try daemon.post(events, ping("c", event("own", "thing"))).status == 200)
                #expect(try daemon.post(baseline, ["metrics": [:]]).status == 200)
                #expect(try daemon.send("POST", text, body: Array("no JSON".utf8)).status == 200)
            }
        }
        try send(to: daemon)
        try daemon.kill()
        app = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        try send(to: app.server)
        #expect(try app.recorded() == ["own.thing", "glean.baseline", "glean.text"])
        let records = try app.telemetry()
        #expect(
            records.map { $0["client_id"] } == [
                "c", "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000",
            ])
        #expect(records[1]["extra"]["ping"] == ["metrics": [:]])
        #expect(records[2]["extra"]["text"] == "no JSON")
        #expect(records[2]["extra"]["document_id"].string == text.split(separator: "/").last.map(String.init))
    }

    @Test func `gzip is expanded, within a bound`() throws {
        let (app, path) = try app()
        func send(_ bytes: [UInt8]) throws -> HTTPResponse {
            try app.server.send("POST", path("custom"), headers: ["Content-Encoding": "gzip"], body: bytes)
        }
        #expect(try send(gzip((["a": 1] as JSONValue).encoded)).status == 200)
        #expect(try app.telemetry()[0]["extra"]["ping"] == ["a": 1])
        expectProblem(try send(Array("{}".utf8)), 400)
        expectProblem(try send(gzip([UInt8](repeating: 0x20, count: 100 << 20))), 413)
        var random = SeededGenerator(seed: 1)
        let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let large = noise + [UInt8](repeating: 0x20, count: (8 << 20) - noise.count)
        #expect(try send(gzip(large)).status == 200)
        expectProblem(try send(gzip(large + [0x20])), 413)
        expectProblem(try app.server.send("POST", path("custom"), body: large), 413)
        expectProblem(try app.server.send("POST", path("custom")), 411)
        expectProblem(try app.server.send("POST", "/submit/" + String(repeating: "a", count: 9000), body: []), 414)
    }

    @Test func `Hostile pings are kept, and the daemon goes on`() throws {
        let (app, path) = try app()
        let nested = String(repeating: "[", count: 100_000)
        let many = String(repeating: "{\"category\":\"a\",\"name\":\"b\"},", count: 30_000)
        for body in [
            nested, "{\"events\":\(nested)", "{\"events\":[\(many)0]}", "{\"client_info\":[],\"events\":{}}", "\0\0",
        ] {
            #expect(try app.server.send("POST", path("events"), body: Array(body.utf8)).status == 200)
        }
        #expect(try app.server.send("POST", path("events"), body: [0xFF, 0xFE]).status == 200)
        #expect(try app.recorded() == Array(repeating: "glean.events", count: 6))
        #expect(try app.telemetry()[5]["extra"]["base64"] == "//4=")
    }

    @Test func `Closed without a token, open where the setting says so`() throws {
        let guarded = try GuardedDaemon()
        let manifest = TestApp.manifest.object?.merging("application_ids", ["org.example.one"]) ?? [:]
        let admin = GuardedDaemon.bearer("admin-all")
        #expect(try guarded.daemon.put("/v1/apps/one/manifest", .object(manifest), headers: admin).status == 200)
        let path = "/submit/org-example-one/events/1/\(UUID().uuidString)"
        for (token, status) in [("client-one", 200), ("client-all", 200), ("client-two", 403), ("owner-one", 403)] {
            #expect(try guarded.daemon.post(path, ping(), headers: GuardedDaemon.bearer(token)).status == status)
        }
        expectProblem(try guarded.daemon.post(path, ping()), 401)
        let open = try Daemon([], environment: ["BELLWETHER_PUBLIC": "glean"])
        expectProblem(try open.post(path, ping()), 404)
        #expect(try open.get("/status").text == "OK")
    }

    /// Compresses with the system's tool.
    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        let file = try folder.write(bytes, to: "x")
        guard try Command.run(["gzip", file]).status == 0 else { throw Failure("gzip failed") }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file + ".gz")))
    }
}
