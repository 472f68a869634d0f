import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The cases in which `bellwether push` refuses.
@Suite struct PushRefusalTests {
    private func push(_ daemon: Daemon, _ app: String, _ arguments: [String], token: String? = nil) throws -> Command {
        try Command.run(
            [BellwetherProgram.path, "push", "--app", app, "--url", "http://127.0.0.1:\(daemon.port)"] + arguments,
            environment: token.map { ["BELLWETHER_TOKEN": $0] } ?? [:])
    }

    @Test func `What cannot be taken is told, and nothing is asked of the daemon`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Sample.message("m").text, to: "one/r.json")
        try folder.write(Sample.message("m").text, to: "two/r.json")
        try folder.write("x", to: "empty/deep/notes.txt")
        let nowhere = ["--url", "http://127.0.0.1:1"]
        func push(_ paths: String...) throws -> Command {
            try Command.run(
                [BellwetherProgram.path, "push", "--app", "a"] + nowhere + paths.map { folder.path + "/" + $0 })
        }
        for (paths, complaint) in [
            (["nowhere"], "no such file"), (["empty"], "nor is a in it"), (["one", "two"], "the same document"),
        ] {
            let result = try Command.run(
                [BellwetherProgram.path, "push", "--app", "a"] + nowhere + paths.map { folder.path + "/" + $0 })
            #expect(result.status == 1 && result.output == "" && result.errors.contains(complaint))
        }
        // A folder that cannot be read is not treated as an empty one.
        for (closed, path) in [("one", "one"), ("app/strings", "app")] {
            try folder.write("{}", to: closed + "/x.json")
            try Permissions.set(0, of: folder.path + "/" + closed)
            let result = try Permissions.bellwether(
                "push", "--app", "a", "--url", "http://127.0.0.1:1", folder.path + "/" + path)
            try Permissions.set(0o700, of: folder.path + "/" + closed)
            #expect(result.status == 1 && result.output == "")
            #expect(result.errors == "\(folder.path)/\(closed): the folder cannot be read\n")
        }
        let alone = try push("two")
        #expect(alone.status == 1 && alone.errors.contains("cannot be reached"))
        #expect(try Command.bellwether("push", "--app", "a").status == 64)
        #expect(try Command.bellwether("push", folder.path).status == 64)
        #expect(try Command.bellwether("push", "--app", "", folder.path).status == 64)
    }

    @Test func `Recipes alone make no app`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Sample.message("m").text, to: "r.json")
        let result = try push(try Servers.shared(), "never-made", [file])
        #expect(result.status == 1 && result.output == "")
        #expect(result.errors.contains("push its manifest, too"))
    }

    @Test func `What the daemon has from files is refused before anything is sent`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.text, to: "apps/filed/manifest.json")
        try folder.write(Sample.message("m").text, to: "recipes/filed/r.json")
        let daemon = try Daemon(["--dev", "--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"])
        let own = try folder.write(Sample.message("n").text, to: "own.json")
        let result = try push(daemon, "filed", [own, folder.path + "/recipes/filed/r.json"])
        #expect(result.status == 1 && result.lines.last == "1 refused, 1 not sent")
        #expect(result.output.contains("[read_only]"))
        #expect(try daemon.get("/v1/apps/filed/recipes/own").status == 404)
        #expect(try push(daemon, "filed", [own]).status == 0)
    }

    @Test func `A name of the API's own is refused`() throws {
        let app = try TestApp()
        let folder = try TemporaryDirectory()
        let file = try folder.write(Sample.message("m").text, to: "forecast.json")
        let result = try push(app.server, app.name, [file])
        #expect(result.status == 1 && result.output.contains("[reserved]"))
        try folder.write(TestApp.manifest.text, to: "a/manifest.json")
        #expect(try Command.bellwether("check", "--apps", folder.path, file).output.contains("[reserved]"))
    }

    /// The daemon refuses a manifest under which a live recipe is a fault. The later documents would depend on that
    /// manifest.
    @Test func `After a manifest that is refused nothing is sent`() throws {
        let guarded = try GuardedDaemon()
        let folder = try TemporaryDirectory()
        let manifest = try folder.write(GuardedDaemon.manifest("one").text, to: "a/manifest.json")
        let recipe = try folder.write(Sample.message("m").text, to: "a/r.json")
        let wrong = try push(guarded.daemon, "one", [manifest, recipe], token: "owner-two")
        #expect(wrong.status == 1)
        let client = try push(guarded.daemon, "one", [manifest, recipe], token: "client-one")
        #expect(client.status == 1 && client.output == "" && client.errors.contains("403"))
        let nobody = try push(guarded.daemon, "one", [manifest, recipe])
        #expect(nobody.status == 1 && nobody.errors.contains("401"))
        let owner = try push(guarded.daemon, "one", [manifest, recipe], token: "owner-one")
        #expect(owner.status == 0 && owner.lines.last == "1 created, 1 unchanged")
        let refused = try push(guarded.daemon, "three", [manifest, recipe], token: "owner-one")
        #expect(refused.status == 1 && refused.lines.last == "1 refused, 1 not sent")
    }
}
