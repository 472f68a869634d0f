import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Documents of other systems. `survey import` converts them to recipes, `check` names their format, and `push` accepts
/// files of recipes (docs/reference/surveys.md#import-and-export).
@Suite struct FormatImportTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func run(_ arguments: String..., input: String = "") throws -> Command {
        try Command.run([BellwetherProgram.path] + arguments, input: input)
    }

    private func imported(_ text: String) throws -> JSONValue {
        let result = try run("survey", "import", "-", input: text)
        guard result.status == 0 else { throw Failure("not imported: \(result.errors)") }
        return try JSONValue(parsing: result.output)
    }

    private static let questionnaire: JSONValue = [
        "id": "8a4f", "project_id": "p1", "slug": "post-onboarding", "name": "Onboarding", "description": nil,
        "schema": [
            "version": 1,
            "questions": [["id": "stars", "type": "rating", "title": "How was it?", "required": true, "scale": 5]],
        ],
        "is_active": true, "created_by": "u1", "created_at": "2026-01-01T00:00:00Z", "response_count": 0,
    ]

    @Test func `A questionnaire with its slug is imported, and each thing without a counterpart is told`() throws {
        let path = try folder.write(Self.questionnaire.text, to: "full.json")
        let result = try run("survey", "import", path)
        #expect(result.status == 0)
        let recipe = try JSONValue(parsing: result.output)
        var original = recipe.object
        original?["kind"] = nil
        #expect(recipe["kind"] == "questionnaire" && original.map { .object($0) } == Self.questionnaire)
        let told = result.errors.split(separator: "\n").map { String($0.split(separator: " ").last ?? "") }
        #expect(told == ["/id", "/project_id", "/created_by", "/created_at", "/response_count"], "\(result.errors)")
        #expect(result.errors.hasPrefix("\(path):1:7: warning: \"id\" has no counterpart"))
    }

    @Test func `A list becomes a file of recipes`() throws {
        let list: JSONValue = ["questionnaires": [Self.questionnaire], "cursor": nil, "has_more": true]
        let result = try run("survey", "import", "-", input: list.text)
        #expect(result.status == 0 && result.errors.contains("the list goes on"))
        let recipes = try JSONValue(parsing: result.output)
        #expect(recipes["data"].strings("slug") == ["post-onboarding"])
        #expect(recipes["data"][0]["kind"] == "questionnaire")
        let original = try run("survey", "export", "-", input: result.output)
        #expect(try JSONValue(parsing: original.output) == [Self.questionnaire])
        let twice: JSONValue = [Self.questionnaire, Self.questionnaire]
        #expect(try run("survey", "import", "-", input: twice.text).status == 1)
        let fetched: JSONValue = ["eligible": true, "questionnaire": Self.questionnaire]
        #expect(try imported(fetched.text)["slug"] == "post-onboarding")
    }

    @Test func `Bare questions and arrays of them are imported, and exported as they were`() throws {
        let questions = ForeignSamples.surveyQuestions.filter { !["year_picker", "date_picker"].contains($0.type) }
        for text in questions.map(\.text) + ForeignSamples.questionnaireQuestions {
            let sample = try JSONValue(parsing: text)
            for document in [sample, [sample]] {
                let recipe = try run("survey", "import", "-", input: document.text)
                #expect(recipe.status == 0 && recipe.errors == "", "\(recipe.errors)")
                let exported = try run("survey", "export", "--questions", "-", input: recipe.output)
                #expect(try JSONValue(parsing: exported.output) == [sample])
            }
        }
        let faulty = try folder.write(#"{"id": "b", "question": 7, "question_type": "single_text_area"}"#, to: "b.json")
        let result = try run("survey", "import", faulty)
        #expect(result.status == 1 && result.errors.contains("\(faulty):1:25: error: ") && result.output == "")
    }

    @Test func `A comma too many is named with its line and left out, one that is missing is named`() throws {
        func sample(_ type: String) -> String { ForeignSamples.surveyQuestions.first { $0.type == type }?.text ?? "" }
        let result = try run("survey", "import", "-", input: sample("date_picker"))
        #expect(result.status == 0)
        #expect(result.errors.contains("a comma with nothing after it at line 8, column 32"), "\(result.errors)")
        #expect(try JSONValue(parsing: result.output)["questions"][0]["date_diff"] == ["year": -1])
        let missing = try run("survey", "import", "-", input: sample("year_picker"))
        #expect(missing.status == 1 && missing.errors.contains("-:6:3: error: a comma or \"}\" was expected"))
    }

    @Test func `Check says what a file without kind is, and which command takes it`() throws {
        let survey: JSONValue = [
            "questions": [.object(["id": "a", "question": "?", "question_type": "single_text_area"])]
        ]
        let flow: JSONValue = ["id": "f", "name": "F", "steps": []]
        let samples: [(JSONValue, String)] = [
            (Self.questionnaire, "Owlmetry's questionnaire: bellwether survey import"),
            (survey, "SurveyNative's survey"),
            (["questionnaires": [Self.questionnaire]], "a list of Owlmetry's questionnaires"),
            (Self.questionnaire["schema"], "the schema of one of Owlmetry's"), (survey["questions"], "SurveyNative's"),
            (flow, "AppDNA's flow"),
        ]
        for (document, words) in samples {
            let result = try run("check", try folder.write(document.text, to: "file.json"))
            #expect(result.status == 1 && result.lines[0].contains(words), "\(result.output)")
        }
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/recipes/s", survey)
        #expect(places(expectProblem(answer, 422)) == [" unknown_kind"] && answer.text.contains("survey import"))
    }

    @Test(arguments: [
        #"{"id": "x", "questions": [{"id": "q", "type": "nps", "headline": {"default": "H"}}], "triggers": []}"#,
        #"{"title": "T", "fields": [{"id": "f", "title": "Q", "type": "short_text"}]}"#,
        #"{"pages": [{"name": "p", "elements": [{"type": "text", "name": "q"}]}], "triggers": []}"#,
        #"{"data": {"id": "x", "questions": [{"type": "open", "question": "Q"}]}}"#, #"{"triggers": ["T"]}"#,
    ])
    func `A document that no command takes is refused`(_ text: String) throws {
        let result = try run("survey", "import", "-", input: text)
        #expect(result.status == 1 && result.output == "")
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/recipes/s", try JSONValue(parsing: text))
        #expect(places(expectProblem(answer, 422)) == [" unknown_kind"])
    }

    private static let bundle: JSONValue = [
        "flows": ["first": flow("first"), "second": flow("second")], "active_flow_id": "second",
        "paywalls": ["p": 1],
    ]

    private static func flow(_ id: String) -> JSONValue {
        [
            "id": .string(id), "name": "F", "version": 1, "status": "published",
            "steps": [["id": "hello", "type": "welcome", "config": ["title": "Hi"]]],
        ]
    }

    @Test func `A bundle of flows is a file for check and push`() throws {
        let app = try TestApp(on: try Daemon())
        let url = ["--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"]
        func push(_ path: String, _ more: String...) throws -> Command {
            try Command.run(
                [BellwetherProgram.path, "push", path] + url + more, environment: ["XDG_STATE_HOME": folder.path])
        }
        var old = Self.flow("old").object ?? [:]
        old["kind"] = "flow"
        old["active"] = true
        try app.publish("old", .object(old))
        let path = try folder.write(Self.bundle.text, to: "bundle.json")
        let check = try run("check", path)
        #expect(check.status == 0 && check.output.contains("\"paywalls\" has no counterpart"), "\(check.output)")
        let pushed = try push(path)
        #expect(pushed.status == 0, "\(pushed.output)\(pushed.errors)")
        #expect(pushed.output.contains("recipe first") && pushed.output.contains("2 created, 1 changed"))
        let active = try app.server.get("\(app.path)/flows/active?client_id=c")
        #expect(active.json["flow"]["id"] == "second")
        let exported = try app.server.get("\(app.path)/flows").json
        #expect(exported["active_flow_id"] == "second")
        #expect(exported["flows"]["first"] == Self.flow("first") && exported["flows"]["second"] == Self.flow("second"))
        #expect(try push(path).output.contains("2 unchanged"))
        let faulty: JSONValue = ["flows": ["bad": ["id": "bad", "steps": 7]]]
        let result = try run("check", "--json", try folder.write(faulty.text, to: "faulty.json"))
        #expect(result.status == 1 && result.output.contains("/flows/bad/steps"), "\(result.output)")
    }

    @Test func `Lists of Experimenter's recipes are files for check and push`() throws {
        let app = try TestApp(on: try Daemon())
        var recipe = NimbusRecipe.experiment("exp-1", ["a": NimbusRecipe.survey("s")]).object ?? [:]
        recipe["outcomes"] = [["slug": "retention"]]
        for document in [[.object(recipe)], ["changes": [.object(recipe)], "timestamp": 7]] as [JSONValue] {
            let path = try folder.write(document.text, to: "list.json")
            let pushed = try Command.run(
                [
                    BellwetherProgram.path, "push", "--app", app.name, "--force", "--url",
                    "http://127.0.0.1:\(app.server.port)", path,
                ], environment: ["XDG_STATE_HOME": folder.path])
            #expect(pushed.status == 0, "\(pushed.output)\(pushed.errors)")
            #expect(try app.server.get("\(app.path)/recipes/exp-1").json == .object(recipe))
            let result = try run("survey", "import", path)
            #expect(result.status == 0 && result.errors.contains("\"outcomes\" has no counterpart"), "\(result.errors)")
            #expect(try JSONValue(parsing: result.output)["data"] == [.object(recipe)])
        }
    }
}
