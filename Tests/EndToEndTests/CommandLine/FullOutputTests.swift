import Foundation
import TestSupport
import Testing

/// A command fails if its output could not be written completely.
@Suite struct FullOutputTests {
    private func full(_ arguments: [String], input: String = "") throws -> Command {
        let script = "exec \"$0\" \"$@\" > /dev/full"
        return try Command.run(["sh", "-c", script, BellwetherProgram.path] + arguments, input: input)
    }

    /// A command, and its input.
    @Test(
        arguments: [
            (["jexl", "1 + 1"], ""), (["jexl", "--batch"], "{\"expression\": \"1\"}\n"),
            (["bucket", "--batch"], "{}\n"), (["schema", "flow"], ""),
            (["token", "hash"], "secret"), (["completions", "bash"], ""), (["man", "tail"], ""),
            (["size", "--responses", "10", "--response-rate", "0.5", "--active-clients", "1000", "--json"], ""),
        ])
    func `Offline`(_ arguments: [String], _ input: String) throws {
        let result = try full(arguments, input: input)
        #expect(result.status == 1)
        #expect(result.errors.contains("No space left on device"), "\(result.errors)")
    }

    @Test func `Of a running daemon`() throws {
        let app = try TestApp(on: try Daemon())
        try app.publish("poll", Sample.survey("q"))
        let folder = try TemporaryDirectory()
        let recipe = try folder.write("{}", to: "\(app.name)/x.json")
        let here = ["--url", "http://127.0.0.1:\(app.server.port)"]
        let data = ["--data", app.server.data.path + "/data"]
        let commands = [
            ["results", "--json", "poll"] + here, ["results", "--csv", "poll"] + here, ["tail", "--last", "9"] + here,
            ["audit", "list", "--json"] + here,
            ["token", "create", "--name", "n", "--scope", "owner", "--app", "*"] + here,
            ["token", "list"] + here, ["audit", "verify"] + data, ["check", recipe],
            ["audit", "digest", "--app", app.name, "c"] + data,
            ["push", "--app", app.name, recipe] + here,
        ]
        try app.record("c", Event.message("displayed", "q"))
        for command in commands {
            let result = try full(command)
            #expect(result.status == 1, "\(command)")
            #expect(result.errors.contains("No space left on device"), "\(command): \(result.errors)")
        }
    }

    /// A daemon's standard output may have no reader; the daemon serves nevertheless.
    @Test func `A daemon serves without it`() throws {
        let folder = try TemporaryDirectory()
        let script = "exec \"$0\" serve --dev --port 0 --data \"$1/data\" 2>&1 > /dev/full"
        let daemon = try RunningCommand(["sh", "-c", script, BellwetherProgram.path, folder.path])
        while let line = daemon.readLine(), !line.contains("started") {}
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
    }

    /// The log is an open pipe that no process reads; more is logged than it can hold.
    @Test func `A daemon does not wait for its log's reader`() throws {
        let folder = try TemporaryDirectory()
        let script = """
            mkfifo "$1/log" && exec 9<>"$1/log" && exec "$0" serve --dev --port 0 --data "$1/data" 2>"$1/log"
            """
        let daemon = try RunningCommand(["sh", "-c", script, BellwetherProgram.path, folder.path])
        let port = try #require(daemon.readLine()?.split(separator: ":").last.flatMap { Int($0) })
        let connection = try HTTPConnection(port: port)
        let app = String(repeating: "a", count: 120)
        for number in 0..<500 {
            let manifest = #"{"app_name": "x", "default_locale": "en", "surfaces": ["s"], "channel": "c\#(number)"}"#
            try connection.send("PUT", "/v1/apps/\(app)/manifest", body: Array(manifest.utf8))
            #expect(try connection.receive().status < 300)
        }
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
    }
}
