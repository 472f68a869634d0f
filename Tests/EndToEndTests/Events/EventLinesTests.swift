import BellwetherJSON
import TestSupport
import Testing

/// Events as NDJSON (docs/reference/events.md#events).
@Suite struct EventLinesTests {
    private func post(_ app: TestApp, _ lines: [String], end: String = "\n") throws -> HTTPResponse {
        try app.server.send(
            "POST", "\(app.path)/events", headers: ["Content-Type": "application/x-ndjson"],
            body: Array(lines.map { $0 + end }.joined().utf8))
    }

    private func line(_ client: String, _ event: JSONValue) -> String {
        var object = event.object ?? [:]
        object["client_id"] = .string(client)
        return JSONValue.object(object).text
    }

    @Test func `Lines of several clients, with their own faults and duplicates`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["trigger-if-all": ["TWO_VISITS"]]))
        let answer = try post(
            app,
            [
                line("a", Event.behavior("visit", ["id": "1"])), line("b", Event.behavior("visit", ["id": "1"])),
                line("a", Event.behavior("visit", ["id": "1"])), line("a", Event.message("clicked", "unknown")),
                "", line("a", Event.behavior("visit", ["id": "2"])), line("b", ["type": "nonsense"]),
            ])
        #expect(answer.status == 200)
        #expect(answer.json["accepted"] == 3)
        #expect(answer.json["duplicates"] == 1)
        #expect(answer.json["rejected"].array?.map { $0["index"] } == [3, 5])
        #expect(answer.json["rejected"].strings("code") == ["unknown_message", "choice"])
        #expect(try app.keys("a") == ["m"])
        #expect(try app.keys("b") == [])
    }

    @Test func `Lines may end with CR LF, the last one with nothing`() throws {
        let app = try TestApp()
        #expect(
            try post(app, [line("a", Event.behavior("v")), line("a", Event.behavior("v"))], end: "\r\n").json[
                "accepted"] == 2)
        #expect(try post(app, [line("a", Event.behavior("v"))], end: "").json["accepted"] == 1)
    }

    @Test func `A line that is no JSON or names no client refuses the whole, with every such line`() throws {
        let app = try TestApp()
        let answer = try post(
            app, [line("a", Event.behavior("visit", ["count": 2])), "{", #"{"type": "behavior", "name": "v"}"#, "7"])
        let faults = expectProblem(answer, 400)
        #expect(places(faults) == ["/1 json_truncated", "/2/client_id required", "/3 type"])
        #expect(faults.first?["message"].string?.contains("line 2") == true)
        try app.publish("x", Sample.message("m", ["trigger-if-all": ["TWO_VISITS"]]))
        #expect(try app.keys("a") == [])
    }

    @Test func `No line, and more lines than allowed`() throws {
        let daemon = try Daemon(environment: ["BELLWETHER_LIMITS_EVENT_LINES": "3"])
        let app = try TestApp(on: daemon)
        expectProblem(try post(app, ["", "\r"]), 400)
        let lines = (0..<4).map { line("c\($0)", Event.behavior("v")) }
        #expect(places(expectProblem(try post(app, lines), 422)) == [" too_many"])
        #expect(try post(app, Array(lines.prefix(3))).json["accepted"] == 3)
    }

    @Test func `Ten thousand lines are taken at once`() throws {
        let app = try TestApp()
        let lines = (0..<10_000).map { line("c\($0 % 100)", Event.behavior("v", ["id": .string("\($0)")])) }
        #expect(try post(app, lines).json["accepted"] == 10_000)
        #expect(places(expectProblem(try post(app, lines + [lines[0]]), 422)) == [" too_many"])
        #expect(try post(app, lines).json["duplicates"] == 10_000)
    }
}
