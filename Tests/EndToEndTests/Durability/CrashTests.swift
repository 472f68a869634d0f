import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Every acknowledged write is stored exactly once after a kill -9 and a restart.
@Suite struct CrashTests {
    private func app(on daemon: Daemon) throws -> TestApp {
        let app = try TestApp(on: daemon)
        try app.publish("visits", Sample.message("welcome", ["trigger-if-all": ["TWO_VISITS"]]))
        try app.publish("survey", Sample.survey(style: "TWICE"))
        return app
    }

    /// The same app on the same directory, after the daemon was killed.
    private func restart(_ app: TestApp, arguments: [String] = ["--dev"]) throws -> TestApp {
        try app.server.kill()
        return TestApp(on: try Daemon(arguments, data: app.server.data), named: app.name)
    }

    @Test func `Event counts survive, and the same ids are duplicates`() throws {
        var app = try app(on: try Daemon())
        let events = [Event.behavior("visit", ["id": "1"]), Event.behavior("visit", ["id": "2"])]
        try app.record("c", events[0])
        try app.record("c", events[1])
        app = try restart(app)
        #expect(try app.keys("c", "&surface=card") == ["welcome"])
        let receipt = try app.record("c", events[0], events[1], Event.behavior("visit", ["id": "3"]))
        #expect(receipt == ["accepted": 1, "duplicates": 2, "rejected": []])
        let explained = try app.server.post(
            "\(app.path)/explain", ["client_id": "c", "surface": "card", "context": [:]])
        #expect(explained.json["selected"] == "welcome")
    }

    @Test func `A batch is all there or not at all, whenever the kill comes`() throws {
        var app = try app(on: try Daemon())
        let batch = (0..<100).map { Event.behavior("visit", ["id": .string("b\($0)")]) }
        let body: JSONValue = ["client_id": "c", "events": .array(batch)]
        let connection = try app.server.connect()
        try connection.send("POST", "\(app.path)/events", body: body.encoded)
        // The test does not wait for the response: the kill comes while the request is under way, or just after it.
        app = try restart(app)
        let receipt = try app.server.post("\(app.path)/events", body).json
        #expect(
            [["accepted": 100, "duplicates": 0, "rejected": []], ["accepted": 0, "duplicates": 100, "rejected": []]]
                .contains(receipt))
    }

    @Test func `Display counts and caps survive`() throws {
        var app = try app(on: try Daemon())
        try app.record("c", Event.message("displayed", "survey", ["id": "d1"]))
        app = try restart(app)
        #expect(try app.poll("c", "&surface=microsurvey").json["messages"][0]["display_count"] == 1)
        try app.record("c", Event.message("displayed", "survey", ["id": "d1"]))
        #expect(try app.keys("c", "&surface=microsurvey") == ["survey"])
        try app.record("c", Event.message("displayed", "survey", ["id": "d2"]))
        app = try restart(app)
        #expect(try app.keys("c", "&surface=microsurvey") == [])
    }

    @Test func `The answer survives, with its id and its records`() throws {
        var app = try app(on: try Daemon())
        let first = try app.respond("c", "survey", "1", ["id": "r1"])
        #expect(first.status == 201)
        let records = try app.recorded()
        app = try restart(app)
        let again = try app.respond("c", "survey", "1", ["id": "r1"])
        #expect(again.status == 200)
        #expect(again.json == first.json)
        #expect(try app.respond("c", "survey", "2").status == 409)
        #expect(try app.recorded() == records)
        #expect(try app.keys("c", "&surface=microsurvey") == [])
    }

    @Test func `What was published survives, with its revisions and entity tags`() throws {
        var app = try app(on: try Daemon())
        try app.publish("extra", Sample.message("x"))
        let second = try app.publish("extra", Sample.message("x", ["text": "Changed"]))
        app = try restart(app)
        let stored = try app.server.get("\(app.path)/recipes/extra")
        #expect(stored.header("ETag") == second.header("ETag"))
        #expect(stored.json["messages"]["x"]["text"] == "Changed")
        #expect(try app.publish("extra", Sample.message("x", ["text": "Third"])).json["revision"] == 3)
    }

    @Test func `A telemetry cursor goes on after the crash`() throws {
        var app = try app(on: try Daemon())
        try app.record("c", Event.message("displayed", "welcome"))
        let cursor = try app.telemetry().last?["cursor"].string ?? ""
        app = try restart(app)
        try app.record("c", Event.message("dismissed", "welcome"))
        let further = try app.server.get("\(app.path)/telemetry?after=\(cursor)").lines
        #expect(further.map { $0["name"] } == ["dismissed"])
    }
}
