import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether audit`.
@Suite struct AuditCommandTests {
    private let daemon: Daemon
    private let data: String

    init() throws {
        daemon = try Daemon()
        data = daemon.data.path + "/data"
        _ = try daemon.put("/v1/apps/one/manifest", TestApp.manifest)
        for number in 1...3 {
            _ = try daemon.put("/v1/apps/one/recipes/r", Sample.message("m", ["text": .string("\(number)")]))
        }
    }

    private func list(_ arguments: String...) throws -> Command {
        try Command.run(
            [BellwetherProgram.path, "audit", "list", "--url", "http://127.0.0.1:\(daemon.port)"] + arguments)
    }

    private func sqlite(_ sql: String) throws {
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()"
        let result = try Command.run(["python3", "-c", script, data + "/bellwether.sqlite", sql])
        guard result.status == 0 else { throw Failure(result.errors) }
    }

    @Test func `It is listed for people and for programs`() throws {
        let table = try list()
        #expect((table.status, table.errors) == (0, ""))
        let rows = table.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(rows.count == 5)
        #expect(rows[0] == ["sequence", "at", "by", "action", "kind", "app", "name", "revision", "state"])
        #expect(
            rows[1].enumerated().filter { $0.offset != 1 }.map(\.element) == [
                "1", "dev", "create", "manifest", "one", "-", "1", "-",
            ])
        #expect(rows[4].suffix(6) == ["change", "recipe", "one", "r", "3", "live"])
        let lines = try list("--json", "--after", "1", "--limit", "2").lines.map { try JSONValue(parsing: $0) }
        #expect(lines.map { $0["sequence"] } == [2, 3])
        #expect(try list("--after", "4").output.isEmpty)
    }

    @Test func `A whole one is whole beside the daemon and without it`() throws {
        let last = try #require(try list("--json").lines.last)
        let hash = try #require(try JSONValue(parsing: last)["hash"].string)
        for _ in 1...2 {
            let result = try Command.bellwether("audit", "verify", "--data", data)
            #expect((result.status, result.errors) == (0, ""))
            #expect(result.lines == ["4 records, whole; the last is \(hash)"])
            daemon.signal(SIGTERM)
            #expect(try daemon.wait() == 0)
        }
        let json = try Command.bellwether("audit", "verify", "--data", data, "--json")
        #expect(try JSONValue(parsing: json.output) == ["whole": true, "records": 4, "hash": .string(hash)])
    }

    @Test func `The first bad record is named, with status 1`() throws {
        daemon.signal(SIGTERM)
        _ = try daemon.wait()
        #expect(throws: Failure.self) { try sqlite("DELETE FROM audit WHERE sequence = 3") }
        try sqlite("DROP TRIGGER audit_delete; DELETE FROM audit WHERE sequence = 3")
        let result = try Command.bellwether("audit", "verify", "--data", data)
        #expect(result.status == 1)
        #expect(result.lines == ["record 3 is missing; the next is 4"])
        let json = try Command.bellwether("audit", "verify", "--data", data, "--json")
        #expect(json.status == 1)
        #expect(try JSONValue(parsing: json.output)["record"] == 3)
    }

    @Test func `An audit that was cut stays cut, and the start, a backup and a move say so`() throws {
        daemon.signal(SIGTERM)
        _ = try daemon.wait()
        try sqlite("DROP TRIGGER audit_delete; DELETE FROM audit WHERE sequence >= 3")
        let next = try Daemon(["--dev"], data: daemon.data)
        let isLogged = eventually { next.logText.contains("records 3 to 4 are missing at the end") }
        #expect(isLogged && next.logText.contains("the audit is not whole"), "\(next.logText)")
        for number in 4...6 {
            _ = try next.put("/v1/apps/one/recipes/r", Sample.message("m", ["text": .string("\(number)")]))
        }
        let verdict = try Command.bellwether("audit", "verify", "--data", data)
        #expect(verdict.status == 1 && verdict.lines == ["record 3 is missing; the next is 5"])
        let backup = try Command.bellwether("backup", "--data", data, daemon.data.path + "/backup")
        #expect(backup.status == 0 && backup.output.contains("its audit is not whole: record 3 is missing"))
        next.signal(SIGTERM)
        _ = try next.wait()
        let target = "sqlite:" + daemon.data.path + "/moved"
        let move = try Command.bellwether("move", "--from", "sqlite:" + data, "--to", target)
        #expect(move.status == 1 && move.errors.contains("the audit is not whole"), "\(move.errors)")
    }

    @Test func `What is no data directory is told, and nothing made there`() throws {
        let folder = try TemporaryDirectory()
        let result = try Command.bellwether("audit", "verify", "--data", folder.path + "/none")
        #expect((result.status, result.output) == (1, ""))
        #expect(result.errors.contains(folder.path))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        #expect(try Command.bellwether("audit", "verify").status == 64)
    }
}
