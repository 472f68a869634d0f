import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Only one daemon uses a data directory (docs/reference/http-api.md#the-data-directory).
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

    /// The daemon's workers share the port (SO_REUSEPORT), so another daemon on it would get a part of the requests.
    @Test func `A port that is taken is told`() throws {
        let daemon = try Daemon()
        let folder = try TemporaryDirectory()
        let result = try Command.bellwether(
            "serve", "--dev", "--port", "\(daemon.port)", "--data", folder.path + "/data")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Cannot listen on 127.0.0.1 port \(daemon.port): Address already in use."))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    @Test func `A directory of a newer version is refused in a sentence, and stays as it is`() throws {
        let daemon = try Daemon()
        let data = daemon.data.path + "/data"
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as database:
                database.execute("INSERT INTO grdb_migrations VALUES ('99 of a newer version')")
            """
        #expect(try Command.run(["python3", "-c", script, data + "/bellwether.sqlite"]).status == 0)
        let files = ["bellwether.sqlite", "secret"].map { URL(fileURLWithPath: "\(data)/\($0)") }
        let before = try files.map { try Data(contentsOf: $0) }
        let result = try Command.bellwether("serve", "--dev", "--port", "0", "--data", data)
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors.contains("\(data)/bellwether.sqlite was written by a newer version of bellwether"))
        #expect(try files.map { try Data(contentsOf: $0) } == before)
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

    @Test func `Its files are for the daemon's user alone, and others' access to it is told`() throws {
        let folder = try TemporaryDirectory()
        let data = folder.path + "/data"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        try Permissions.set(0o755, of: data)
        let daemon = try Daemon(data: folder)
        try TestApp(on: daemon).publish("x", Sample.message("m"))
        let made = try modes(in: data)
        let expected: Set = ["bellwether.sqlite", "bellwether.sqlite-wal", "bellwether.lock", "secret"]
        #expect(expected.isSubset(of: made.keys))
        #expect(made.allSatisfy { $0.value == 0o600 }, "\(made)")
        #expect(daemon.logText.contains("others may read \(data) (mode 755): chmod go= \(data)"))
        try daemon.kill()
        // Permissions that an older version has left.
        for name in made.keys { try Permissions.set(0o644, of: "\(data)/\(name)") }
        try Permissions.set(0o700, of: data)
        let next = try Daemon(data: folder)
        let kept = try modes(in: data).filter { $0.key != "bellwether.lock" }
        #expect(kept.allSatisfy { $0.value == 0o600 }, "\(kept)")
        #expect(!next.logText.contains("others may"))
        let backup = try Command.bellwether("backup", "--data", data, folder.path + "/backup")
        #expect(backup.status == 0)
        #expect(try modes(in: folder.path + "/backup").allSatisfy { $0.value == 0o600 })
        #expect(try modes(in: folder.path)["backup"] == 0o700)
    }

    private func modes(in folder: String) throws -> [String: Int] {
        let files = FileManager.default
        var modes: [String: Int] = [:]
        for name in try files.contentsOfDirectory(atPath: folder) {
            modes[name] = try files.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
        }
        return modes
    }
}
