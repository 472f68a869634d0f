import BellwetherJSON
import TestSupport
import Testing

/// Filters (docs/reference/http-api.md#filters), and compressed pages.
@Suite struct TelemetryFilterTests {
    /// Two surveys in separate recipes, displayed and answered.
    private func filled() throws -> TestApp {
        let app = try TestApp()
        try app.publish("first", Sample.survey("one"))
        try app.publish("second", Sample.survey("two"))
        for client in ["a", "b"] {
            try app.record(client, Event.message("displayed", "one"), Event.message("displayed", "two"))
            #expect(try app.respond(client, "one", "0").status == 201)
        }
        return app
    }

    private func names(_ app: TestApp, _ query: String) throws -> [String] {
        let answer = try app.server.get("\(app.path)/telemetry?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return answer.lines.map { "\($0["client_id"].string ?? "?") \($0["name"].string ?? "?")" }
    }

    @Test func `Each kind of filter means its records`() throws {
        let app = try filled()
        #expect(try names(app, "name=shown&message=two") == ["a shown", "b shown"])
        #expect(
            try names(app, "category=microsurvey&message=one") == [
                "a submit_button_tapped", "a confirmation_shown", "b submit_button_tapped", "b confirmation_shown",
            ])
        #expect(try names(app, "message=one&message=two") == names(app, "category=messaging&category=microsurvey"))
        #expect(try names(app, "experiment=second") == ["a exposure", "a shown", "b exposure", "b shown"])
        #expect(try names(app, "experiment=second&name=clicked") == [])
        #expect(try names(app, "category=nimbus_events&experiment=first").count == 2)
    }

    @Test func `Pages of what is meant hold all of it once`() throws {
        let app = try filled()
        var cursor = ""
        var seen: [JSONValue] = []
        while true {
            let answer = try app.server.get("\(app.path)/telemetry?name=exposure&limit=1&after=\(cursor)")
            seen += answer.lines
            let next = try #require(answer.header("Bellwether-Next"))
            if next == cursor { break }
            cursor = next
        }
        #expect(seen == (try app.telemetry()).filter { $0["name"] == "exposure" })
        #expect(cursor == (try app.telemetry()).last?["cursor"].string)
    }

    @Test func `A wait is for what is meant`() throws {
        let app = try filled()
        let last = try #require(try app.telemetry().last?["cursor"].string)
        let pipeline = try app.server.connect()
        try pipeline.send("GET", "\(app.path)/telemetry?name=clicked&after=\(last)&wait=60")
        for client in ["x", "y", "z"] { try app.record(client, Event.message("displayed", "two")) }
        try app.record("x", Event.message("clicked", "one"))
        let answer = try pipeline.receive()
        #expect(answer.lines.map { $0["client_id"] } == ["x"])
        #expect(try app.server.get("\(app.path)/telemetry?after=\(answer.header("Bellwether-Next") ?? "")").lines == [])
    }

    @Test func `curl gets the same page compressed and plain, in both formats`() throws {
        let app = try filled()
        for format in ["ndjson", "glean"] {
            let url = "http://127.0.0.1:\(app.server.port)\(app.path)/telemetry?format=\(format)"
            let plain = try Command.curl(url)
            let compressed = try Command.curl("--compressed", "--dump-header", "/dev/stderr", url)
            #expect(plain.output.utf8.count > 1024 && compressed.output == plain.output)
            #expect(compressed.errors.contains("Content-Encoding: gzip"))
        }
    }
}
