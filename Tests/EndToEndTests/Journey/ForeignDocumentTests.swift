import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Documents from the pages of other systems are imported unchanged, served, answered, and exported again with equal
/// content.
@Suite struct ForeignDocumentTests {
    private let app: TestApp

    init() throws {
        app = try TestApp(
            manifest: [
                "app_name": "a", "default_locale": "en", "surfaces": ["microsurvey"],
                "messaging": [
                    "triggers": ["SECOND_HOMEPAGE_VIEW": "true"],
                    "styles": ["MICROSURVEY": ["priority": 50, "max-display-count": 5]],
                ],
            ])
    }

    private func command(_ arguments: String..., input: String) throws -> String {
        let result = try Command.run([BellwetherProgram.path] + arguments, input: input)
        guard result.status == 0 else { throw Failure(result.errors) }
        return result.output
    }

    private static let answers: [String: JSONValue] = [
        "single_select": "Vanilla", "multi_select": ["Pop", "Rap"], "single_text_field": "42",
        "single_text_area": "Rain, and a book.", "multi_text_field": ["Dogs": "1", "Cats": "2"],
        "dynamic_label_text_field": ["Feet": "5", "Inches": "3"], "add_text_field": ["Tennis"], "segment_select": "4",
        "table_select": ["play_sports": "Yes", "read_books": "No", "go_dancing": "Sometimes", "watch_tv": "No"],
    ]

    /// Adds a comma that is missing in the original example.
    private static func mended(_ text: String) -> String {
        text.replacing("\"year_picker\"\n", with: "\"year_picker\",\n")
    }

    @Test(arguments: ForeignSamples.surveyQuestions.map(\.type))
    func `SurveyNative's examples`(_ type: String) throws {
        let text = Self.mended(ForeignSamples.surveyQuestions.first { $0.type == type }?.text ?? "")
        let recipe = try command("survey", "import", "-", input: text)
        try app.publish("s", try JSONValue(parsing: recipe))
        let served = try app.server.get("\(app.path)/surveys/s?client_id=c").json["survey"]["questions"][0]
        let id = try #require(served["id"].string)
        let answers = JSONValue.object([id: Self.answers[type] ?? served["range"]["max"]])
        let saved = try app.server.post(
            "\(app.path)/surveys/s/responses", ["client_id": "c", "answers": answers, "is_complete": true])
        #expect(saved.status == 201, "\(saved.text)")
        #expect(try app.server.get("\(app.path)/surveys/s/responses").json["items"][0]["answers"] == answers)
        let stored = try app.server.get("\(app.path)/recipes/s").text
        let exported = try command("survey", "export", "--questions", "-", input: stored)
        #expect(try JSONValue(parsing: exported) == [try JSONValue(parsing: text.replacing(" },\n}", with: " }\n}"))])
    }

    @Test func `SurveyNative's examples in one survey`() throws {
        let texts = ForeignSamples.surveyQuestions.map { Self.mended($0.text) }
        let survey =
            "{\"questions\": [\(texts.joined(separator: ",\n"))], \"submit\": {\"button_title\": \"Send\", \"url\": \"https://example.org/s\"}}"
        let recipe = try command("survey", "import", "-", input: survey)
        try app.publish("all", try JSONValue(parsing: recipe))
        let stored = try app.server.get("\(app.path)/recipes/all").text
        let exported = try JSONValue(parsing: command("survey", "export", "-", input: stored))
        #expect(exported == (try JSONValue(parsing: survey.replacing(" },\n}", with: " }\n}"))))
        #expect(exported["questions"].array?.count == 11)
    }

    @Test func `Owlmetry's examples`() throws {
        let samples = ForeignSamples.questionnaireQuestions
        let recipe = try command("survey", "import", "-", input: "[\(samples.joined(separator: ","))]")
        try app.publish("q", try JSONValue(parsing: recipe))
        let served = try app.server.get("\(app.path)/questionnaires/q?client_id=c").json["questionnaire"]["schema"]
        #expect(served["questions"].strings("id") == ["q_takeaway", "q_details"])
        let answers: JSONValue = ["q_takeaway": "Good", "q_details": "Two\nlines"]
        let saved = try app.server.post(
            "\(app.path)/questionnaires/q/responses", ["client_id": "c", "answers": answers, "is_complete": true])
        #expect(saved.status == 201, "\(saved.text)")
        #expect(try app.server.get("\(app.path)/questionnaires/q/responses").json["items"][0]["answers"] == answers)
        let stored = try app.server.get("\(app.path)/recipes/q").text
        let exported = try command("survey", "export", "--questions", "-", input: stored)
        #expect(try JSONValue(parsing: exported) == .array(samples.map { try JSONValue(parsing: $0) }))
    }

    @Test func `Firefox's microsurvey`() throws {
        let recipe = try command("survey", "import", "-", input: ForeignSamples.microsurvey)
        let sample = try JSONValue(parsing: ForeignSamples.microsurvey)
        #expect(try JSONValue(parsing: recipe) == sample)
        try app.publish("homepage", try JSONValue(parsing: recipe))
        let message = try app.poll("c").json["messages"][0]
        #expect(message["key"] == "homepage-microsurvey-message")
        #expect(message["microsurvey"]["options"].array?.count == 6)
        #expect(try app.respond("c", "homepage-microsurvey-message", "0").status == 201)
        #expect(try app.server.get("\(app.path)/recipes/homepage").json == sample)
    }
}
