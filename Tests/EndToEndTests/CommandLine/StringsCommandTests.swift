import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether strings import`, and the conversion of surveys between other formats and recipes.
@Suite struct StringsCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func run(_ arguments: String..., input: String = "") throws -> Command {
        try Command.run([BellwetherProgram.path] + arguments, input: input)
    }

    private func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))))
    }

    @Test func `Catalogs become tables of the locales' files`() throws {
        let german = try folder.write("\"Title\" = \"Frage\";\n\"More\" = \"Mehr\";", to: "de.lproj/Ask.strings")
        let catalog: JSONValue = [
            "sourceLanguage": "en", "version": "1.0",
            "strings": [
                "Title": ["localizations": ["en": ["stringUnit": ["state": "translated", "value": "Question"]]]]
            ],
        ]
        let english = try folder.write(catalog.text, to: "Ask.xcstrings")
        try folder.write(#"{"Ask": {"Title": "Alt", "Kept": "Bleibt"}}"#, to: "strings/de.json")
        let into = ["--into", folder.path + "/strings"]
        let dry = try Command.run([BellwetherProgram.path, "strings", "import", german, english, "--dry-run"] + into)
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(
            dry.lines == [
                "locale  table  texts  added  changed", "de      Ask    2      1      1",
                "en      Ask    1      1      0",
            ])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/strings/en.json"))

        let done = try Command.run([BellwetherProgram.path, "strings", "import", german, english, "--json"] + into)
        #expect(done.status == 0 && done.lines.count == 2)
        #expect(try json("strings/de.json") == ["Ask": ["Title": "Frage", "Kept": "Bleibt", "More": "Mehr"]])
        #expect(try json("strings/en.json") == ["Ask": ["Title": "Question"]])
    }

    @Test func `With a fault nothing is written, and each is told with its line`() throws {
        let bad = try folder.write("\"a\" = \"b\";\n\"c\" \"d\";\n\"a\" = \"e\";", to: "de.lproj/Bad.strings")
        let good = try folder.write("\"a\" = \"b\";", to: "fr.lproj/Good.strings")
        let result = try run("strings", "import", bad, good, "--into", folder.path + "/strings")
        #expect(result.status == 1 && result.output == "")
        #expect(
            result.errors
                == "\(bad):2:5: error: expected = behind the key [strings_syntax]\n"
                + "\(bad):3:1: error: the key stands here twice [duplicate]\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/strings"))
        let base = try folder.write("\"a\" = \"b\";", to: "Base.lproj/Good.strings")
        #expect(try run("strings", "import", base, "--into", folder.path + "/strings").status == 1)
        #expect(try run("strings", "import", base, "--locale", "en", "--into", folder.path + "/s").status == 0)
    }

    private static let survey: JSONValue = [
        "questions": [
            [
                "id": "a", "header": "H", "question": "A?", "question_type": "segment_select", "values": ["Yes", "No"],
                "x-ours": [1, 2.5, nil],
            ],
            [
                "id": "b", "question": "B?", "question_type": "single_text_field",
                "show_if": ["id": "a", "operation": "equals", "value": "Yes"],
            ],
        ],
        "submit": ["button_title": "Send", "url": "https://example.org/submit"], "auto_focus_text": true,
        "x-version": 3,
    ]

    @Test func `Formats go in and out without loss`() throws {
        let questionnaire: JSONValue = [
            "slug": "imported", "name": "N",
            "schema": ["version": 1, "questions": [["id": "q", "type": "nps", "title": "T"]], "x": [:]],
            "is_active": true, "x-team": "core",
        ]
        for document in [Self.survey, questionnaire] {
            let path = try folder.write(document.text, to: "document.json")
            let recipe = try run("survey", "import", path)
            let told = recipe.errors.split(separator: "\n")
            #expect(recipe.status == 0 && told.count == 2, "\(recipe.errors)")
            #expect(told.allSatisfy { $0.contains("warning") && $0.contains("[unknown_key]") })
            let kind: JSONValue = document == Self.survey ? "survey" : "questionnaire"
            let value = try JSONValue(parsing: recipe.output)
            #expect(value["kind"] == kind && value.object?.keys.first == "kind")
            let original = try run("survey", "export", "-", input: recipe.output)
            #expect(original.status == 0)
            #expect(try JSONValue(parsing: original.output).text == document.text, "keys keep their order")
            #expect(try run("survey", "import", "-", input: recipe.output).output == recipe.output)
        }
        let schema = questionnaire["schema"]
        let recipe = try run("survey", "import", "-", input: schema.text)
        #expect(try run("survey", "export", "--schema", "-", input: recipe.output).output.contains("\"x\": {}"))
        #expect(recipe.output.contains("\"name\": \"Questionnaire\""))
        let file = try folder.write(schema.text, to: "spring-2026.json")
        #expect(try run("survey", "import", file).output.contains("\"name\": \"spring-2026\""))
        #expect(try run("survey", "import", "--name", "Spring", file).output.contains("\"name\": \"Spring\""))
    }

    @Test func `An import tells every fault at its line`() throws {
        let text = """
            {"version": 1, "questions": [
              {"id": "A", "type": "nps", "title": "T"},
              {"id": "b", "type": "slider", "title": " "}]}
            """
        let path = try folder.write(text, to: "schema.json")
        let result = try run("survey", "import", path)
        #expect(result.status == 1 && result.output == "")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("\(path):2:") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("\(path):3:") })
        #expect(try run("survey", "import", "-", input: "{}").status == 1)
    }

    @Test func `An explanation has the tests with the values that they read`() throws {
        let definition = try folder.write(Self.survey.text, to: "s.json")
        let answers = try folder.write(#"{"a": "No"}"#, to: "a.json")
        let result = try run("survey", "evaluate", "--definition", definition, "--answers", answers, "--explain")
        let explain = try JSONValue(parsing: result.output)["explain"]
        #expect(
            explain == [
                ["id": "a", "shown": true],
                [
                    "id": "b", "shown": false,
                    "tests": [["reference": "answers.a", "value": "No", "holds": false]],
                ],
            ])
        let line =
            #"{"dialect": "core", "condition": {"ref": "attr.plan", "op": "exists"}, "facts": {}, "explain": true}"#
        #expect(
            try run("condition", "batch", input: line + "\n").output
                == #"{"value":false,"leaves":[{"reference":"attributes.plan","value":null,"holds":false}]}"# + "\n")
    }
}
