import BellwetherJSON
import TestSupport
import Testing

/// `bellwether recipes note`, and the lists that use notes (docs/reference/http-api.md#notes).
@Suite struct RecipeNoteCommandTests {
    private let app: TestApp

    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Asked",
        "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "What?"]]],
    ]

    init() throws {
        app = try TestApp(on: try Daemon())
        for slug in ["one", "two"] { try app.publish(slug, Self.questionnaire) }
    }

    private func run(_ arguments: String...) throws -> Command {
        try Command.run(
            [BellwetherProgram.path, "recipes"] + arguments
                + ["--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"])
    }

    private func slugs(_ arguments: String...) throws -> [String?] {
        let list = try Command.run(
            [BellwetherProgram.path, "recipes", "list", "--json"] + arguments
                + ["--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"])
        return try list.lines.map { try JSONValue(parsing: Array($0.utf8))["slug"].string }
    }

    @Test func `An owner, labels and the archive are kept, and lists go by them`() throws {
        let noted = try run("note", "one", "--owner", "Ana", "--label", "winter", "--label", "sale")
        #expect(noted.output == "one: owner Ana; labels winter, sale\n", "\(noted.errors)")
        #expect(try slugs("--owner", "Ana") == ["one"] && slugs("--label", "sale") == ["one"])
        #expect(try run("list").lines.first?.hasSuffix("owner") == true)
        #expect(try run("note", "one", "--archived").status == 1)
        #expect(try run("end", "one").status == 0)
        #expect(try run("note", "one", "--archived", "--label", "").output == "one: owner Ana; labels -; archived\n")
        #expect(try slugs() == ["two"] && slugs("--archived") == ["one"])
        #expect(try run("note", "one", "--no-archived", "--owner", "").output == "one: owner -; labels -\n")
        #expect(try slugs() == ["one", "two"])
    }
}
