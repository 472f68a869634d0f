import BellwetherJSON
import TestSupport
import Testing

/// `bellwether status` (docs/reference/http-api.md#the-command-status).
@Suite struct StatusCommandTests {
    private func status(_ port: Int, _ more: String...) throws -> Command {
        try Command.run([BellwetherProgram.path, "status", "--url", "http://127.0.0.1:\(port)"] + more)
    }

    @Test func `A daemon that works is 0, with each part`() throws {
        let daemon = try Servers.shared()
        let told = try status(daemon.port)
        #expect(told.status == 0 && told.errors == "")
        #expect(
            told.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "part state", "snapshot ok", "store ok", "files ok", "settings ok",
            ])
        let heartbeat = try JSONValue(parsing: try status(daemon.port, "--json").output)
        #expect(heartbeat == (try daemon.get("/__heartbeat__").json))
    }

    @Test func `A part that failed is 1, and so is a daemon that does not answer`() throws {
        let app = try TestApp(on: try Daemon())
        try app.publish("r", Sample.message("m"))
        try app.record("c", Event.behavior("visit"))
        let disk = try FullDisk(app.server)
        try disk.begin()
        try waitUntil("the store fails") {
            _ = try app.server.post("\(app.path)/events", ["client_id": "c", "events": [Event.behavior("visit")]])
            return try app.server.get("/__heartbeat__").status == 503
        }
        let told = try status(app.server.port)
        #expect(told.status == 1 && told.lines.contains { $0.hasPrefix("store     error") })
        try disk.end()
        try app.server.kill()
        let silent = try status(app.server.port)
        #expect(silent.status == 1 && silent.output == "" && silent.errors.contains("cannot be reached"))
    }
}
