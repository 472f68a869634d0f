import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether tail` (docs/reference/http-api.md#reading-telemetry;
/// docs/reference/http-api.md#commands-that-ask-a-daemon).
@Suite struct TailCommandTests {
    private static func tail(_ app: TestApp, _ arguments: String...) throws -> RunningCommand {
        try RunningCommand(command(app) + arguments)
    }

    private static func command(_ app: TestApp) -> [String] {
        [BellwetherProgram.path, "tail", "--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"]
    }

    /// An app with a message `m` that two clients have seen.
    private static func seen(on daemon: Daemon? = nil) throws -> TestApp {
        let app = try TestApp(on: daemon)
        try app.publish("x", Sample.message("m"))
        for client in ["a", "b"] { try app.record(client, Event.message("displayed", "m")) }
        return app
    }

    @Test func `A line a record, from the first one on`() throws {
        let app = try Self.seen()
        let tail = try Self.tail(app, "--from-start")
        let line = try #require(tail.readLine())
        let at = try app.telemetry()[0]["at"].string ?? ""
        #expect(line.hasPrefix("\(at)  messaging.shown  a  "))
        #expect(line.contains("message_key=m"))
        #expect(tail.readLine()?.contains("  b  ") == true)
        try app.record("c", Event.message("clicked", "m"))
        #expect(tail.readLine()?.contains("  messaging.clicked  c  ") == true)
        tail.signal(SIGINT)
        #expect(try tail.wait() == 0)
        #expect(tail.errors == "")
    }

    @Test func `The only app needs no name`() throws {
        let app = try Self.seen(on: try Daemon())
        let url = "http://127.0.0.1:\(app.server.port)"
        let tail = try RunningCommand([BellwetherProgram.path, "tail", "--url", url, "--from-start"])
        #expect(tail.readLine()?.contains("  messaging.shown  a  ") == true)
        tail.signal(SIGINT)
        #expect(try tail.wait() == 0)
    }

    @Test func `From now on, where nothing else is said`() throws {
        let daemon = try Daemon()
        let app = try Self.seen(on: daemon)
        let tail = try Self.tail(app, "--json")
        try daemon.waitUntilParked(1)
        try app.record("c", Event.message("displayed", "m"))
        let line = try #require(tail.readLine())
        #expect(try JSONValue(parsing: line) == app.telemetry()[2])
        tail.signal(SIGTERM)
        #expect(try tail.wait() == 0)
    }

    @Test func `Cursors, the last records and filters choose`() throws {
        let app = try Self.seen()
        try app.record("c", Event.message("clicked", "m"))
        let log = try app.telemetry()
        let cursor = log[0]["cursor"].string ?? ""
        #expect(try Self.tail(app, "--since", cursor).readLine()?.contains("  b  ") == true)
        let last = try JSONValue(parsing: try #require(try Self.tail(app, "--last", "1", "--json").readLine()))
        #expect(last == log.last)
        #expect(try Self.tail(app, "--from-start", "--name", "clicked").readLine()?.contains("  c  ") == true)
        #expect(
            try Self.tail(app, "--from-start", "--category", "messaging", "--message", "m", "--name", "clicked")
                .readLine()?.contains("messaging.clicked") == true)
        try app.publish("y", Sample.message("n", ["experiment": "{experiment}"]))
        try app.record("d", Event.message("displayed", "n"))
        let line = try Self.tail(app, "--from-start", "--experiment", "y").readLine()
        #expect(line?.contains("  d  y/rollout  ") == true)
    }

    @Test func `A restart of the daemon loses nothing and doubles nothing`() throws {
        // The port is below the range of ports that the kernel assigns.
        let port = Int.random(in: 20_000..<32_000)
        let first = try Daemon(["--dev", "--port", "\(port)"])
        let app = try Self.seen(on: first)
        // The text of standard error comes between the records.
        let together = ["sh", "-c", "exec \"$0\" \"$@\" 2>&1"]
        let tail = try RunningCommand(together + Self.command(app) + ["--from-start", "--json"])
        func client() throws -> JSONValue { try JSONValue(parsing: try #require(tail.readLine()))["client_id"] }
        #expect(try [client(), client()] == ["a", "b"])
        first.signal(SIGTERM)
        #expect(try first.wait() == 0)
        let lost = try #require(tail.readLine())
        #expect(lost.contains("cannot be reached") && lost.hasSuffix("Trying again."))
        let second = try Daemon(["--dev", "--port", "\(port)"], data: first.data)
        try TestApp(on: second, named: app.name).record("c", Event.message("displayed", "m"))
        #expect(tail.readLine()?.hasSuffix("is there again.") == true)
        #expect(try client() == "c")
        try second.kill()
        tail.signal(SIGINT)
        #expect(try tail.wait() == 0)
    }

    /// The command ends even if no further record comes.
    @Test func `It ends when nobody reads any more`() throws {
        let app = try Self.seen()
        let command = Self.command(app).joined(separator: " ")
        let result = try Command.run([
            "bash", "-c", "\(command) --from-start | head -n 1; echo \"${PIPESTATUS[0]}\"",
        ])
        #expect(result.lines.count == 2 && result.lines[0].contains("  a  ") && result.lines[1] == "0")
        #expect(result.errors == "")
    }

    @Test func `What waiting does not heal ends with 1`() throws {
        let app = try TestApp()
        for (arguments, complaint) in [(["--app", "none"], "404"), (["--since", "nonsense"], "400")] {
            let result = try Command.run(Self.command(app) + arguments)
            #expect(result.status == 1 && result.output == "" && result.errors.contains(complaint))
        }
        let nobody = try Command.bellwether("tail", "--app", "a", "--url", "http://127.0.0.1:1")
        #expect(nobody.status == 1 && nobody.errors.contains("cannot be reached"))
        for arguments in [["--since", "t1", "--from-start"], ["--last", "-1"], ["--last", "1", "--from-start"]] {
            #expect(try Command.run(Self.command(app) + arguments).status == 64)
        }
    }

    @Test func `A full disk is no good end`() throws {
        let app = try Self.seen()
        let command = Self.command(app).joined(separator: " ")
        #expect(try Command.run(["sh", "-c", "\(command) --from-start > /dev/full"]).status == 1)
    }

    /// Control characters for a terminal are removed; one record stays one line.
    @Test func `Texts do not reach the terminal as commands`() throws {
        let app = try TestApp()
        var survey = Sample.survey("q").object ?? [:]
        survey["messages"] = [
            "q": [
                "surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": ["\u{1B}[2J a\nb", "b"]],
            ]
        ]
        try app.publish("poll", .object(survey))
        _ = try app.respond("c", "q", "0")
        let tail = try Self.tail(app, "--from-start", "--name", "submit_button_tapped")
        let line = try #require(tail.readLine())
        #expect(!line.contains("\u{1B}") && line.contains("user_selection="))
        #expect(line.contains("option_index="))
    }
}
