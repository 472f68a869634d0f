import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Backups that the daemon makes by itself (docs/operators-guide.md#backups-on-schedule).
@Suite struct ScheduledBackupTests {
    private let place: TemporaryDirectory
    private var folder: String { place.path + "/backups" }

    init() throws {
        place = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func daemon(
        _ data: TemporaryDirectory? = nil, every: String = "1s", in folder: String? = nil
    ) throws -> Daemon {
        try Daemon(
            data: data,
            environment: [
                "BELLWETHER_BACKUPS_DIRECTORY": folder ?? self.folder, "BELLWETHER_BACKUPS_EVERY": every,
                "BELLWETHER_BACKUPS_KEEP": "2",
            ])
    }

    /// The backups by their names, the oldest first.
    private func backups() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("20") }.sorted()
    }

    /// Restores a backup, and returns the clients in its log.
    private func clients(of backup: String, _ app: String) throws -> Set<String> {
        let target = try TemporaryDirectory()
        let restore = try Command.bellwether("restore", "\(folder)/\(backup)", "--data", target.path + "/data")
        #expect(restore.status == 0, "\(restore.errors)")
        #expect(try Command.bellwether("audit", "verify", "--data", target.path + "/data").status == 0)
        let days = [Date.now.addingTimeInterval(-3600), Date.now].map { String($0.ISO8601Format().prefix(10)) }
        return try Set(days).reduce(into: []) { clients, day in
            let log = try Command.bellwether(
                "export", "--data", target.path + "/data", "--app", app, "--day", day)
            #expect(log.status == 0, "\(log.errors)")
            for line in log.output.split(separator: "\n") {
                clients.insert(try JSONValue(parsing: Array(line.utf8))["client_id"].string ?? "")
            }
        }
    }

    @Test func `Backups are made on schedule, the newest are kept, and their age is shown`() throws {
        let daemon = try daemon()
        let app = try TestApp(on: daemon)
        try app.publish("m", Sample.message())
        try app.record("early", Event.message("displayed", "m"))
        let first = try backups().last ?? ""
        try waitUntil("two further backups") { try backups().filter { $0 > first }.count == 2 }
        let heartbeat = try daemon.get("/__heartbeat__").json
        #expect(heartbeat["status"] == "ok" && heartbeat["checks"]["backups"] == "ok", "\(heartbeat.text)")
        #expect(heartbeat["backups"]["every_seconds"] == 1 && heartbeat["backups"]["newest_at"] != .null)
        #expect(heartbeat["backups"]["age_seconds"].integer ?? -1 >= 0)
        let metrics = try PrometheusText(try daemon.get("/metrics").text)
        #expect(metrics.sum("bellwether_backup_failing") == 0 && metrics.sum("bellwether_backup_size_bytes") > 4096)
        #expect(metrics.sum("bellwether_backup_interval_seconds") == 1)
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        // A running daemon would delete the backup that is being restored, when it has made two more.
        #expect(try clients(of: try #require(try backups().last), app.name) == ["early"])
    }

    /// The names that an attempt uses one after another.
    private static let stages = [
        "candidate.partial", "candidate", "trial/restore.partial", "trial/bellwether.sqlite", "a name of its own",
    ]

    @Test func `After kills at every stage the newest backup can be restored`() throws {
        var app = try TestApp(on: try daemon(every: "1d"))
        try app.publish("m", Sample.message())
        try app.server.kill()
        var acknowledged: [(client: String, at: String)] = []
        for stage in Self.stages {
            app = TestApp(on: try daemon(app.server.data), named: app.name)
            let before = try backups().last ?? ""
            for _ in 0..<5 {
                let client = "c\(acknowledged.count)"
                try app.record(client, Event.message("displayed", "m"))
                acknowledged.append((client, Self.name(Date.now)))
            }
            // A stage may be over before it is seen: then the kill comes after the next backup but one.
            try waitUntil("a backup") {
                let further = try backups().filter { $0 > before }.count
                return further > 1 || further == 1 && FileManager.default.fileExists(atPath: "\(folder)/\(stage)")
            }
            try app.server.kill()
            let newest = try #require(try backups().last)
            let expected = Set(acknowledged.filter { $0.at < newest }.map(\.client))
            #expect(try clients(of: newest, app.name).isSuperset(of: expected), "\(stage)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: app.server.data.path + "/data").count < 6)
    }

    /// The name of a backup that begins at this time.
    private static func name(_ time: Date) -> String { time.ISO8601Format().replacing(":", with: "") }

    @Test func `A disk that is full is told, older backups stay, clients are served, and it goes on by itself`() throws
    {
        var app = try TestApp(on: try daemon(every: "1d"))
        let text = String(repeating: "x", count: 50_000)
        for number in 0..<8 { try app.publish("m\(number)", Sample.message("m\(number)", ["text": .string(text)])) }
        // A copy of the database needs more than the limit, and a few events in an empty log need less.
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        app = TestApp(on: try daemon(app.server.data), named: app.name)
        try waitUntil("backups") { try backups().count == 2 }
        try FullDisk.limitFiles(of: app.server, to: "262144")
        try waitUntil("it is told") { app.server.logText.contains("the backup failed") }
        let kept = try backups()
        try app.record("c", Event.message("displayed", "m0"))
        let heartbeat = try app.server.get("/__heartbeat__")
        #expect(heartbeat.status == 200 && heartbeat.json["status"] == "degraded")
        #expect(heartbeat.json["checks"]["backups"] == "degraded" && heartbeat.json["checks"]["store"] == "ok")
        #expect(heartbeat.json["reasons"]["backups"] == ["the last backup failed; the log says why"])
        #expect(try app.server.get("/metrics").text.contains("\nbellwether_backup_failing 1\n"))
        #expect(try backups() == kept && kept.count == 2)
        try FullDisk.limitFiles(of: app.server, to: "unlimited")
        try waitUntil("it goes on") { try app.server.get("/__heartbeat__").json["status"] == "ok" }
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        #expect(try clients(of: try #require(try backups().last), app.name) == ["c"])
    }

    @Test func `A folder that is missing is told, and the daemon serves`() throws {
        let server = try daemon(in: place.path + "/none")
        try waitUntil("it is told") { server.logText.contains("none is not there; make it, for the daemon's user") }
        #expect(try server.get("/__heartbeat__").json["checks"]["backups"] == "degraded")
        #expect(!FileManager.default.fileExists(atPath: place.path + "/none"))
    }

    @Test(arguments: [
        ("every: often", "backups.every is no time such as 1d, 12h, 30m or 90s: often"),
        ("keep: 0", "backups.keep is not a whole number from 1 to 1000"),
    ])
    func `Settings that mean nothing are told`(_ setting: String, _ sentence: String) throws {
        let file = try place.write("backups: {\(setting), directory: /tmp}", to: "c.yaml")
        let result = try Command.bellwether("serve", "--check", "--config", file)
        #expect(result.status == 1 && result.errors.contains(sentence), "\(result.errors)")
    }

    @Test func `A PostgreSQL database has no backups of the daemon`() throws {
        let file = try place.write(
            "backups: {directory: /tmp}\nstore: {url: 'postgresql://localhost/x'}", to: "c.yaml")
        let result = try Command.bellwether("serve", "--check", "--config", file)
        #expect(result.status == 1 && result.errors.contains("backed up by PostgreSQL's own tools"), "\(result.errors)")
    }
}
