import BellwetherJSON
import Foundation
import Synchronization
import TestSupport
import Testing

/// A disk that refuses writes. Writes get 503, polls continue, and no acknowledged write is lost. The daemon recovers
/// by itself when the disk does.
@Suite struct FullDiskTests {
    private func app() throws -> TestApp {
        let app = try TestApp(on: try Daemon(["--dev", "--workers", "2"]))
        try app.publish("r", Sample.message("m", ["style": "TWICE"]))
        try app.publish("survey", Sample.survey())
        return app
    }

    /// A request to each route that writes.
    private func writes(_ app: TestApp) throws -> [(method: String, path: String, body: JSONValue?)] {
        let cursor = try #require(try app.server.get("\(app.path)/telemetry").header("Bellwether-Next"))
        let event = Event.message("displayed", "m", ["id": "refused"])
        let manifest = JSONValue.object((TestApp.manifest.object ?? [:]).merging("short_name", "New"))
        return [
            ("POST", "events", ["client_id": "c", "events": [event]]),
            ("POST", "messages", ["client_id": "c", "events": [event]]),
            ("POST", "responses", ["client_id": "c", "message": "survey", "option": "1"]),
            ("PUT", "clients/c/participation", ["experiments": false]), ("DELETE", "clients/c", nil),
            ("PUT", "recipes/r", Sample.message("m", ["style": "ONCE"])), ("PUT", "manifest", manifest),
            ("PUT", "strings/de", ["T": ["a": "b"]]), ("PUT", "consumers/warehouse", ["cursor": .string(cursor)]),
        ].map { ($0.0, "\(app.path)/\($0.1)", $0.2) }
    }

    private func reads(_ app: TestApp) -> [String] {
        [
            "messages?client_id=c", "messages?client_id=stranger", "clients/c/participation", "telemetry", "bundle",
            "recipes", "results/survey", "manifest",
        ].map { "\(app.path)/\($0)" }
    }

    private func send(_ write: (method: String, path: String, body: JSONValue?), _ app: TestApp) throws -> HTTPResponse
    {
        let headers = write.body == nil ? [:] : ["Content-Type": "application/json"]
        return try app.server.send(write.method, write.path, headers: headers, body: write.body?.encoded)
    }

    private func health(_ app: TestApp) throws -> Int { try app.server.get("/__heartbeat__").status }

    @Test func `Writes are 503 and reads go on, and all is as it was when the disk is`() throws {
        let app = try app()
        try app.record("c", Event.message("displayed", "m", ["id": "kept"]))
        let before = try reads(app).map { try app.server.get($0) }
        let tag = try #require(before[0].header("ETag"))
        let disk = try FullDisk(app.server)

        try disk.begin()
        for write in try writes(app) {
            let answer = try send(write, app)
            expectProblem(answer, 503)
            #expect(answer.header("Retry-After") == "1")
        }
        for (path, earlier) in zip(reads(app), before) {
            let answer = try app.server.get(path)
            #expect(answer.status == 200 && answer.text == earlier.text, "\(path): \(answer.text)")
        }
        #expect(try app.poll("c", headers: ["If-None-Match": tag]).status == 304)
        let heartbeat = try app.server.get("/__heartbeat__")
        #expect(heartbeat.status == 503 && heartbeat.json["checks"]["store"] == "error")
        #expect(try app.server.get("/__lbheartbeat__").status == 200)
        #expect(try app.server.get("/metrics").text.contains("\nbellwether_store_healthy 0\n"))
        try waitUntil("it is told") { app.server.logText.contains("the store takes no writes") }

        try disk.end()
        // The daemon recovers without a request or a write.
        try waitUntil("it recovers") { app.server.logText.contains("the store takes writes again") }
        #expect(try health(app) == 200)
        #expect(try reads(app).map { try app.server.get($0).text } == before.map(\.text))
        // A refused write leaves nothing behind: neither the id of the event nor a revision.
        #expect(
            try app.record("c", Event.message("displayed", "m", ["id": "kept"]))["duplicates"] == 1)
        let answers = try writes(app).filter { $0.method != "DELETE" }.map { try send($0, app) }
        #expect(answers.map(\.status) == [200, 200, 201, 200, 200, 200, 201, 201])
        #expect(answers[0].json["accepted"] == 1 && answers[1].json["events"]["duplicates"] == 1)
        #expect(answers[4].json["revision"] == 2)
        try expectAfterAKill(app)
    }

    private func expectAfterAKill(_ app: TestApp) throws {
        let records = try app.telemetry()
        #expect(records.filter { $0["name"] == "shown" }.count == 2)
        try app.server.kill()
        let next = TestApp(on: try Daemon(data: app.server.data), named: app.name)
        #expect(try next.telemetry() == records)
        #expect(try next.keys("c", "&surface=card") == [])
        #expect(try next.respond("c", "survey", "2").status == 409)
    }

    /// The daemon reads a client that is not in memory from the file, while another client's write fails.
    @Test func `Clients that have to be read from the disk are served all the same`() throws {
        var app = try app()
        try app.record("c", Event.message("displayed", "m"))
        // After its end the log is empty: the next daemon has nothing to truncate while the disk is full.
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        app = TestApp(on: try Daemon(data: app.server.data), named: app.name)
        try app.publish("more", Sample.message("x", ["text": .string(String(repeating: "x", count: 50_000))]))
        let disk = try FullDisk(app.server)
        try disk.begin()
        expectProblem(try send(try writes(app)[0], app), 503)
        #expect(try app.poll("c", "&surface=card").json["messages"][0]["display_count"] == 1)
        try disk.end()
    }

    /// Clients that repeat each event until it is acknowledged, while the disk fills up and recovers.
    @Test(arguments: [1, 2])
    func `Whatever is sent until it is acknowledged counts once`(_ seed: UInt64) throws {
        let app = try app()
        let disk = try FullDisk(app.server)
        let persistence = Persistence()
        let writers = (0..<4).map { writer in { @Sendable () throws in try persistence.write("\(writer)", app) } }
        let trouble = { @Sendable () throws in
            defer { persistence.end() }
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<5 {
                let (accepted, refused) = persistence.counts
                let more = Int.random(in: 1...40, using: &generator)
                try disk.begin()
                try waitUntil("writes are refused") { persistence.counts.refused > refused + more }
                try disk.end()
                try waitUntil("writes go on") { persistence.counts.accepted > accepted + more }
            }
        }
        _ = try together(writers + [trouble])
        let count = persistence.counts.accepted
        try app.publish("exact", ["triggers": ["EXACT": .string("'visit'|eventSum('Years', 4, 0) == \(count)")]])
        try app.publish("e", Sample.message("exact", ["trigger-if-all": ["EXACT"], "surface": "notification"]))
        #expect(try app.keys("c", "&surface=notification") == ["exact"])
    }
}

/// Writers that repeat each request until it succeeds, and their progress.
private final class Persistence: Sendable {
    private struct Progress {
        var accepted = 0
        var refused = 0
        var isOver = false
    }

    private let progress = Mutex(Progress())

    var counts: (accepted: Int, refused: Int) { progress.withLock { ($0.accepted, $0.refused) } }

    func end() { progress.withLock { $0.isOver = true } }

    /// Writes numbered events of one client, one after another. Each is sent again until it is acknowledged.
    func write(_ name: String, _ app: TestApp) throws {
        let connection = try app.server.connect()
        var number = 0
        while !progress.withLock({ $0.isOver }) {
            let event = Event.behavior("visit", ["id": .string("\(name)-\(number)")])
            let body: JSONValue = ["client_id": "c", "events": [event]]
            while try !isAccepted(body, on: connection, app) {}
            number += 1
        }
    }

    private func isAccepted(_ body: JSONValue, on connection: HTTPConnection, _ app: TestApp) throws -> Bool {
        let type = ["Content-Type": "application/json"]
        try connection.send("POST", "\(app.path)/events", headers: type, body: body.encoded)
        let answer = try connection.receive()
        guard answer.status == 200 || answer.status == 503 else { throw Failure("\(answer.status): \(answer.text)") }
        progress.withLock { if answer.status == 200 { $0.accepted += 1 } else { $0.refused += 1 } }
        return answer.status == 200
    }
}
