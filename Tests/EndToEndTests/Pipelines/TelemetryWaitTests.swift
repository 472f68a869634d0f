import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Waiting for the next record (docs/reference/http-api.md#reading-telemetry).
@Suite struct TelemetryWaitTests {
    @Test func `A waiting request is answered by the next commit`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        let pipelines = try (0..<3).map { _ in try app.server.connect() }
        for pipeline in pipelines { try pipeline.send("GET", "\(app.path)/telemetry?after=&wait=60") }
        // The commit of another app wakes no request.
        let other = try TestApp()
        try other.publish("x", Sample.message("m"))
        try other.record("d", Event.message("displayed", "m"))
        try app.record("c", Event.message("displayed", "m"))
        for pipeline in pipelines {
            let answer = try pipeline.receive()
            #expect(answer.lines.map { $0["client_id"] } == ["c"])
            #expect(answer.header("Bellwether-Next") == answer.lines[0]["cursor"].string)
        }
    }

    @Test func `A reader that follows misses nothing`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        let (pipeline, client) = (try app.server.connect(), try app.server.connect())
        var cursor = ""
        var seen: [String] = []
        for index in 0..<20 {
            try pipeline.send("GET", "\(app.path)/telemetry?after=\(cursor)&wait=60")
            let event: JSONValue = ["client_id": .string("c\(index)"), "events": [Event.message("displayed", "m")]]
            try client.send("POST", "\(app.path)/events", body: event.encoded)
            _ = try client.receive()
            let answer = try pipeline.receive()
            seen += answer.lines.map { $0["client_id"].string ?? "" }
            cursor = answer.header("Bellwether-Next") ?? ""
        }
        #expect(seen == (0..<20).map { "c\($0)" })
    }

    @Test func `When nothing comes the answer is empty after the time asked for`() throws {
        let app = try TestApp()
        let start = ContinuousClock.now
        let answer = try app.server.get("\(app.path)/telemetry?wait=1")
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.header("Bellwether-Next") == "")
        #expect(ContinuousClock.now - start >= .milliseconds(900))
    }

    @Test func `What is there already is not waited for`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        try app.record("c", Event.message("displayed", "m"))
        let start = ContinuousClock.now
        #expect(try app.server.get("\(app.path)/telemetry?wait=60").lines.count == 1)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `A drain answers those who wait at once`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let pipeline = try daemon.connect()
        try pipeline.send("GET", "\(app.path)/telemetry?wait=60")
        // When the daemon answers a later request to the same worker, it has parked this one.
        try daemon.waitUntilParked(1)
        daemon.signal(SIGTERM)
        let answer = try pipeline.receive()
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.header("Connection") == "close")
        #expect(try daemon.wait() == 0)
    }

    @Test(.disabled(if: Daemon.isSeveral, "the requests that wait at one process are counted"))
    func `Who hangs up frees his place`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        var pipelines = try (0..<3).map { _ in try daemon.connect() }
        for pipeline in pipelines { try pipeline.send("GET", "\(app.path)/telemetry?wait=60") }
        try daemon.waitUntilParked(3)
        pipelines = []
        try daemon.waitUntilParked(0)
    }
}

extension Daemon {
    /// The value of a metric that has no labels.
    func metric(_ name: String) throws -> Int? {
        let line = try get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// Polls the metrics until this many requests wait.
    func waitUntilParked(_ count: Int) throws {
        guard try eventually({ try metric("bellwether_exchanges_parked") == count }) else {
            throw Failure("there are never \(count) waiting requests")
        }
    }
}
