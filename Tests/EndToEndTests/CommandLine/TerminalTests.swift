import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Colours and progress are only for terminals: each command runs with its output in pipes, and some run on a terminal.
@Suite struct TerminalTests {
    private let folder: TemporaryDirectory
    private let app: TestApp

    init() throws {
        folder = try TemporaryDirectory()
        app = try TestApp(on: try Daemon())
        try app.publish("poll", Sample.survey("q"))
        for client in ["a", "b"] { _ = try app.respond(client, "q", "0") }
        try folder.write(TestApp.manifest.text, to: "apps/\(app.name)/manifest.json")
        try folder.write(Sample.message("m", ["style": "NOPE"]).text, to: "recipes/\(app.name)/warned.json")
        try folder.write("{", to: "broken/\(app.name)/broken.json")
        try folder.write(#"{"surface": "card"}"#, to: "question.json")
    }

    private var remote: [String] { ["--url", "http://127.0.0.1:\(app.server.port)"] }
    private var data: String { app.server.data.path + "/data" }

    /// A call of each command that ends, with findings, refusals and progress if the command has them.
    private var calls: [String: [String]] {
        let (apps, recipes) = (folder.path + "/apps", folder.path + "/recipes")
        let manifest = "\(apps)/\(app.name)/manifest.json"
        return [
            "serve": ["--check", "--apps", apps, "--recipes", folder.path + "/broken"],
            "check": [apps, recipes, folder.path + "/broken"],
            "push": ["--app", app.name, apps, recipes] + remote,
            "explain": ["--manifest", manifest, "--request", folder.path + "/question.json"],
            "size": ["--responses", "100", "--response-rate", "5%", "--active-clients", "1000"],
            "sizing": [],
            "results": ["--app", app.name, "poll"] + remote, "preview": ["--app", app.name, "poll"] + remote,
            "responses list": ["--app", app.name, "poll"] + remote,
            "responses show": ["none", "--app", app.name] + remote,
            "responses status": ["none", "new", "--app", app.name] + remote,
            "responses comment": ["none", "text", "--app", app.name] + remote,
            "responses export": ["--app", app.name, "poll"] + remote,
            "responses import": ["--from", "csv", "--app", app.name, "poll", folder.path + "/none"] + remote,
            "responses notes": ["none", "--app", app.name] + remote,
            "responses delete": ["none", "--app", app.name] + remote,
            "recipes list": ["--app", app.name] + remote, "recipes show": ["none", "--app", app.name] + remote,
            "recipes note": ["none", "--owner", "Ana", "--app", app.name] + remote,
            "recipes pause": ["none", "--app", app.name] + remote,
            "recipes resume": ["none", "--app", app.name] + remote,
            "recipes end": ["none", "--app", app.name] + remote,
            "recipes delete": ["none", "--app", app.name] + remote,
            "tail": ["--app", "none"] + remote,
            "export": ["--data", data, "--app", app.name, "--day", "2001-01-01"],
            "token create": ["--name", "n", "--scope", "client", "--app", "*"] + remote,
            "token list": remote, "token revoke": ["n"] + remote, "token hash": [],
            "user add": ["n", "--role", "reader:*"] + remote, "user list": remote, "user link": ["none"] + remote,
            "user remove": ["none"] + remote,
            "audit list": remote, "audit verify": ["--data", data],
            "audit digest": ["--data", data, "--app", app.name, "a"],
            "backup": ["--data", data, folder.path + "/backup"],
            "restore": [folder.path + "/none", "--data", folder.path + "/restored"],
            "move": ["--from", "sqlite:\(folder.path)/none", "--to", "sqlite:\(folder.path)/moved"],
            "migrate": ["--store", "sqlite:\(folder.path)/none"],
            "webhooks": ["--app", app.name] + remote,
            "condition batch": [], "goals batch": [], "survey batch": [], "flow batch": [],
            "survey evaluate": ["--definition", folder.path + "/none", "--answers", folder.path + "/none"],
            "survey import": [folder.path + "/none"], "survey export": [folder.path + "/none"],
            "strings import": [folder.path + "/none", "--into", folder.path + "/strings"],
            "jexl": ["1 +"], "bucket": ["--batch"], "schema": ["flow"], "completions": ["bash"], "man": ["push"],
            "mcp": remote, "status": remote,
            // The port is taken, so it ends at once.
            "try": ["--port", "\(app.server.port)"],
        ]
    }

    @Test func `No command writes what a terminal obeys into a pipe`() throws {
        #expect(Set(calls.keys) == Set(ProgramCommands.all.filter(\.isLeaf).map(\.testDescription)))
        for (name, arguments) in calls {
            let result = try Command.run(
                [BellwetherProgram.path] + name.split(separator: " ").map(String.init) + arguments, input: "x\n")
            #expect(result.status <= 1, "\(name): \(result.errors)")
            #expect(!(result.output + result.errors).contains { $0 == "\u{1B}" || $0 == "\r" }, "\(name)")
            #expect(!(result.output + result.errors).isEmpty || ["token revoke", "export"].contains(name), "\(name)")
        }
    }

    /// Runs a command on a new terminal, where both streams are one.
    private func onTerminal(_ environment: [String: String] = [:], _ arguments: [String]) throws -> String {
        let command = ([BellwetherProgram.path] + arguments).joined(separator: " ")
        let variables = ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
        return try Command.run(["script", "-qec", command, "/dev/null"], environment: variables).output
    }

    @Test func `A terminal gets colours, unless it is dumb or nobody wants them`() throws {
        let arguments = ["check", folder.path + "/apps", folder.path + "/recipes"]
        #expect(try onTerminal(arguments).contains(": \u{1B}[33mwarning\u{1B}[0m: "))
        #expect(try !onTerminal(["NO_COLOR": "1"], arguments).contains("\u{1B}"))
        #expect(try !onTerminal(["TERM": "dumb"], arguments).contains("\u{1B}"))
        #expect(try onTerminal(["NO_COLOR": "1"], arguments).contains(": warning: "))
    }

    @Test func `A terminal gets a bar while there is work, and a clean line after it`() throws {
        let push = ["push", "--app", app.name, folder.path + "/apps", folder.path + "/recipes"] + remote
        let first = try onTerminal(push)
        #expect(first.contains("\rpushing \(app.name) ████████████░░░░░░░░░░░░ 50 %"))
        #expect(first.contains("\r\u{1B}[K\u{1B}[32mcreated"))
        #expect(first.hasSuffix("1 created, 1 unchanged\r\n"))
        #expect(try !onTerminal(["TERM": "dumb"], push).contains("pushing"))
    }

    /// The text is from respondents. A pipe or a file gets unchanged CSV and JSON.
    @Test func `A terminal is given nothing of a respondent's text that it would obey`() throws {
        let question: JSONValue = ["id": "t", "type": "text", "title": "?"]
        try app.publish(
            "words", ["kind": "questionnaire", "name": "W", "schema": ["version": 1, "questions": [question]]])
        let hostile = "a\u{1B}[2Jb\u{202E}c\u{9B}2Jd\u{7}e\u{2066}f\rg"
        let save: JSONValue = [
            "user_id": .string("u\u{202E}"), "answers": ["t": .string(hostile)], "is_complete": true,
        ]
        let answer = try app.server.post("\(app.path)/questionnaires/words/responses", save)
        let id = try #require(answer.json["id"].string)
        let words = ["--app", app.name, "words"] + remote
        let obeyed: Set<Unicode.Scalar> = ["\u{1B}", "\u{202E}", "\u{9B}", "\u{7}", "\u{2066}"]
        let calls = [
            ["responses", "export", "--format", "csv"] + words, ["responses", "export"] + words,
            ["responses", "list"] + words, ["responses", "list", "--json"] + words,
            ["responses", "show", id, "--app", app.name] + remote, ["results"] + words, ["results", "--csv"] + words,
            ["results", "--json"] + words,
            [
                "export", "--data", data, "--app", app.name, "--day",
                String(answer.json["created_at"].string?.prefix(10) ?? ""), "--format", "csv",
            ],
        ]
        for arguments in calls {
            let shown = try onTerminal(["TERM": "dumb"], arguments)
            #expect(!shown.unicodeScalars.contains { obeyed.contains($0) }, "\(arguments)")
            #expect(!shown.replacing("\r\n", with: "\n").contains("\r"), "\(arguments)")
        }
        #expect(try onTerminal(calls[0]).contains("a[2Jbc2Jdefg"))
        let piped = try Command.run([BellwetherProgram.path] + calls[0])
        #expect(piped.output.contains(hostile))
    }
}

extension TerminalTests {
    private func onTerminal(_ arguments: [String]) throws -> String { try onTerminal([:], arguments) }
}
