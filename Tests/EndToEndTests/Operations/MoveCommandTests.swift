import BellwetherJSON
import Foundation
import PostgresSupport
import TestSupport
import Testing

/// `bellwether move` and `bellwether migrate`, with daemons before and after.
@Suite struct MoveCommandTests {
    /// A data directory with clients at their caps, and its cursor.
    private static func fill(_ events: Int) throws -> (data: TemporaryDirectory, app: String, cursor: String) {
        let data = try TemporaryDirectory()
        let daemon = try Daemon(["--dev"], data: data)
        let app = try TestApp(on: daemon)
        try app.publish("once", Sample.message("m", ["style": "ONCE", "surface": "card"]))
        try app.publish("survey", Sample.survey(style: "ONCE"))
        try app.record("capped", Event.message("displayed", "m"))
        #expect(try app.respond("answered", "survey", "1").status == 201)
        let cursor = try #require(try daemon.get("\(app.path)/telemetry").header("Bellwether-Next"))
        for number in 0..<events {
            try app.record("c\(number)", Event.message("displayed", "m", ["id": .string("e\(number)")]))
        }
        daemon.signal(SIGTERM)
        _ = try daemon.wait()
        return (data, app.name, cursor)
    }

    private static func move(_ from: String, _ to: String) throws -> Command {
        try Command.bellwether("move", "--from", from, "--to", to, "--json")
    }

    private static func expectAll(_ app: TestApp, _ events: Int, after cursor: String) throws {
        #expect(try app.keys("capped", "&surface=card") == [])
        #expect(try app.keys("fresh", "&surface=card") == ["m"])
        #expect(try app.respond("answered", "survey", "1").status == 409)
        let page = try app.server.get("\(app.path)/telemetry?limit=10000&after=\(cursor)")
        #expect(page.status == 200 && page.lines.filter { $0["name"] == "shown" }.count == events)
        let again = try app.record("c0", Event.message("displayed", "m", ["id": "e0"]))
        #expect(again["duplicates"] == 1)
    }

    @Test func `A directory moves into PostgreSQL and back; clients, cursors and ids go on`() throws {
        let (data, name, cursor) = try Self.fill(5)
        let uri = try PostgresServer.shared.get().emptyDatabase()
        let directory = "sqlite:\(data.path)/data"
        let there = try Self.move(directory, uri)
        #expect(there.status == 0, "\(there.errors)")
        let report = try JSONValue(parsing: there.output)
        do {
            let daemon = try Daemon(["--dev", "--store", uri, "--apps", "", "--recipes", ""])
            try Self.expectAll(TestApp(on: daemon, named: name), 5, after: cursor)
            let used = try Self.move(uri, "sqlite:\(data.path)/none")
            #expect(used.status == 1 && used.errors.contains("daemons are connected"), "\(used.errors)")
        }
        let verdict = try Command.bellwether("audit", "verify", "--store", uri)
        #expect(verdict.status == 0 && verdict.output.contains("whole"))
        let full = try Self.move(directory, uri)
        #expect(full.status == 1 && full.errors.contains("only an empty one can be moved to"), "\(full.errors)")

        let place = try TemporaryDirectory()
        let isFree = try eventually { try Self.move(uri, "sqlite:\(place.path)/data").status == 0 }
        #expect(isFree)
        let daemon = try Daemon(["--dev"], data: place)
        try Self.expectAll(TestApp(on: daemon, named: name), 5, after: cursor)
        #expect(report["audit"]["records"].integer ?? 0 > 0)
    }

    /// Each move is killed at a later write than the one before; the last one completes. strace delivers the signal.
    @Test(arguments: ["postgresql", "sqlite"])
    func `A move that is killed leaves nothing that is taken for a store, and is begun anew`(_ kind: String) throws {
        let (data, name, cursor) = try Self.fill(40)
        let place = try TemporaryDirectory()
        let target = kind == "sqlite" ? "sqlite:\(place.path)/data" : try PostgresServer.shared.get().emptyDatabase()
        let command = [BellwetherProgram.path, "move", "--from", "sqlite:\(data.path)/data", "--to", target]
        var kills = 0
        for write in [1, 3, 8, 20, 50, 120, 300] {
            let killing = ["-e", "inject=pwrite64,sendto,write:signal=SIGKILL:when=\(write)"]
            let move = try RunningCommand(["strace", "-f", "-qq", "-o", "/dev/null"] + killing + command)
            if try move.wait() != 0 { kills += 1 }
            // A kill may come after the end, and a move may need fewer writes.
            if try Command.bellwether("audit", "verify", "--store", target).status == 0 { break }
        }
        #expect(kills > 1)
        if try Command.bellwether("audit", "verify", "--store", target).status != 0 {
            let move = try Self.move("sqlite:\(data.path)/data", target)
            #expect(move.status == 0, "\(move.errors)")
        }
        let served = kind == "sqlite" ? ["--data", "\(place.path)/data"] : ["--store", target]
        let daemon = try Daemon(["--dev", "--apps", "", "--recipes", ""] + served)
        try Self.expectAll(TestApp(on: daemon, named: name), 40, after: cursor)
    }

    @Test(arguments: ["move", "restore"])
    func `A directory into which a move or a restore was broken off is no daemon's`(_ work: String) throws {
        let place = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: place.path + "/data/\(work).partial", withIntermediateDirectories: true)
        let result = try Command.bellwether("serve", "--dev", "--port", "0", "--data", place.path + "/data")
        #expect(
            result.status == 1 && result.errors.contains("was broken off; run bellwether \(work) again"),
            "\(result.errors)")
    }

    @Test func `migrate says what is to be done, and that there is nothing`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        let empty = try Command.bellwether("migrate", "--store", uri)
        #expect(empty.status == 1 && empty.errors.contains("the first daemon that starts makes its schema"))
        do { _ = try Daemon(["--dev", "--store", uri, "--apps", "", "--recipes", ""]) }
        for flags in [[], ["--plan"], ["--contract"]] {
            let result = try Command.run([BellwetherProgram.path, "migrate", "--store", uri] + flags)
            #expect(result.status == 0 && result.output.contains("there is nothing to do"), "\(result.errors)")
        }
        let json = try Command.bellwether("migrate", "--store", uri, "--json")
        #expect(try JSONValue(parsing: json.output)["steps"] == [])
        let folder = try TemporaryDirectory()
        let directory = try Command.bellwether("migrate", "--store", "sqlite:\(folder.path)")
        #expect(directory.status == 1 && directory.errors.contains("when the daemon starts"), "\(directory.errors)")
        let secret = try Command.bellwether("migrate", "--store", "postgresql://a:secret-words@db.invalid/b")
        #expect(secret.status == 1 && !secret.errors.contains("secret-words"))
        for arguments in [["--from", "mysql:x", "--to", uri], ["--from", uri, "--to", ""]] {
            #expect(try Command.run([BellwetherProgram.path, "move"] + arguments).status == 64)
        }
    }

    /// A database that was restored by PostgreSQL's own tools. After `bellwether restore`, new records get much higher
    /// cursors, and waiting webhooks are not sent.
    @Test func `A database that was restored by other tools is made ready`() throws {
        let uri = try PostgresServer.shared.get().emptyDatabase()
        let (data, name, cursor) = try Self.fill(3)
        #expect(try Self.move("sqlite:\(data.path)/data", uri).status == 0)
        let renewed = try Command.bellwether("restore", "--store", uri, "--json")
        #expect(renewed.status == 0, "\(renewed.errors)")
        let verdict = try Command.bellwether("audit", "verify", "--store", uri)
        #expect(verdict.status == 0 && verdict.output.contains("whole"), "\(verdict.errors)")
        let daemon = try Daemon(["--dev", "--store", uri, "--apps", "", "--recipes", ""])
        let app = TestApp(on: daemon, named: name)
        try Self.expectAll(app, 3, after: cursor)
        try app.record("new", Event.message("displayed", "m"))
        let told = try JSONValue(parsing: renewed.output)["telemetry_cursor"].string ?? ""
        let page = try daemon.get("\(app.path)/telemetry?after=\(told)")
        #expect(page.status == 200 && !page.lines.isEmpty && page.lines.allSatisfy { $0["client_id"] == "new" })
        #expect(try Command.bellwether("restore", "--store", uri, "folder", "--data", "x").status == 64)
    }
}
