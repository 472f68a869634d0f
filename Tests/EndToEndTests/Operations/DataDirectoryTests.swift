import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// One data directory, one daemon (api.md 5).
@Suite struct DataDirectoryTests {
    @Test func `A second daemon on the same directory refuses to start, in a sentence`() throws {
        let daemon = try Daemon()
        let second = try Command.bellwether("serve", "--dev", "--port", "0", "--data", daemon.data.path + "/data")
        #expect(second.status == 1)
        #expect(second.output.isEmpty)
        #expect(second.errors.contains("in use by another process"))
        #expect(!second.errors.contains("unusable("))
        #expect(try daemon.get("/__lbheartbeat__").status == 200)
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        let next = try Daemon(data: daemon.data)
        #expect(try next.get("/__heartbeat__").json["status"] == "ok")
    }

    @Test func `A directory that cannot be used is told`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("in the way", to: "file")
        let result = try Command.bellwether("serve", "--dev", "--port", "0", "--data", file + "/data")
        #expect(result.status == 1)
        #expect(result.errors.contains(file))
    }

    @Test func `A port that is taken is told`() throws {
        let daemon = try Daemon()
        let folder = try TemporaryDirectory()
        // Other daemons may share a port on purpose (SO_REUSEPORT); what does not is refused.
        let result = try Command.bellwether(
            "serve", "--dev", "--host", "127.0.0.1", "--port", "99999", "--data", folder.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("http.port"))
        _ = daemon
    }

    @Test func `The derived uuid of a press survives a restart`() throws {
        let daemon = try Daemon()
        var app = try TestApp(on: daemon)
        try app.publish("x", Sample.message("m", ["action": "https://example.org/{uuid}"]))
        let uuid = try app.poll().json["messages"][0]["action"]["uuid"]
        try daemon.kill()
        app = TestApp(on: try Daemon(data: daemon.data), named: app.name)
        #expect(try app.poll().json["messages"][0]["action"]["uuid"] == uuid)
        #expect(uuid != .null)
    }
}
