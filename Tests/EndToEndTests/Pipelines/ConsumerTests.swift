import BellwetherJSON
import TestSupport
import Testing

/// The cursors of consumers (docs/reference/http-api.md#consumers), and the data that remains of an app that is no
/// longer published.
@Suite struct ConsumerTests {
    private func filled(on server: Daemon? = nil, _ count: Int) throws -> TestApp {
        let app = try TestApp(on: server)
        try app.publish("x", Sample.message("m"))
        for index in 0..<count { try app.record("c\(index)", Event.message("displayed", "m")) }
        return app
    }

    private func put(_ app: TestApp, _ name: String, _ cursor: String) throws -> HTTPResponse {
        try app.server.put("\(app.path)/consumers/\(name)", ["cursor": .string(cursor)])
    }

    @Test func `A place survives a crash`() throws {
        let daemon = try Daemon()
        let app = try filled(on: daemon, 3)
        let cursor = try #require(try app.telemetry()[1]["cursor"].string)
        #expect(try put(app, "a%20name", cursor).status == 201)
        try daemon.kill()
        let next = try Daemon(data: daemon.data)
        let kept = try next.get("\(app.path)/consumers/a%20name")
        #expect(kept.json["cursor"].string == cursor && kept.json["lag"] == 1)
        #expect(try next.get("\(app.path)/telemetry?after=\(cursor)").lines.map { $0["client_id"] } == ["c2"])
    }

    @Test func `Refusals`() throws {
        let app = try filled(1)
        expectProblem(try app.server.get("\(app.path)/consumers/nobody"), 404)
        #expect(places(expectProblem(try put(app, "n", "nonsense"), 400)) == ["/cursor cursor"])
        #expect(places(expectProblem(try put(app, "n", "tzzzzzzz"), 410)) == [" cursor_foreign"])
        expectProblem(try app.server.send("PUT", "\(app.path)/consumers/n"), 411)
        expectProblem(try app.server.send("DELETE", "\(app.path)/consumers/n"), 404)
        expectProblem(try app.server.get("/v1/apps/nowhere/consumers"), 404)
        expectProblem(try app.server.get("/v1/apps/nowhere/telemetry"), 404)
    }

    @Test func `A pipeline's token is needed, an owner's to erase`() throws {
        let guarded = try GuardedDaemon()
        let path = "/v1/apps/one"
        for (token, reads, erases) in [
            ("pipeline-one", 200, 403), ("owner-one", 200, 204), ("reader-one", 200, 403), ("support-one", 200, 204),
            ("client-one", 403, 403), ("pipeline-two", 403, 403),
            ("owner-two", 403, 403), ("admin-all", 200, 204),
        ] {
            let headers = GuardedDaemon.bearer(token)
            #expect(try guarded.daemon.get("\(path)/consumers", headers: headers).status == reads)
            #expect(try guarded.daemon.send("DELETE", "\(path)/clients/c", headers: headers).status == erases)
        }
    }

    @Test func `What is left of a deleted app is taken away, and its clients erased`() throws {
        let app = try filled(2)
        #expect(try put(app, "slow", "").status == 201)
        #expect(try app.server.send("DELETE", "\(app.path)/manifest").status == 204)
        expectProblem(try app.poll(), 404)
        let rest = try app.server.get("\(app.path)/telemetry?limit=1")
        #expect(rest.lines.map { $0["client_id"] } == ["c0"])
        let next = try #require(rest.header("Bellwether-Next"))
        #expect(try put(app, "slow", next).json["lag"] == 1)
        let pings = try app.server.get("\(app.path)/telemetry?after=\(next)&format=glean")
        #expect(pings.lines.count == 1)
        #expect(try app.server.send("DELETE", "\(app.path)/clients/c0").status == 204)
        #expect(try app.server.send("DELETE", "\(app.path)/consumers/slow").status == 204)
    }
}
