import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// One answer for each client and microsurvey (docs/reference/http-api.md#microsurvey-answers).
@Suite struct SubmitResponseTests {
    private static func recipe(_ options: JSONValue = ["Yes", "Survey/no", "50% %@"]) -> JSONValue {
        [
            "messages": [
                "survey": [
                    "surface": "microsurvey", "text": "t", "experiment": "{experiment}",
                    "microsurveyConfig": ["options": options],
                ],
                "card": ["surface": "new-tab-card", "text": "t"],
            ]
        ]
    }

    private var scene = Scene(recipe: recipe())

    init() {
        scene.publish(.putStrings(locale: "de", (["Survey": ["no": "Nein"]] as JSONValue).encoded))
        scene.publish(.putStrings(locale: "en-US", (["Survey": ["no": "No"]] as JSONValue).encoded))
    }

    private mutating func stored(
        _ option: String, revision: Int? = nil, locale: String? = nil
    ) throws -> SurveyResponse {
        guard case .stored(let response) = try scene.answer("survey", option, revision: revision, locale: locale) else {
            throw SceneError()
        }
        return response
    }

    @Test mutating func storesWhatTheClientWasShown() throws {
        let response = try stored("1", locale: "de-AT")
        #expect(response.text == "Nein" && response.optionIndex == 1 && response.optionStringID == "Survey/no")
        #expect(response.locale == "de-AT" && response.revision == 1 && response.submittedAt == Scene.start)
        #expect(scene.responses == [response])
        #expect(
            scene.log.map { "\($0.category).\($0.name)" } == [
                "messaging.dismissed", "microsurvey.submit_button_tapped", "microsurvey.confirmation_shown",
            ])
        #expect(scene.log[1].extra["user_selection"] == "Nein" && scene.log[1].experiment == "e")
        #expect(try scene.next("microsurvey") == nil)
    }

    @Test(arguments: [("0", "Yes"), ("1", "No"), ("2", "50% Sample")])
    mutating func text(_ option: String, _ text: String) throws {
        let response = try stored(option)
        #expect(response.text == text && response.locale == "en-US")
    }

    @Test mutating func repeatedRequestGetsTheFirstAnswer() throws {
        guard case .stored(let first) = try scene.answer("survey", "0", requestID: "r1") else { throw SceneError() }
        let log = scene.log
        #expect(try scene.answer("survey", "0", requestID: "r1") == .repeated(first))
        #expect(try scene.answer("survey", "1", requestID: "r1") == .repeated(first))
        #expect(try scene.answer("survey", "1", requestID: "r2") == .alreadyResponded)
        #expect(try scene.answer("survey", "0") == .alreadyResponded)
        #expect(scene.log == log && scene.responses.count == 1)
    }

    @Test mutating func aRepetitionNeedNotBeValidAnyMore() throws {
        guard case .stored(let first) = try scene.answer("survey", "2", requestID: "r1") else { throw SceneError() }
        #expect(try scene.answer("survey", "7", requestID: "r1") == .repeated(first))
        #expect(try scene.answer("survey", "2", revision: 9, requestID: "r1") == .repeated(first))
        #expect(try scene.answer("survey", "7", requestID: "r2") == .refused(.unknownOption))
    }

    @Test mutating func withoutAnIdASecondAnswerIsASecond() throws {
        _ = try scene.answer("survey", "0")
        #expect(try scene.answer("survey", "0") == .alreadyResponded)
    }

    @Test(arguments: ["3", "-1", "-0", "+1", "01", "1.0", " 1", "", "one", "１", "99999999999999999999"])
    mutating func unknownOption(_ option: String) throws {
        #expect(throws: SubmitResponse.Refusal.unknownOption) { try scene.answer("survey", option) }
    }

    @Test mutating func refusals() throws {
        #expect(throws: SubmitResponse.Refusal.unknownMessage) { try scene.answer("nothing", "0") }
        #expect(throws: SubmitResponse.Refusal.notMicrosurvey) { try scene.answer("card", "0") }
        #expect(throws: SubmitResponse.Refusal.unknownRevision) { try scene.answer("survey", "0", revision: 9) }
        #expect(scene.log.isEmpty && scene.responses.isEmpty)
    }

    @Test mutating func olderRevisionHasItsOwnOptions() throws {
        scene.put("e", Self.recipe(["Other", "Another"]))
        #expect(try scene.poll(["microsurvey"]).offers.first?.message.revision == 2)
        let response = try stored("2", revision: 1)
        #expect(response.text == "50% Sample" && response.revision == 1)
    }

    @Test mutating func liveRevisionIsTheDefault() throws {
        scene.put("e", Self.recipe(["Other", "Another"]))
        let response = try stored("0")
        #expect(response.text == "Other" && response.revision == 2)
        #expect(throws: SubmitResponse.Refusal.unknownOption) { try scene.answer("survey", "2", revision: 2) }
    }

    @Test mutating func cappedAndEndedSurveysCanBeAnswered() throws {
        for _ in 0..<5 { try scene.report(message: "displayed", "survey") }
        #expect(try scene.next("microsurvey") == nil)
        scene.publish(.deleteRecipe(slug: "e"))
        #expect(try stored("0").text == "Yes")
        #expect(scene.log.last?.experiment == nil)
    }

    @Test mutating func surveyThatIsNoneAnyMoreCanBeAnsweredInItsRevision() throws {
        scene.put("e", ["messages": ["survey": ["surface": "new-tab-card", "text": "t"]]])
        #expect(throws: SubmitResponse.Refusal.notMicrosurvey) { try scene.answer("survey", "0") }
        #expect(try stored("0", revision: 1).text == "Yes")
    }

    @Test mutating func badOptionsAreDropped() throws {
        scene.put("e", Self.recipe([1, "Left", nil, "Right"]))
        #expect(try stored("1").text == "Right")
    }

    @Test mutating func fallbackOptionsAreAnswered() throws {
        scene.put("e", Self.recipe([]))
        let response = try stored("5")
        #expect(response.text == "I don’t use it")
        #expect(response.optionStringID == "Microsurvey/Microsurvey.Survey.Options.NotApplicable.v132")
    }
}
