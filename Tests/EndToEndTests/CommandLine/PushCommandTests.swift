import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The command `bellwether push` (docs/reference/http-api.md#commands-that-ask-a-daemon).
@Suite struct PushCommandTests {
    private let folder: TemporaryDirectory
    /// The app of this test; it exists only after the push.
    private let app: TestApp

    init() throws {
        folder = try TemporaryDirectory()
        app = TestApp(on: try Servers.shared(), named: "pushed-\(UUID().uuidString.lowercased())")
    }

    private func push(_ arguments: String...) throws -> Command {
        try Command.run(
            [BellwetherProgram.path, "push", "--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"]
                + arguments)
    }

    private func rows(_ arguments: String...) throws -> [JSONValue] {
        let command = [BellwetherProgram.path, "push", "--json", "--app", app.name]
        let result = try Command.run(command + ["--url", "http://127.0.0.1:\(app.server.port)"] + arguments)
        return try result.lines.map { try JSONValue(parsing: $0) }
    }

    /// Writes a manifest, German strings and a recipe in the layout that `serve` reads. Returns the paths of both
    /// folders.
    private func write(under name: String? = nil) throws -> [String] {
        let name = name ?? app.name
        try folder.write(TestApp.manifest.text, to: "apps/\(name)/manifest.json")
        try folder.write(#"{"T": {"HELLO": "Hallo"}}"#, to: "apps/\(name)/strings/de.json")
        try folder.write(#"{"T": {"HELLO": "Hello"}}"#, to: "apps/\(name)/strings/en-US.json")
        try folder.write(Sample.message("m", ["text": "T/HELLO"]).text, to: "recipes/\(name)/hello.json")
        return [folder.path + "/apps", folder.path + "/recipes"]
    }

    @Test func `An app is made of its folders, the manifest first`() throws {
        let paths = try write()
        let result = try push(paths[1], paths[0])
        #expect(result.status == 0 && result.errors == "")
        let columns = result.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(columns.map { $0.first } == ["created", "created", "created", "created", "4"])
        #expect(columns.map { $0[1] } == ["manifest", "strings", "strings", "recipe", "created"])
        #expect(result.lines[3].contains("revision 1, live"))
        #expect(result.lines[3].hasSuffix("recipes/\(app.name)/hello.json"))
        #expect(try app.poll("c", "&locale=de").json["messages"][0]["text"] == "Hallo")
    }

    @Test func `The same again makes no new revision, a change makes one`() throws {
        let paths = try write()
        _ = try push(paths[0], paths[1])
        let again = try rows(paths[0], paths[1])
        #expect(again.map { $0["outcome"] } == ["unchanged", "unchanged", "unchanged", "unchanged"])
        try folder.write(Sample.message("m", ["text": "New"]).text, to: "recipes/\(app.name)/hello.json")
        try folder.write(#"{"T": {"HELLO": "Servus"}}"#, to: "apps/\(app.name)/strings/de.json")
        let changed = try rows(paths[0], paths[1])
        #expect(changed.map { $0["outcome"] } == ["unchanged", "changed", "unchanged", "changed"])
        #expect(changed.map { $0["revision"] } == [1, 2, 1, 2])
        #expect(changed.map { $0["name"] } == [nil, "de", "en-US", "hello"])
    }

    @Test func `A folder of an app goes to the app that is named, and so does a file`() throws {
        _ = try write(under: "other")
        let apart = try push(folder.path + "/apps")
        #expect(apart.status == 1 && apart.output == "" && apart.errors.contains("nor is \(app.name) in it"))
        #expect(try push(folder.path + "/apps/other/manifest.json").status == 0)
        let outcome = try rows(folder.path + "/apps/other/strings", folder.path + "/recipes/other")
        #expect(outcome.map { $0["document"] } == ["strings", "strings", "recipe"])
        #expect(try app.keys() == ["m"])
    }

    @Test func `A bad file keeps all back, and every fault has its line`() throws {
        let paths = try write()
        let broken = try folder.write(
            "{\n  \"triggers\": {\n    \"T\": \"1 +\",\n    \"U\": \"(\"\n  }\n}\n",
            to: "recipes/\(app.name)/broken.json")
        let syntax = try folder.write("{\n  \"messages\": {\n", to: "recipes/\(app.name)/syntax.json")
        let result = try push(paths[0], paths[1])
        #expect(result.status == 1)
        #expect(result.output.contains("\(broken):3:10: error: "))
        #expect(result.output.contains("\(broken):4:10: error: "))
        #expect(result.output.contains("[jexl_parse] at /triggers/U"))
        #expect(result.output.contains("\(syntax):3:1: error: "))
        #expect(result.lines.last == "2 refused, 4 not sent")
        #expect(try app.server.get("\(app.path)/manifest").status == 404)
        let refused = try rows(paths[0], paths[1]).first { $0["name"] == "broken" }
        #expect(refused?["errors"].array?.map { $0["line"] } == [3, 4])
    }

    @Test func `Recipes of an envelope go under their own slugs`() throws {
        _ = try push(try write()[0])
        let envelope = try folder.write(
            """
            {"data": [
              {"slug": "one", "messages": {"a": {"surface": "card", "text": "A"}}},
              {"slug": "two", "messages": {"b": {"surface": "notification", "text": 1.50}}}
            ]}
            """, to: "export.json")
        let outcome = try rows(envelope)
        #expect(outcome.map { $0["name"] } == ["one", "two"])
        #expect(outcome.map { $0["outcome"] } == ["created", "created"])
        #expect(outcome[1]["warnings"][0]["pointer"] == "/data/1/messages/b/text")
        #expect(outcome[1]["warnings"][0]["line"] == 3)
        // The document is stored as the author wrote it.
        #expect(try app.server.get("\(app.path)/recipes/two").text.contains("1.50"))
        try folder.write(#"{"data": [{"slug": "three", "messages": {}}, {"messages": {}}]}"#, to: "export.json")
        let nameless = try rows(envelope)
        #expect(nameless.map { $0["outcome"] } == ["not_sent", "refused"])
        #expect(nameless[1]["errors"][0]["pointer"] == "/data/1")
    }

    @Test func `Nothing is sent with --dry-run, and what would change is told`() throws {
        let paths = try write()
        let before = try push("--dry-run", paths[0], paths[1])
        #expect(before.status == 0 && before.lines.last == "4 would create")
        #expect(try app.server.get("\(app.path)/manifest").status == 404)
        _ = try push(paths[0], paths[1])
        try folder.write(Sample.message("m", ["text": "New"]).text, to: "recipes/\(app.name)/hello.json")
        let after = try rows("--dry-run", paths[0], paths[1])
        #expect(after.map { $0["outcome"] } == ["unchanged", "unchanged", "unchanged", "would_change"])
        #expect(try app.server.get("\(app.path)/recipes/hello/revisions").json["revisions"].array?.count == 1)
    }

    @Test func `Drafts lie beside what is served, and go live when they are pushed as none`() throws {
        let paths = try write()
        _ = try push(paths[0], paths[1])
        let file = try folder.write(Sample.message("m", ["text": "New"]).text, to: "recipes/\(app.name)/hello.json")
        let draft = try rows("--draft", file)
        #expect(draft[0]["outcome"] == "changed" && draft[0]["state"] == "draft" && draft[0]["revision"] == 2)
        #expect(try app.poll().json["messages"][0]["text"] == "Hello")
        #expect(try rows("--draft", file)[0]["outcome"] == "unchanged")
        #expect(try rows("--dry-run", file)[0]["outcome"] == "would_change")
        let live = try rows(file)
        #expect(live[0]["outcome"] == "changed" && live[0]["state"] == "live" && live[0]["revision"] == 2)
        #expect(try app.poll().json["messages"][0]["text"] == "New")
    }

    @Test func `A recipe that has ended is stored, warned of, and the exit is 1`() throws {
        let paths = try write()
        _ = try push(paths[0], paths[1])
        _ = try app.server.post("\(app.path)/recipes/hello/state", ["state": "ended"])
        let file = try folder.write(Sample.message("m", ["text": "New"]).text, to: "recipes/\(app.name)/hello.json")
        for arguments in [["--dry-run", file], [file], [file], ["--dry-run", paths[0], file], ["--draft", file]] {
            let result = try Command.run(
                [BellwetherProgram.path, "push", "--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"]
                    + arguments)
            #expect(result.status == 1 && result.output.contains("[recipe_ended]"), "\(arguments): \(result.output)")
        }
        #expect(try app.server.get("\(app.path)/recipes/hello/revisions").json["revisions"].array?.count == 2)
    }

    @Test func `A recipe whose end has passed fails the push that ends it, and no later one`() throws {
        _ = try push(try write()[0])
        let over = NimbusRecipe.experiment("over", ["t": Sample.message("m")], ["endDate": "2020-02-01"])
        let file = try folder.write(over.text, to: "over.json")
        #expect(try push("--dry-run", "--draft", file).status == 0)
        #expect(try push("--dry-run", file).status == 1)
        let first = try push(file)
        #expect(first.status == 1 && first.output.contains("[end_passed]"))
        #expect(first.output.contains("revision 1, ended"))
        let again = try push(file)
        #expect(again.status == 0 && again.output.contains("[end_passed]"))
    }

    @Test func `A draft stays one until it is pushed with --live, and the push says so`() throws {
        let paths = try write()
        _ = try push("--draft", paths[0], paths[1])
        let stays = try push(paths[1])
        #expect(stays.status == 0 && stays.lines.last == "1 unchanged")
        #expect(stays.lines[0].contains("revision 1, draft"))
        #expect(stays.output.contains("push --live puts it live") && stays.output.contains("[stays_draft]"))
        #expect(try push("--draft", paths[1]).output.contains("stays_draft") == false)
        #expect(try app.keys() == [])
        #expect(try rows("--dry-run", "--live", paths[1])[0]["outcome"] == "would_change")
        let live = try rows("--live", paths[1])
        #expect(live[0]["outcome"] == "changed" && live[0]["state"] == "live" && live[0]["revision"] == 1)
        #expect(try app.keys() == ["m"])
        _ = try app.server.post("\(app.path)/recipes/hello/state", ["state": "paused"])
        #expect(try rows("--live", paths[1])[0]["state"] == "paused", "to resume is another decision")
        #expect(try push("--live", "--draft", paths[1]).status == 64)
    }

    /// A manifest is pushed before the strings that it names.
    @Test func `What the manifest misses until the strings are there is no news`() throws {
        let paths = try write()
        var manifest = TestApp.manifest.object ?? [:]
        func name(_ title: String) throws {
            manifest["messaging"] = ["messages": ["own": ["surface": "card", "text": .string(title)]]]
            try folder.write(JSONValue.object(manifest).text, to: "apps/\(app.name)/manifest.json")
        }
        try name("T/HELLO")
        let strict = try rows("--strict", paths[0])
        #expect(strict.map { $0["outcome"] } == ["created", "created", "created"])
        #expect(strict[0]["warnings"] == [])
        try name("T/NOWHERE")
        let missing = try rows("--strict", paths[0])
        #expect(missing.map { $0["outcome"] } == ["refused", "not_sent", "not_sent"])
        #expect(missing[0]["errors"][0]["code"] == "unknown_string_id")
        let tolerant = try rows(paths[0])
        #expect(tolerant.map { $0["outcome"] } == ["changed", "unchanged", "unchanged"])
        #expect(tolerant[0]["warnings"].strings("code") == ["unknown_string_id"])
    }

    @Test func `Warnings are told, and are faults with --strict`() throws {
        _ = try push(try write()[0])
        let file = try folder.write(Sample.message("m", ["style": "NOPE"]).text, to: "warned.json")
        let strict = try push("--strict", file)
        #expect(strict.status == 1)
        #expect(strict.output.contains("error: ") && strict.output.contains("[unknown_style]"))
        #expect(try app.server.get("\(app.path)/recipes").json["recipes"] == [])
        let tolerant = try push(file)
        #expect(tolerant.status == 0 && tolerant.output.contains("\(file):1:"))
        #expect(tolerant.output.contains("warning: ") && tolerant.output.contains("[unknown_style]"))
    }
}
