import BellwetherJSON
import TestSupport
import Testing

/// Limits from the settings take effect (docs/reference/http-api.md#limits).
@Suite struct LimitTests {
    private static let small = Result {
        try Daemon(environment: [
            "BELLWETHER_LIMITS_HEAD_BYTES": "1024", "BELLWETHER_LIMITS_HEADER_COUNT": "8",
            "BELLWETHER_LIMITS_TARGET_BYTES": "256", "BELLWETHER_LIMITS_BODY_BYTES": "200",
            "BELLWETHER_LIMITS_OWNER_BODY_BYTES": "2000", "BELLWETHER_LIMITS_JSON_DEPTH": "6",
            "BELLWETHER_LIMITS_EVENTS": "2", "BELLWETHER_MESSAGES_NEXT_POLL_SECONDS": "60",
        ])
    }

    private func app() throws -> TestApp {
        let app = TestApp(on: try Self.small.get(), named: "small")
        let manifest: JSONValue = ["app_name": "a", "default_locale": "en", "surfaces": ["card"]]
        _ = try app.server.put("\(app.path)/manifest", manifest)
        return app
    }

    @Test func `Head, headers and target`() throws {
        let app = try app()
        let path = "\(app.path)/messages?client_id=c"
        #expect(try app.server.get(path).status == 200)
        #expect(try app.server.get(path, headers: ["X": String(repeating: "y", count: 1024)]).status == 431)
        let headers = Dictionary(uniqueKeysWithValues: (0..<8).map { ("X-\($0)", "y") })
        #expect(try app.server.get(path, headers: headers).status == 431)
        #expect(try app.server.get(path + "&x=" + String(repeating: "y", count: 256)).status == 414)
    }

    @Test func `Bodies of clients and of owners`() throws {
        let app = try app()
        let long = JSONValue.string(String(repeating: "x", count: 300))
        #expect(try app.server.post("\(app.path)/events", ["client_id": long]).status == 413)
        let put = try app.server.put("\(app.path)/strings/en", ["T": ["k": long]])
        #expect(put.status < 300, "\(put.text)")
        let longer = JSONValue.string(String(repeating: "x", count: 2000))
        #expect(try app.server.put("\(app.path)/strings/en", ["T": ["k": longer]]).status == 413)
    }

    @Test func `Depth, in bodies, lines and documents`() throws {
        let app = try app()
        func nested(_ depth: Int) -> JSONValue { depth == 0 ? 1 : .array([nested(depth - 1)]) }
        let shallow: JSONValue = ["client_id": "c", "events": [["type": "behavior", "name": "v", "x": nested(3)]]]
        #expect(try app.server.post("\(app.path)/events", shallow).status == 200)
        let deep: JSONValue = ["client_id": "c", "events": [["type": "behavior", "name": "v", "x": nested(4)]]]
        #expect(places(expectProblem(try app.server.post("\(app.path)/events", deep), 400)) == [" json_depth"])
        let line: JSONValue = ["client_id": "c", "type": "behavior", "name": "v", "x": nested(6)]
        let lines = try app.server.post(
            "\(app.path)/events", line, headers: ["Content-Type": "application/x-ndjson"])
        #expect(places(expectProblem(lines, 400)) == ["/0 json_depth"])
        let document = try app.server.put("\(app.path)/recipes/r", ["messages": ["m": ["x": nested(4)]]])
        #expect(places(expectProblem(document, 400)) == [" json_depth"])
    }

    @Test func `Events a request, and the pause between polls`() throws {
        let app = try app()
        let event: JSONValue = ["type": "behavior", "name": "v"]
        let many = try app.server.post("\(app.path)/events", ["client_id": "c", "events": [event, event, event]])
        #expect(places(expectProblem(many, 422)) == ["/events too_many"])
        #expect((54...66).contains(try app.poll().json["next_poll_seconds"].integer ?? 0))
    }

    @Test func `A head or a body that does not come in time is 408, an idle connection is closed`() throws {
        // On a slow machine, a connection may be closed before its first request.
        let impatient = try Daemon(environment: ["BELLWETHER_LIMITS_IDLE_SECONDS": "1"])
        let idle = try impatient.connect()
        try? idle.send("GET", "/__lbheartbeat__")
        let answer = try? idle.receive()
        #expect(answer == nil || answer?.status == 200)
        let daemon = try Daemon(environment: [
            "BELLWETHER_LIMITS_HEAD_SECONDS": "1", "BELLWETHER_LIMITS_BODY_SECONDS": "1",
            "BELLWETHER_LIMITS_IDLE_SECONDS": "3600",
        ])
        let (head, body) = (try daemon.connect(), try daemon.connect())
        try head.send(Array("GET / HTTP/1.1\r\nHost:".utf8))
        try body.send(Array("POST /v1/apps/a/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{".utf8))
        expectProblem(try head.receive(), 408)
        expectProblem(try body.receive(), 408)
        #expect(try idle.isEnded())
    }
}
