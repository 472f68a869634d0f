import BellwetherJSON
import Foundation
import Synchronization
import TestSupport
import Testing

/// `bellwether backup` while a daemon writes, and `bellwether restore`.
@Suite struct BackupTests {
    private func paths(_ folder: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `A daemon restored from a backup has everything that was acknowledged before it, once`() throws {
        let app = try TestApp(on: try Daemon(["--dev", "--workers", "2"]))
        try app.publish("survey", Sample.survey(style: "ONCE"))
        try app.publish("once", Sample.message("m", ["style": "ONCE", "surface": "card"]))
        let writers = try Writers(app)
        try writers.awaitEach(3)
        try app.record("capped", Event.message("displayed", "m"))
        #expect(try app.respond("answered", "survey", "1").status == 201)
        let before = writers.acknowledged
        let cursor = try #require(try app.server.get("\(app.path)/telemetry").header("Bellwether-Next"))
        let seen = try app.telemetry().map { $0["cursor"] }

        let target = app.server.data.path + "/backup"
        let backup = try Command.bellwether(
            "backup", "--data", app.server.data.path + "/data", target, "--json")
        #expect(backup.status == 0, "\(backup.errors)")
        let told = try JSONValue(parsing: Array(backup.output.utf8))
        #expect(told["integrity"] == "ok")
        let newest = try app.server.get("\(app.path)/telemetry?after=\(told["telemetry_cursor"].string ?? "")")
        #expect(newest.status == 200)
        try writers.awaitEach(3)
        let later = try #require(try app.server.get("\(app.path)/telemetry?limit=10000").header("Bellwether-Next"))
        let all = try writers.end()
        try app.server.kill()

        let restored = TestApp(on: try daemon(restoredFrom: target), named: app.name)
        try expectEach(of: before, isIn: restored, amongst: all)
        #expect(try restored.keys("capped", "&surface=card") == [])
        #expect(try restored.keys("fresh", "&surface=card") == ["m"])
        #expect(try restored.respond("answered", "survey", "1").status == 409)
        // The log begins with the same records. Reads continue from a cursor before the backup and from one after it.
        let log = try restored.telemetry().map { $0["cursor"] }
        #expect(Array(log.prefix(seen.count)) == seen)
        #expect(Set(log.map(\.text)).count == log.count)
        try restored.record("new", Event.message("displayed", "m"))
        for after in [cursor, later] {
            let page = try restored.server.get("\(restored.path)/telemetry?limit=10000&after=\(after)")
            #expect(page.status == 200)
            #expect(page.lines.filter { $0["client_id"] == "new" && $0["name"] == "shown" }.count == 1)
        }
    }

    private func daemon(restoredFrom backup: String) throws -> Daemon {
        let data = try TemporaryDirectory()
        let restore = try Command.bellwether("restore", backup, "--data", data.path + "/data")
        #expect(restore.status == 0, "\(restore.errors)")
        return try Daemon(["--dev", "--workers", "2"], data: data)
    }

    /// Sends everything again: the events acknowledged before the backup are duplicates, and all events count once.
    private func expectEach(of acknowledged: [String: Int], isIn app: TestApp, amongst all: [String: Int]) throws {
        for (client, total) in all {
            let before = acknowledged[client] ?? 0
            #expect(before > 0)
            #expect(try duplicates(client, before, app) == before)
            _ = try duplicates(client, total, app)
            let name = "EXACT_\(client)"
            let fields: JSONObject = ["trigger-if-all": [.string(name)], "surface": "notification"]
            let message = Sample.message("is-\(client)", fields)
            let trigger: JSONValue = .string("'visit'|eventSum('Years', 4, 0) == \(total)")
            try app.publish(
                "is-\(client)", .object((message.object ?? [:]).merging("triggers", .object([name: trigger]))))
            #expect(try app.keys(client, "&surface=notification") == ["is-\(client)"], "\(client): \(total)")
            try app.delete("is-\(client)")
        }
    }

    /// The number of a client's first events that the daemon already knows.
    private func duplicates(_ client: String, _ count: Int, _ app: TestApp) throws -> Int {
        var known: Int64 = 0
        for start in stride(from: 0, to: count, by: 1000) {
            let events = (start..<min(start + 1000, count)).map { Writers.event($0) }
            let body: JSONValue = ["client_id": .string(client), "events": .array(events)]
            let receipt = try app.server.post("\(app.path)/events", body).json
            #expect(receipt["rejected"] == [])
            known += receipt["duplicates"].integer ?? 0
        }
        return Int(known)
    }

    @Test func `A press has the uuid that it had`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        try app.publish("x", Sample.message("m", ["action": "https://example.org/{uuid}"]))
        let uuid = try app.poll().json["messages"][0]["action"]["uuid"]
        let target = daemon.data.path + "/backup"
        #expect(try Command.bellwether("backup", "--data", daemon.data.path + "/data", target).status == 0)
        let restored = TestApp(on: try self.daemon(restoredFrom: target), named: app.name)
        #expect(try restored.poll().json["messages"][0]["action"]["uuid"] == uuid)
        #expect(uuid != .null)
    }

    @Test func `A backup is for its owner, has nothing beside, and gets no name that is taken`() throws {
        let daemon = try Daemon()
        let (data, target) = (daemon.data.path + "/data", daemon.data.path + "/backup")
        let first = try Command.bellwether("backup", "--data", data, target + "/")
        #expect(first.status == 0)
        #expect(first.output.contains(target) && first.output.contains("found whole") && first.errors.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target).sorted() == ["bellwether.sqlite", "secret"])
        for (name, mode) in [("", 0o700), ("/bellwether.sqlite", 0o600), ("/secret", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: target + name)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        let second = try Command.bellwether("backup", "--data", data, target)
        #expect(second.status == 1 && second.output.isEmpty && second.errors.contains("exists"))
        let nowhere = try Command.bellwether("backup", "--data", data, daemon.data.path + "/none/backup")
        #expect(nowhere.status == 1 && nowhere.errors.contains("No such file or directory"))
        let nothing = try Command.bellwether("backup", "--data", daemon.data.path + "/none", target + "2")
        #expect(nothing.status == 1 && nothing.errors.contains("there is no database"))
        #expect(try paths(daemon.data).filter { $0.hasPrefix("backup") } == ["backup"])
        #expect(try Command.bellwether("backup", "--data", data).status == 64)
    }

    @Test func `A directory that is used, or not empty, is not restored over`() throws {
        let daemon = try Daemon()
        let (data, target) = (daemon.data.path + "/data", daemon.data.path + "/backup")
        #expect(try Command.bellwether("backup", "--data", data, target).status == 0)
        let used = try Command.bellwether("restore", target, "--data", data)
        #expect(used.status == 1 && used.errors.contains("in use by another process"))
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        let full = try Command.bellwether("restore", target, "--data", data)
        #expect(full.status == 1 && full.errors.contains("is not empty"))
        let json = try Command.bellwether("restore", target, "--data", daemon.data.path + "/new", "--json")
        #expect(try JSONValue(parsing: Array(json.output.utf8))["secret"] == true)
        #expect(try Command.bellwether("audit", "verify", "--data", daemon.data.path + "/new").status == 0)
    }

    @Test func `What a backup or a restore that was broken off has left is replaced`() throws {
        let daemon = try Daemon()
        let (data, target) = (daemon.data.path + "/data", daemon.data.path + "/backup")
        try daemon.data.write("half a copy", to: "backup.partial/bellwether.sqlite")
        let backup = try Command.bellwether("backup", "--data", data, target)
        #expect(backup.status == 0, "\(backup.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target).sorted() == ["bellwether.sqlite", "secret"])
        let place = try TemporaryDirectory()
        try place.write("half a copy", to: "data/restore.partial/bellwether.sqlite")
        try place.write("half a secret", to: "data/secret")
        let restore = try Command.bellwether("restore", target, "--data", place.path + "/data")
        #expect(restore.status == 0, "\(restore.errors)")
        #expect(try Command.bellwether("audit", "verify", "--data", place.path + "/data").status == 0)
        try place.write("words", to: "other/notes")
        let refused = try Command.bellwether("restore", target, "--data", place.path + "/other")
        #expect(refused.status == 1 && refused.errors.contains("is not empty"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == ["notes"])
    }

    @Test func `A backup of a name that another process writes is refused`() throws {
        let daemon = try Daemon()
        let target = daemon.data.path + "/backup"
        try daemon.data.write("", to: "backup.partial/bellwether.lock")
        let lock = open(target + ".partial/bellwether.lock", O_RDWR)
        defer { close(lock) }
        #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let refused = try Command.bellwether("backup", "--data", daemon.data.path + "/data", target)
        #expect(refused.status == 1 && refused.errors.contains("another backup of that name is being made"))
    }

    @Test func `A backup is restored from where nothing can be written, and stays as it was`() throws {
        let daemon = try Daemon()
        let app = try TestApp(on: daemon)
        let target = daemon.data.path + "/100% of it?#1"
        #expect(try Command.bellwether("backup", "--data", daemon.data.path + "/data", target).status == 0)
        let file = target + "/bellwether.sqlite"
        let content = try Data(contentsOf: URL(fileURLWithPath: file))
        for mode in [0o500, 0o700] {
            try Permissions.set(mode, of: target)
            defer { try? Permissions.set(0o700, of: target) }
            let data = try TemporaryDirectory()
            let restore = try Permissions.bellwether("restore", target, "--data", data.path + "/data")
            #expect(restore.status == 0, "\(restore.errors)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: target).sorted() == ["bellwether.sqlite", "secret"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)
            #expect(try Daemon(data: data).get("\(app.path)/manifest").status == 200)
        }
    }

    @Test func `A folder that cannot be looked into does not count as empty`() throws {
        let daemon = try Daemon()
        let target = daemon.data.path + "/backup"
        #expect(try Command.bellwether("backup", "--data", daemon.data.path + "/data", target).status == 0)
        let data = try TemporaryDirectory()
        try Permissions.set(0o300, of: data.path)
        defer { try? Permissions.set(0o700, of: data.path) }
        let restore = try Permissions.bellwether("restore", target, "--data", data.path)
        #expect(restore.status == 1 && restore.errors.contains("\(data.path) cannot be read: Permission denied"))
    }

    @Test func `A disk that takes no more of a backup or a restore is told, and nothing is left`() throws {
        let daemon = try Daemon()
        try TestApp(on: daemon).publish("m", Sample.message())
        let (data, backup) = (daemon.data.path + "/data", daemon.data.path + "/backup")
        let restored = daemon.data.path + "/restored"
        #expect(try Command.bellwether("backup", "--data", data, backup).status == 0)
        for arguments in [
            ["backup", "--data", data, daemon.data.path + "/other"], ["restore", backup, "--data", restored],
        ] {
            // A file may not grow beyond the limit. The signal of the limit is ignored, so that a write fails.
            let limited = ["sh", "-c", "trap '' XFSZ; exec prlimit --fsize=65536 \"$@\"", "sh", BellwetherProgram.path]
            let result = try Command.run(limited + arguments)
            #expect(result.status == 1 && result.output.isEmpty)
            #expect(result.errors.contains("\(arguments[3]): SQLite "), "\(result.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: daemon.data.path)
        #expect(!names.contains { $0.hasPrefix("other") })
        #expect(try Command.bellwether("restore", backup, "--data", restored).status == 0)
    }

    @Test func `What is no backup is refused`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("no database at all, but bytes enough to look at", to: "bad/bellwether.sqlite")
        for (name, reason) in [("bad", "is not a database"), ("none", "there is no database")] {
            let result = try Command.bellwether("restore", folder.path + "/" + name, "--data", folder.path + "/data")
            #expect(result.status == 1 && result.errors.contains(reason), "\(result.errors)")
        }
    }
}

/// Clients that report events as fast as they are acknowledged. Each numbers its events from 0.
private final class Writers: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let isEnding = Mutex(false)
    private let failures = Mutex<[String]>([])
    private let done = DispatchSemaphore(value: 0)
    private static let clients = ["a", "b", "c", "d"]

    static func event(_ number: Int) -> JSONValue { Event.behavior("visit", ["id": .string("e\(number)")]) }

    init(_ app: TestApp) throws {
        for client in Self.clients {
            Thread.detachNewThread { [self] in
                defer { done.signal() }
                do {
                    try write(client, app)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
    }

    private func write(_ client: String, _ app: TestApp) throws {
        let connection = try app.server.connect()
        var number = 0
        while !isEnding.withLock({ $0 }) {
            let body: JSONValue = ["client_id": .string(client), "events": [Self.event(number)]]
            let type = ["Content-Type": "application/json"]
            try connection.send("POST", "\(app.path)/events", headers: type, body: body.encoded)
            let answer = try connection.receive()
            guard answer.json["accepted"] == 1 else { throw Failure("not accepted: \(answer.text)") }
            number += 1
            counts.withLock { $0[client] = number }
        }
    }

    /// The number of acknowledged events of each client so far.
    var acknowledged: [String: Int] { counts.withLock { $0 } }

    /// Waits until each client has this many more acknowledged events.
    func awaitEach(_ more: Int) throws {
        let start = acknowledged
        try waitUntil("further events of each client") {
            guard failures.withLock({ $0.isEmpty }) else {
                throw Failure("the writers came to nothing: \(failures.withLock { $0 })")
            }
            return Self.clients.allSatisfy { (acknowledged[$0] ?? 0) >= (start[$0] ?? 0) + more }
        }
    }

    func end() throws -> [String: Int] {
        isEnding.withLock { $0 = true }
        for _ in Self.clients { done.wait() }
        guard failures.withLock({ $0.isEmpty }) else { throw Failure("\(failures.withLock { $0 })") }
        return acknowledged
    }
}
