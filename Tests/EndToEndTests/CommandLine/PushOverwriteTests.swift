import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether push` remembers its pushes, and does not overwrite changes by others.
@Suite struct PushOverwriteTests {
    private let folder: TemporaryDirectory
    private let app: TestApp

    init() throws {
        folder = try TemporaryDirectory()
        app = try TestApp()
    }

    private func push(_ arguments: String..., by home: String? = nil) throws -> Command {
        let command = [BellwetherProgram.path, "push", "--app", app.name]
        return try Command.run(
            command + ["--url", "http://127.0.0.1:\(app.server.port)"] + arguments,
            environment: home.map { ["XDG_STATE_HOME": $0] } ?? [:])
    }

    private func write(_ text: String) throws -> String {
        try folder.write(Sample.message("m", ["text": .string(text)]).text, to: "r.json")
    }

    private var text: JSONValue {
        get throws { try app.server.get("\(app.path)/recipes/r").json["messages"]["m"]["text"] }
    }

    @Test func `What somebody else has changed since is refused, and overwritten with --force`() throws {
        #expect(try push(try write("mine")).status == 0)
        try app.publish("r", Sample.message("m", ["text": "theirs"]))
        let file = try write("mine again")
        for option in ["--strict", "--dry-run"] {
            let refused = try push(option, file)
            #expect(refused.status == 1 && refused.lines.last == "1 refused")
            #expect(refused.output.contains("it was revision 1, and is 2") && refused.output.contains("--force"))
        }
        #expect(try text == "theirs")
        #expect(try push("--force", file).status == 0)
        #expect(try text == "mine again")
        #expect(try push(try write("once more")).status == 0)
    }

    @Test func `Manifests and strings are remembered, too`() throws {
        let strings = try folder.write(#"{"T": {"a": "mine"}}"#, to: "app/strings/de.json")
        let manifest = try folder.write(TestApp.manifest.text, to: "app/manifest.json")
        #expect(try push(manifest, strings).status == 0)
        _ = try app.server.put("\(app.path)/strings/de", ["T": ["a": "theirs"]])
        var theirs = TestApp.manifest.object ?? [:]
        theirs["short_name"] = "Theirs"
        _ = try app.server.put("\(app.path)/manifest", .object(theirs))
        let refused = try push(manifest, strings)
        #expect(refused.status == 1 && refused.lines.last == "2 refused")
        #expect(try app.server.get("\(app.path)/strings/de").json["T"]["a"] == "theirs")
        #expect(try push("--force", manifest, strings).status == 0)
        #expect(try app.server.get("\(app.path)/manifest").json == TestApp.manifest)
    }

    @Test func `What somebody else has deleted is not made again`() throws {
        let file = try write("mine")
        _ = try push(file)
        _ = try app.server.send("DELETE", "\(app.path)/recipes/r")
        let refused = try push(file)
        #expect(refused.status == 1 && refused.output.contains("it was deleted since"))
        #expect(try app.server.get("\(app.path)/recipes/r").status == 404)
        #expect(try push("--force", file).lines.last == "1 created")
    }

    @Test func `A state, the same change, and who never pushed are no reason to refuse`() throws {
        _ = try push(try write("mine"))
        _ = try app.server.post("\(app.path)/recipes/r/state", ["state": "paused"])
        let paused = try push(try write("better"))
        #expect(paused.status == 0 && paused.output.contains("revision 2, paused"))
        try app.publish("r", Sample.message("m", ["text": "best"]))
        #expect(try push(try write("best")).lines.last == "1 unchanged")
        #expect(try push(try write("mine"), by: try TemporaryDirectory().path).lines.last == "1 changed")
        // A push without a folder in which it can remember.
        let file = try folder.write("", to: "file")
        let forgetful = try push(try write("other"), by: file)
        #expect(forgetful.status == 0 && forgetful.errors.contains("cannot be remembered"))
    }

    @Test func `Another database behind the same address is not the one that is remembered`() throws {
        let data = try TemporaryDirectory()
        let home = try TemporaryDirectory()
        let daemon = try Daemon(data: data)
        let url = "http://127.0.0.1:\(daemon.port)"
        try folder.write(TestApp.manifest.text, to: "app/manifest.json")
        let file = try write("1")
        func push(_ paths: String...) throws -> Command {
            try Command.run(
                [BellwetherProgram.path, "push", "--app", "a", "--url", url] + paths,
                environment: ["XDG_STATE_HOME": home.path])
        }
        #expect(try push(folder.path + "/app", file).status == 0)
        _ = try push(try write("2"))
        try daemon.kill()
        let next = try Daemon(["--dev", "--port", String(daemon.port)])
        let fresh = TestApp(on: next, named: "a")
        _ = try next.put("\(fresh.path)/manifest", TestApp.manifest)
        #expect(try push(try write("3")).lines.last == "1 created")
    }
}
