import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Erasure of a client, over every worker and a restart.
@Suite struct ErasureTests {
    @Test func `State and answers go, the log stays, and the client begins anew`() throws {
        let daemon = try Daemon(["--dev", "--workers", "4"])
        let app = try TestApp(on: daemon)
        try app.publish("survey", Sample.survey(style: "ONCE"))
        try app.publish("visits", Sample.message("welcome", ["trigger-if-all": ["TWO_VISITS"]]))
        for client in ["gone", "stays"] {
            try app.record(client, Event.behavior("visit", ["id": "v1"]), Event.behavior("visit", ["id": "v2"]))
            try app.record(client, Event.message("displayed", "survey"))
            #expect(try app.respond(client, "survey", "0").status == 201)
            #expect(try app.keys(client) == ["welcome"])
        }
        let log = try app.telemetry()
        // The kernel spreads connections over the workers, so each has decided for the client and has a cache entry.
        for _ in 0..<20 { #expect(try app.keys("gone") == ["welcome"]) }

        #expect(try daemon.send("DELETE", "\(app.path)/clients/gone").status == 204)
        for _ in 0..<20 { #expect(try app.keys("gone") == ["survey"]) }
        #expect(try app.keys("stays") == ["welcome"])
        #expect(try app.telemetry() == log)
        #expect(try daemon.send("DELETE", "\(app.path)/clients/gone").status == 204)

        // An event that was sent before the erasure counts as new.
        #expect(try app.record("gone", Event.behavior("visit", ["id": "v1"]))["accepted"] == 1)
        for _ in 0..<20 { #expect(try app.keys("gone") == ["survey"]) }
        #expect(try app.respond("gone", "survey", "1").status == 201)
        #expect(try app.respond("stays", "survey", "1").status == 409)

        #expect(try daemon.send("DELETE", "\(app.path)/clients/gone").status == 204)
        try daemon.kill()
        let next = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        #expect(try next.keys("gone") == ["survey"])
        #expect(try next.keys("stays") == ["welcome"])
    }

    /// Workers cache a client's responses by the version of its state.
    @Test func `What was answered before is not remembered for the state that comes next`() throws {
        let app = try TestApp()
        try app.publish("survey", Sample.survey(style: "ONCE"))
        try app.record("c", Event.message("displayed", "survey"))
        for _ in 0..<20 { #expect(try app.keys("c") == []) }
        #expect(try app.server.send("DELETE", "\(app.path)/clients/c").status == 204)
        try app.record("c", Event.behavior("visit"))
        for _ in 0..<20 { #expect(try app.keys("c") == ["survey"]) }
    }

    @Test func `Erased while it writes, a client has what it wrote afterwards and nothing else`() throws {
        let app = try TestApp()
        try app.publish("m", Sample.message("m"))
        for round in 0..<10 {
            let (client, owner) = (try app.server.connect(), try app.server.connect())
            for _ in 0..<5 { try app.record("c", Event.message("displayed", "m")) }
            let event: JSONValue = ["client_id": "c", "events": [Event.message("displayed", "m")]]
            try client.send("POST", "\(app.path)/events", body: event.encoded)
            try owner.send("DELETE", "\(app.path)/clients/c")
            #expect(try client.receive().status == 200)
            #expect(try owner.receive().status == 204)
            let count = try app.poll("c").json["messages"][0]["display_count"].integer ?? -1
            #expect([0, 1].contains(count), "round \(round)")
            #expect(try app.server.send("DELETE", "\(app.path)/clients/c").status == 204)
        }
    }

    /// The audit names the author and the time. Only a person who has the id can find its digest there.
    @Test(.disabled(if: Daemon.isSeveral, "the command is given a data directory"))
    func `The audit tells of it, without the id`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        for client in ["somebody", "else"] { try app.record(client, Event.behavior("visit")) }
        let start = try daemon.get("/v1/audit").header("Bellwether-Next") ?? ""
        #expect(try daemon.send("DELETE", "\(app.path)/clients/somebody").status == 204)
        #expect(try daemon.send("DELETE", "\(app.path)/clients/somebody").status == 204)
        #expect(try daemon.send("DELETE", "\(app.path)/clients/nobody").status == 204)
        let told = try daemon.get("/v1/audit?after=\(start)")
        #expect(told.lines.count == 1 && !told.text.contains("somebody"))
        let record = try #require(told.lines.first)
        #expect([record["by"], record["action"], record["kind"]] == ["dev", "erase", "client"])
        #expect(record["app"] == .string(app.name) && record["before"] == .null)
        func digest(_ client: String) throws -> Command {
            try Command.bellwether(
                "audit", "digest", "--data", daemon.data.path + "/data", "--app", app.name, client)
        }
        #expect(try digest("somebody").output == (record["client"].string ?? "") + "\n")
        #expect(try digest("else").output != digest("somebody").output)
        let path = "\(app.path)/users/ada-lovelace/export"
        #expect(try daemon.get(path).status == 200)
        let export = try #require(try daemon.get("/v1/audit").lines.last)
        #expect([export["action"], export["kind"]] == ["export", "user"] && !export.text.contains("lovelace"))
        let user = try Command.bellwether(
            "audit", "digest", "--data", daemon.data.path + "/data", "--app", app.name, "--user", "ada-lovelace")
        #expect(user.output == (export["user"].string ?? "") + "\n")
        let nowhere = try Command.bellwether("audit", "digest", "--data", daemon.data.path, "--app", "a", "c")
        #expect(nowhere.status == 1 && nowhere.output.isEmpty && nowhere.errors.contains("secret"))
        #expect(!FileManager.default.fileExists(atPath: daemon.data.path + "/secret"))
    }
}
