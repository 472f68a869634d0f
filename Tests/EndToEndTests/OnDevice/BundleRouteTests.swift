import BellwetherJSON
import TestSupport
import Testing

/// `GET /v1/apps/{app}/bundle` (docs/reference/http-api.md#the-bundle).
@Suite struct BundleRouteTests {
    private func bundle(_ app: TestApp, _ query: String = "", _ headers: [String: String] = [:]) throws -> HTTPResponse
    {
        try app.server.get("\(app.path)/bundle\(query)", headers: headers)
    }

    @Test func `It has all that is published, and nothing else`() throws {
        let app = try TestApp()
        try app.publish("b", Sample.message("m"))
        try app.publish("a", Sample.survey())
        try app.publish("draft", Sample.message("d"), query: "?state=draft")
        _ = try app.server.put("\(app.path)/strings/de", ["T": ["hello": "Hallo"]])
        let answer = try bundle(app)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Cache-Control") == "private, no-cache")
        #expect(answer.json["manifest"] == TestApp.manifest)
        #expect(answer.json["recipes"] == [Sample.survey(), Sample.message("m")], "by slug")
        #expect(answer.json["recipe_revisions"] == [["slug": "a", "revision": 1], ["slug": "b", "revision": 1]])
        #expect(answer.json["strings"] == ["de": ["T": ["hello": "Hallo"]]])
        // The manifest and four publishes.
        #expect(answer.json["revision"] == 5)
        #expect(answer.json["generated_at"].string?.hasSuffix("Z") == true)
    }

    @Test func `Its tag holds until the next publish`() throws {
        let app = try TestApp()
        let first = try bundle(app)
        let tag = try #require(first.header("ETag"))
        #expect(tag.hasPrefix("\"1-"))
        #expect(try bundle(app).body == first.body, "also the time")
        let same = try bundle(app, "?since=1", ["If-None-Match": tag])
        #expect(same.status == 304 && same.body.isEmpty)
        #expect(same.header("ETag") == tag && same.header("Cache-Control") == "private, no-cache")
        try app.publish("r", Sample.message("m"))
        let next = try bundle(app, "", ["If-None-Match": tag])
        #expect(next.status == 200 && next.header("ETag") != tag)
        #expect(next.json["recipes"] == [Sample.message("m")])
        // The same document again has no effect.
        try app.publish("r", Sample.message("m"))
        #expect(try bundle(app).body == next.body)
    }

    @Test(arguments: ["?since=1", "?since=99", "?since=", "?since=x", "?other=1"])
    func `What the device has makes no difference`(_ query: String) throws {
        let app = try TestApp()
        #expect(try bundle(app, query).body == bundle(app).body)
    }

    @Test func `HEAD, gzip and curl`() throws {
        let app = try TestApp()
        try app.publish("r", Sample.message("m", ["text": .string(String(repeating: "long ", count: 1000))]))
        let plain = try bundle(app)
        let compressed = try bundle(app, "", ["Accept-Encoding": "gzip"])
        #expect(compressed.header("Content-Encoding") == "gzip" && compressed.body.count < plain.body.count)
        let weak = try #require(compressed.header("ETag"))
        #expect(weak == "W/\(try #require(plain.header("ETag")))")
        #expect(try bundle(app, "", ["If-None-Match": weak, "Accept-Encoding": "gzip"]).status == 304)
        let head = try app.server.send("HEAD", "\(app.path)/bundle")
        #expect(head.header("Content-Length") == "\(plain.body.count)" && head.header("ETag") == plain.header("ETag"))
        let url = "http://127.0.0.1:\(app.server.port)\(app.path)/bundle"
        #expect(try Command.curl("--compressed", url).output == plain.text)
    }

    @Test func `A restart changes nothing`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        try app.publish("r", Sample.survey())
        let before = try bundle(app)
        try daemon.kill()
        let again = try Daemon(data: daemon.data)
        let after = try bundle(TestApp(on: again, named: app.name))
        #expect(after.body == before.body && after.header("ETag") == before.header("ETag"))
    }

    @Test func `An app that is not there`() throws {
        expectProblem(try Servers.shared().get("/v1/apps/nobody/bundle"), 404)
    }

    @Test func `It takes a client's token for the app`() throws {
        let guarded = try GuardedDaemon()
        for (token, status) in [
            ("client-one", 200), ("client-all", 200), ("admin-one", 200), ("client-two", 403), ("owner-one", 403),
            ("pipeline-one", 403), ("client-expired", 401),
        ] {
            let answer = try guarded.daemon.get("/v1/apps/one/bundle", headers: GuardedDaemon.bearer(token))
            #expect(answer.status == status, "\(token)")
        }
        expectProblem(try guarded.daemon.get("/v1/apps/one/bundle"), 401)
    }
}
