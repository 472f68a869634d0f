import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Rate limits of the real daemon: they count over all workers, and change while it runs.
@Suite struct RateLimitTests {
    @Test func `Workers count together`() throws {
        let daemon = try Daemon(
            ["--dev", "--workers", "4"],
            environment: [
                "BELLWETHER_LIMITS_RATE_CLIENT_PER_SECOND": "1", "BELLWETHER_LIMITS_RATE_CLIENT_BURST": "10",
            ])
        let app = try TestApp(on: daemon)
        let begin = ContinuousClock.now
        // Each poll uses a new connection, so that all workers get some.
        let statuses = try (0..<60).map { _ in try app.poll("c").status }
        let seconds = Int((ContinuousClock.now - begin) / .seconds(1)) + 1
        let admitted = statuses.count { $0 == 200 }
        #expect((10...(10 + seconds)).contains(admitted))
        #expect(statuses.count { $0 == 429 } == 60 - admitted)
        // Each second one more poll is let in.
        var refusal = try app.poll("c")
        _ = try eventually {
            if refusal.status == 200 { refusal = try app.poll("c") }
            return refusal.status == 429
        }
        #expect(places(expectProblem(refusal, 429)) == [" rate_limited"])
        #expect(refusal.header("Retry-After") == "1")
        #expect(try app.poll("d").status == 200)
    }

    @Test func `Of 150 connections that begin a response at once 3 are let in, where 3 may`() throws {
        let daemon = try Daemon(
            ["--dev", "--workers", "4"],
            environment: [
                "BELLWETHER_LIMITS_WEB_RESPONDENTS_PER_HOUR": "3", "BELLWETHER_LIMITS_WEB_WRITES_PER_SECOND": "0",
            ])
        let app = try TestApp(on: daemon)
        let questions: JSONValue = [["id": "a", "type": "text", "title": "?"]]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": questions],
        ]
        guard try app.publish("q", recipe).status == 201 else { throw Failure("not published") }
        let made = try daemon.post("/v1/tokens", ["scope": "client", "app": .string(app.name), "web": true])
        let token = GuardedDaemon.bearer(made.json["token"].string ?? "")
        let path = "/v1/apps/\(app.name)/questionnaires/q/responses"
        let statuses = try together(
            (0..<150).map { number in
                {
                    let body: JSONValue = ["client_id": .string("c\(number)"), "answers": ["a": "x"]]
                    return try daemon.post(path, body, headers: token).status
                }
            })
        #expect(statuses.sorted() == Array(repeating: 201, count: 3) + Array(repeating: 429, count: 147))
    }

    @Test func `SIGHUP sets a limit, and takes it away`() throws {
        let folder = try TemporaryDirectory()
        let config = try folder.write("limits:\n  rate:\n    address_per_second: 0\n", to: "c.yaml")
        let daemon = try Daemon(["--dev", "--config", config])
        let app = try TestApp(on: daemon)
        func statuses() throws -> Set<Int> { Set(try (0..<8).map { _ in try app.poll().status }) }
        func reload(_ rate: Int, _ times: Int) throws {
            try folder.write("limits:\n  rate:\n    address_per_second: \(rate)\n    address_burst: 2\n", to: "c.yaml")
            daemon.signal(SIGHUP)
            guard eventually({ daemon.reloads >= times }) else { throw Failure("never reloaded: \(daemon.logText)") }
            #expect(try daemon.get("/__lbheartbeat__").status == 200)
        }
        #expect(try statuses() == [200])
        try reload(1, 1)
        // On a slow machine, more polls are needed: each second one more is let in.
        var seen: Set<Int> = []
        _ = try eventually {
            seen.insert(try app.poll().status)
            return seen.count == 2
        }
        #expect(seen == [200, 429])
        #expect(try daemon.get("/metrics").status == 200)
        try reload(0, 2)
        #expect(try statuses() == [200])
    }

    @Test(arguments: ["client_per_second: -1", "client_burst: 0", "token_burst: 0", "address_per_second: 1000001"])
    func `A limit out of bounds stops the start`(_ line: String) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("limits:\n  rate:\n    \(line)\n", to: "c.yaml")
        let result = try Command.bellwether("serve", "--dev", "--config", file, "--check")
        #expect(result.status == 1)
        #expect(result.errors.contains("limits.rate."))
    }
}
