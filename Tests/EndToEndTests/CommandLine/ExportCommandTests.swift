import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether export`.
@Suite struct ExportCommandTests {
    private func filled() throws -> TestApp {
        let app = try TestApp(on: try Daemon())
        try app.publish("asked", Sample.survey())
        for client in ["a", "b"] {
            try app.record(client, Event.message("displayed", "survey"))
            #expect(try app.respond(client, "survey", "2").status == 201)
        }
        return app
    }

    private func export(_ app: TestApp, _ day: String, _ arguments: String...) throws -> Command {
        let command = ["export", "--data", app.server.data.path + "/data", "--app", app.name, "--day", day]
        return try Command.run([BellwetherProgram.path] + command + arguments)
    }

    /// The days on which the app's records were received: one, or two around midnight.
    private func days() -> [String] {
        [Date.now.addingTimeInterval(-600), Date.now].map { String($0.ISO8601Format().prefix(10)) }.reduce(into: []) {
            if $0.last != $1 { $0.append($1) }
        }
    }

    @Test func `A day is what the log has of it, beside the daemon, without it, and after a crash`() throws {
        let app = try filled()
        // An event with an earlier date belongs to the day on which it was received.
        let before = Date.now.addingTimeInterval(-3 * 86_400).ISO8601Format()
        try app.record("late", Event.message("displayed", "survey", ["at": .string(before)]))
        let log = try app.server.get("\(app.path)/telemetry").text
        let beside = try days().map { try export(app, $0) }
        #expect(beside.map(\.status).allSatisfy { $0 == 0 })
        #expect(beside.map(\.output).joined() == log)
        #expect(beside.map(\.errors).joined().isEmpty)
        #expect(try export(app, String(before.prefix(10))).output.isEmpty)
        try app.server.kill()
        #expect(try days().map { try export(app, $0).output }.joined() == log)
        let next = try Daemon(data: app.server.data)
        #expect(try next.get("\(app.path)/telemetry").text == log)
        next.signal(SIGTERM)
        #expect(try next.wait() == 0)
        #expect(try days().map { try export(app, $0).output }.joined() == log)
    }

    @Test func `As a table, which another reader reads`() throws {
        let app = try filled()
        let folder = try TemporaryDirectory()
        let tables = try days().map { try export(app, $0, "--format", "csv").output }
        // A day that has just begun has no rows.
        let file = try folder.write(tables.last { !$0.isEmpty } ?? "", to: "day.csv")
        let script = """
            import csv, json, sys
            rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
            for row in rows: print(json.dumps(row))
            """
        let read = try Command.run(["python3", "-c", script, file])
        #expect(read.status == 0, "\(read.errors)")
        let rows = try read.lines.map { try JSONValue(parsing: $0) }
        let log = try app.telemetry()
        if tables.count == 1 { #expect(rows.map { $0["cursor"] } == log.map { $0["cursor"] }) }
        let answer = try #require(rows.last { $0["name"] == "submit_button_tapped" })
        #expect(answer["survey_id"] == "survey" && answer["user_selection"] == "Perhaps")
        #expect(answer["option_index"] == "2" && answer["revision"] == "1" && answer["experiment"] == "asked")
        let extra = try JSONValue(parsing: answer["extra"].string ?? "")
        #expect(log.contains { $0["extra"] == extra && $0["cursor"] == answer["cursor"] })
    }

    /// No cell begins like a formula, whatever a client sends.
    @Test func `A spreadsheet runs nothing of a table`() throws {
        let app = try TestApp(on: try Daemon())
        let options: JSONValue = ["=1", "\t=1", "\r=1", "+1"]
        let survey: JSONObject = ["surface": "microsurvey", "microsurveyConfig": ["options": options]]
        try app.publish("asked", Sample.message("survey", survey))
        for (option, client) in ["=1+client", "+1client", "-1client", "@aclient"].enumerated() {
            #expect(try app.respond(client, "survey", String(option)).status == 201)
        }
        let table = try days().map { try export(app, $0, "--format", "csv").output }.joined()
        for text in [",'=1+client,", ",'+1client,", ",'-1client,", ",'@aclient,"] { #expect(table.contains(text)) }
        let script = """
            import csv, sys
            cells = [cell for row in csv.reader(sys.stdin, strict=True) for cell in row]
            print(len(cells) > 200, sum(cell[:1] in tuple("=+-@\\t\\r") and cell != "" for cell in cells))
            """
        let folder = try TemporaryDirectory()
        let file = try folder.write(table, to: "day.csv")
        #expect(try Command.run(["sh", "-c", "python3 -c '\(script)' < \(file)"]).output == "True 0\n")
    }

    @Test func `A day without records is an empty table`() throws {
        let app = try filled()
        let table = try export(app, "2001-01-01", "--format", "csv")
        #expect(table.status == 0 && table.lines.count == 1 && table.output.hasPrefix("cursor,received_at,"))
        let lines = try export(app, "2001-01-01")
        #expect(lines.status == 0 && lines.output.isEmpty)
    }

    @Test func `What retention has deleted of a day is told`() throws {
        let app = try filled()
        let kept = try app.server.get("\(app.path)/telemetry").text.split(separator: "\n").dropFirst(2)
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            for cursor, day in enumerate([20089, 20090], 1):
                time = (day * 24 + 10) * 3600 * 1000
                database.execute("UPDATE telemetry SET received_at = ? WHERE cursor = ?", (time, cursor))
            database.commit()
            """
        let file = app.server.data.path + "/data/bellwether.sqlite"
        #expect(try Command.run(["python3", "-c", script, file]).status == 0)
        let environment = ["BELLWETHER_TELEMETRY_RETENTION_DAYS": "1"]
        let next = TestApp(on: try Daemon(data: app.server.data, environment: environment), named: app.name)
        #expect(try eventually { try next.telemetry().count == kept.count })

        let whole = try export(next, "2025-01-01", "--format", "csv")
        #expect(whole.status == 1 && whole.output.isEmpty)
        #expect(whole.errors.contains("from 2025-01-01T00:00:00Z to 2025-01-02T00:00:00Z"))
        let first = try export(next, "2025-01-02")
        #expect(first.status == 1 && first.output.isEmpty)
        #expect(first.errors.contains("up to 2025-01-02T10:00:00Z"))
        let later = try export(next, "2025-01-03")
        #expect(later.status == 0 && later.output.isEmpty && later.errors.isEmpty)
        let today = try days().map { try export(next, $0) }
        #expect(today.allSatisfy { $0.status == 0 })
        #expect(today.map(\.output).joined() == kept.joined(separator: "\n") + "\n")
    }

    @Test(arguments: ["2026-11-31", "2026-1-01", "yesterday", "", "2026-11-21T07:00:00Z"])
    func `What is no day is a wrong use`(_ day: String) throws {
        let result = try Command.bellwether("export", "--app", "a", "--day", day)
        #expect(result.status == 64 && result.output.isEmpty)
    }

    @Test func `What is not there is told, and nothing is made`() throws {
        let folder = try TemporaryDirectory()
        let data = folder.path + "/none"
        let missing = try Command.bellwether("export", "--data", data, "--app", "a", "--day", "2026-11-21")
        #expect(missing.status == 1 && missing.output.isEmpty && missing.errors.contains(data))
        #expect(!FileManager.default.fileExists(atPath: data))
        let app = try filled()
        let other = try Command.bellwether(
            "export", "--data", app.server.data.path + "/data", "--app", "other", "--day", "2026-11-21")
        #expect(other.status == 1 && other.output.isEmpty && other.errors.contains("other"))
    }

    @Test func `A full disk is no success`() throws {
        let app = try filled()
        let command = "\(BellwetherProgram.path) export --data \(app.server.data.path)/data --app \(app.name)"
        let result = try Command.run(["sh", "-c", "\(command) --day \(days().last ?? "") > /dev/full"])
        #expect(result.status != 0)
    }
}
