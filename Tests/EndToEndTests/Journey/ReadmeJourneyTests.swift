import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The steps of the README, with the project's own app and recipes, and the real curl.
@Suite struct ReadmeJourneyTests {
    private static let message = "homepage-microsurvey-message"

    /// Runs curl and returns the status and the body.
    private func curl(_ url: String, json: String? = nil) throws -> (status: Int, body: JSONValue) {
        let send = json.map { ["--json", $0] } ?? []
        let result = try Command.run(["curl", "-s", "-S", "-w", "\n%{http_code}", url] + send)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let body = lines.dropLast().joined(separator: "\n")
        return (Int(lines.last ?? "") ?? 0, (try? JSONValue(parsing: body)) ?? .string(body))
    }

    @Test func `A client sees the homepage survey, answers it, and is asked no more`() throws {
        let daemon = try Daemon([
            "--dev", "--config", Repository.path + "/config/bellwether.yaml", "--apps", Repository.apps, "--recipes",
            Repository.recipes,
        ])
        let api = "http://127.0.0.1:\(daemon.port)/v1/apps/firefox-ios"
        let poll = "\(api)/messages?client_id=me&surface=microsurvey"
        #expect(try curl(poll + "&locale=en-US").body["messages"] == [])
        for view in ["view-1", "view-2"] {
            let event: JSONValue = [
                "client_id": "me", "events": [Event.behavior("homepage_viewed", ["id": .string(view)])],
            ]
            #expect(
                try curl("\(api)/events", json: event.text).body == ["accepted": 1, "duplicates": 0, "rejected": []])
        }
        expectEnglish(try curl(poll + "&locale=en-US").body["messages"][0])
        expectGerman(try curl(poll + "&locale=de").body["messages"][0])

        let shown: JSONValue = [
            "client_id": "me",
            "events": [
                Event.message("displayed", Self.message), Event.message("clicked", Self.message),
                Event.survey("shown", Self.message),
            ],
        ]
        #expect(try curl("\(api)/events", json: shown.text).body["accepted"] == 3)
        let answer = #"{"client_id": "me", "message": "\#(Self.message)", "option": "4", "locale": "en-US"}"#
        let (status, stored) = try curl("\(api)/responses", json: answer)
        #expect(status == 201)
        #expect(stored["message"].string == Self.message)
        #expect(stored["option"] == "4")
        #expect(stored["text"] == "Very satisfied")
        let (again, problem) = try curl("\(api)/responses", json: answer)
        #expect(again == 409)
        #expect(problem["errors"][0]["code"] == "already_responded")
        expectRecords(try daemon.get("/v1/apps/firefox-ios/telemetry?after=").lines)
        #expect(try curl(poll + "&locale=en-US").body["messages"] == [])
        #expect(try curl("\(api)/messages?client_id=another&surface=microsurvey").body["messages"] == [])
    }

    private func expectEnglish(_ message: JSONValue) {
        #expect(message["key"].string == Self.message)
        #expect(message["surface"] == "microsurvey")
        #expect(message["style"] == "MICROSURVEY")
        #expect(message["priority"] == 50)
        #expect(message["max_display_count"] == 1)
        #expect(message["display_count"] == 0)
        #expect(message["experiment"] == "homepage-microsurvey")
        #expect(message["branch"] == "rollout")
        #expect(message["dir"] == "ltr")
        #expect(message["title"] == "Help us make Firefox better. It only takes a minute.")
        #expect(message["text"] == "How satisfied are you with your Firefox homepage?")
        #expect(message["button_label"] == "Continue")
        #expect(message["action"] == .null)
        let sheet = message["microsurvey"]
        #expect(sheet["question"] == "How satisfied are you with your Firefox homepage?")
        #expect(sheet["icon"] == "homeLarge")
        #expect(
            sheet["options"].strings("text") == [
                "Very dissatisfied", "Dissatisfied", "Neutral", "Satisfied", "Very satisfied", "I don’t use it",
            ])
        #expect(sheet["options"].strings("id") == ["0", "1", "2", "3", "4", "5"])
        #expect(sheet["header"] == "Please complete survey")
        #expect(sheet["submit_label"] == "Submit")
        #expect(sheet["privacy_label"] == "Privacy notice")
        // The URL is exactly that of the shipped app.
        #expect(
            sheet["privacy_url"].string
                == "https://www.mozilla.org/en-US/privacy/firefox/?utm_medium=firefox-mobile&utm_source=modal"
                + "&utm_campaign=microsurvey&utm_content=homepage")
        #expect(sheet["confirmation"] == ["header": "Survey complete", "text": "Thanks for your feedback!"])
    }

    private func expectGerman(_ message: JSONValue) {
        #expect(message["title"] == "Helfen Sie uns, Firefox zu verbessern. Es dauert nur eine Minute.")
        #expect(message["button_label"] == "Weiter")
        let sheet = message["microsurvey"]
        let question = "Wie zufrieden sind Sie mit Ihrer Firefox-Startseite?"
        #expect(message["text"].string == question && sheet["question"].string == question)
        #expect(sheet["header"] == "Bitte füllen Sie die Umfrage aus" && sheet["submit_label"] == "Absenden")
        #expect(sheet["privacy_label"] == "Datenschutzhinweis")
        #expect(
            sheet["confirmation"]
                == ["header": "Umfrage abgeschlossen", "text": "Vielen Dank für Ihre Rückmeldung!"])
        #expect(
            sheet["options"].strings("text") == [
                "Sehr unzufrieden", "Unzufrieden", "Neutral", "Zufrieden", "Sehr zufrieden", "Nutze ich nicht",
            ])
        #expect(sheet["privacy_url"].string?.hasPrefix("https://www.mozilla.org/de/privacy/firefox/?") == true)
    }

    /// Checks the order of docs/reference/messaging.md#microsurvey-lifecycle. The exposure and the expiry of the only
    /// allowed display come before it.
    private func expectRecords(_ records: [JSONValue]) {
        let names = records.map { "\($0["category"].string ?? "").\($0["name"].string ?? "")" }
        #expect(
            names == [
                "nimbus_events.exposure", "messaging.expired", "messaging.shown", "messaging.clicked",
                "microsurvey.shown", "messaging.dismissed", "microsurvey.submit_button_tapped",
                "microsurvey.confirmation_shown",
            ])
        guard records.count == 8 else { return }
        #expect(records.allSatisfy { $0["client_id"] == "me" && $0["experiment"] == "homepage-microsurvey" })
        #expect(
            records[1]["extra"] == ["message_key": .string(Self.message), "message_surface": "microsurvey"])
        let extra = records[6]["extra"]
        #expect(extra["survey_id"].string == Self.message)
        #expect(extra["user_selection"] == "Very satisfied")
        #expect(extra["option_index"] == 4)
        #expect(extra["option_string_id"] == "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption1.v127")
        #expect(extra["locale"] == "en-US")
    }
}
