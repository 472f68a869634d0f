import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether responses import`: files of other systems (docs/reference/surveys.md#import-of-responses).
@Suite struct ResponsesImportTests {
    private let app: TestApp
    private let folder: TemporaryDirectory

    init() throws {
        app = try TestApp()
        folder = try TemporaryDirectory()
        try app.publish("survey", ImportTests.questionnaire)
    }

    private func bring(_ text: String, from source: String, to slug: String = "survey", _ more: String...) throws
        -> Command
    {
        let path = try folder.write(text, to: "file")
        return try Command.run(
            [BellwetherProgram.path, "responses", "import", "--from", source, slug, path, "--app", app.name]
                + ["--url", "http://127.0.0.1:\(app.server.port)"] + more)
    }

    private func items(_ collection: String = "questionnaires", _ slug: String = "survey") throws -> [JSONValue] {
        try app.server.get("\(app.path)/\(collection)/\(slug)/responses").json["items"].array ?? []
    }

    private static let owlmetry = """
        {"responses": [
          {"id": "a1", "questionnaire_id": "q", "slug": "survey", "app_id": "x", "project_id": "p", "session_id": null,
           "user_id": "owl_anon_1", "answers": {"stars": 5}, "schema_snapshot": null, "status": "new", "is_dev": false,
           "app_version": "2.0", "created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-01T00:00:00.000Z",
           "submitted_at": "2026-01-01T00:00:00.000Z"},
          {"id": "a2", "questionnaire_id": "q", "slug": "survey", "user_id": "nora", "answers": {"stars": 9},
           "status": "new", "created_at": "2026-01-01T00:00:00Z"},
          {"id": "a3", "slug": "another", "user_id": "otto", "answers": {"stars": 1}, "status": "new"},
          {"id": "a4", "slug": "survey", "user_id": "nora", "answers": {"stars": 2, "why": ["fun"]}, "status": "draft",
           "submitted_at": null, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-02T00:00:00Z"}],
         "cursor": null, "has_more": false}
        """

    @Test func `A page of Owlmetry's list is imported, and faults have their lines`() throws {
        let path = folder.path + "/file"
        let dry = try bring(Self.owlmetry, from: "owlmetry", "--dry-run")
        #expect(dry.status == 1 && dry.lines.last == "2 would be imported, 2 refused", "\(dry.output)\(dry.errors)")
        #expect(try items().isEmpty)
        let result = try bring(Self.owlmetry, from: "owlmetry")
        #expect(result.status == 1 && result.lines.last == "2 imported, 2 refused")
        #expect(result.output.contains("\(path):8:1: error: the response is to \"another\" [slug]"))
        let line = result.lines.first { $0.hasPrefix("\(path):6:1: error: ") }
        #expect(line?.hasSuffix("[range] at /answers/stars") == true)
        #expect(result.errors.contains("left out of 2: questionnaire_id\n"))
        let items = try items()
        #expect(Set(items.map { $0["client_id"].string ?? $0["user_id"].string }) == ["owl_anon_1", "nora"])
        #expect(items.first { $0["client_id"] == "owl_anon_1" }?["user_id"] == .null)
        let again = try bring(Self.owlmetry, from: "owlmetry", "--json")
        #expect(again.lines.count == 4 && again.output.contains(#""outcome": "known""#) == false)
        #expect(again.lines.filter { $0.contains("\"known\"") }.count == 2)
    }

    @Test func `What SurveyNative's apps have posted is imported, the same answers as often as they are there`() throws
    {
        let survey = try Command.run(
            [BellwetherProgram.path, "survey", "import", "-"],
            input: "[" + ForeignSamples.surveyQuestions.filter { $0.type == "single_select" }.map(\.text)[0] + "]")
        try app.publish("ice", try JSONValue(parsing: survey.output))
        let posted = """
            {"answers": {"ice_cream": "Vanilla"}}
            {"answers": {"ice_cream": "Vanilla"}}

            {"answers": {"ice_cream": {"Other": "Mango"}}, "submitted_at": "2024-05-06T07:08:09Z", "user_id": "u"}
            {"answers": {"ice_cream": "Tar"}}
            {"answers": {
            """
        let result = try bring(posted, from: "surveynative", to: "ice")
        #expect(result.status == 1 && result.lines.last == "3 imported, 2 refused", "\(result.output)\(result.errors)")
        #expect(result.output.contains("file:5:1: error: ") && result.output.contains("file:6:"))
        let again = try bring(posted, from: "surveynative", to: "ice")
        #expect(again.lines.last == "3 known already, 2 refused")
        let results = try app.server.get("\(app.path)/results/ice").json
        #expect(results["imported"] == 3 && results["questions"][0]["choices"][2]["count"] == 2)
    }

    @Test func `A table with a header of question ids is imported`() throws {
        let table = """
            \u{FEFF}user_id,submitted_at,stars,why,answers.more,app_version\r
            anna,2025-01-01T00:00:00Z,4,work; fun,"two\r
            lines, and ""quotes\""",1.0\r
            bert,2025-01-01T00:00:00Z,five,,,\r
            carl,2025-01-01T00:00:00Z,5,"[""fun""]",'=1+1,\r
            dora,5\r

            """
        let result = try bring(table, from: "csv")
        #expect(result.lines.last == "2 imported, 2 refused", "\(result.output)\(result.errors)")
        #expect(result.output.contains("file:4:1: error: ") && result.output.contains("[type] at /answers/stars"))
        #expect(result.output.contains("file:6:1: error: the line has 2 fields, the header 6 [columns]"))
        let items = try items()
        #expect(
            items.first { $0["user_id"] == "anna" }?["answers"]
                == ["stars": 4, "why": ["work", "fun"], "more": "two\r\nlines, and \"quotes\""])
        #expect(items.first { $0["user_id"] == "carl" }?["answers"] == ["stars": 5, "why": ["fun"], "more": "=1+1"])
        let wrong = try bring("user_id,colour\na,b\n", from: "csv")
        #expect(wrong.status == 1 && wrong.output.contains("file:1:1: error: \"colour\" is no question"))
    }

    @Test func `An export is imported elsewhere, and means the same`() throws {
        _ = try bring("id,user_id,status,stars,why\n1,a,in_review,4,fun\n2,b,draft,,work\n", from: "csv")
        let export = try Command.run(
            [BellwetherProgram.path, "responses", "export", "survey", "--format", "csv", "--app", app.name]
                + ["--url", "http://127.0.0.1:\(app.server.port)"])
        let other = try TestApp(on: app.server)
        try other.publish("survey", ImportTests.questionnaire)
        let path = try folder.write(export.output, to: "export.csv")
        let result = try Command.run(
            [BellwetherProgram.path, "responses", "import", "--from", "csv", "survey", path, "--app", other.name]
                + ["--url", "http://127.0.0.1:\(app.server.port)"])
        #expect(result.status == 0 && result.lines.last == "2 imported", "\(result.output)\(result.errors)")
        func facts(_ app: TestApp) throws -> Set<JSONValue> {
            let items = try app.server.get("\(app.path)/questionnaires/survey/responses").json["items"].array ?? []
            let keys = ["user_id", "status", "answers", "created_at", "submitted_at"]
            return Set(items.map { item in .array(keys.map { item[$0] }) })
        }
        #expect(try facts(app) == facts(other) && facts(other).count == 2)
    }

    @Test func `A person's answers to a repeating recipe are rounds, and a dry run says so`() throws {
        var recipe = ImportTests.questionnaire.object ?? [:]
        recipe["repeat"] = ["days": 90]
        try app.publish("again", .object(recipe))
        let table = """
            id,client_id,status,created_at,submitted_at,stars
            1,anna,new,2025-02-11T09:00:00Z,2025-02-11T09:00:00Z,4
            2,anna,new,2025-05-20T09:00:00Z,2025-05-20T09:00:00Z,5
            3,anna,draft,2025-06-01T09:00:00Z,,5
            """
        let dry = try bring(table, from: "csv", to: "again", "--dry-run")
        #expect(dry.lines.last == "2 would be imported, 1 refused", "\(dry.output)\(dry.errors)")
        #expect(try bring(table, from: "csv", to: "again").lines.last == "2 imported, 1 refused")
        #expect(try Set(items("questionnaires", "again").map { $0["round"].integer }) == [1, 2])
    }

    @Test func `Results are shown without what was imported`() throws {
        _ = try bring("id,stars\n1,4\n2,5\n", from: "csv")
        func results(_ more: String...) throws -> String {
            try Command.run(
                [BellwetherProgram.path, "results", "survey", "--app", app.name]
                    + ["--url", "http://127.0.0.1:\(app.server.port)"] + more
            ).lines[1]
        }
        #expect(try results() == "2 responses, 2 submitted, 2 imported")
        #expect(try results("--without-imported") == "0 responses, 0 submitted")
    }
}
