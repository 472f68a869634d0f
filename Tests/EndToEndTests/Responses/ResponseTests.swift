import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Answers to microsurveys (docs/reference/http-api.md#microsurvey-answers).
@Suite struct ResponseTests {
    private func surveyed() throws -> TestApp {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        return app
    }

    @Test func `An answer is stored once, with its three records in order`() throws {
        let app = try surveyed()
        let answer = try app.respond("c", "survey", "2")
        #expect(answer.status == 201)
        #expect(answer.header("Content-Type") == "application/json")
        let stored = answer.json
        #expect(stored.object?.keys == ["id", "message", "option", "text", "submitted_at"])
        #expect(stored["message"] == "survey")
        #expect(stored["option"] == "2")
        #expect(stored["text"] == "Perhaps")
        // The id is a UUIDv7 (docs/reference/http-api.md#times-and-identifiers), and the time is in UTC.
        #expect(
            stored["id"].string?.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                != nil)
        #expect(stored["submitted_at"].string?.hasSuffix("Z") == true)
        #expect(
            try app.recorded() == [
                "messaging.dismissed", "microsurvey.submit_button_tapped", "microsurvey.confirmation_shown",
            ])
        #expect(
            try app.telemetry()[1]["extra"] == [
                "survey_id": "survey", "user_selection": "Perhaps", "option_index": 2, "option_string_id": "Perhaps",
                "locale": "en-US", "revision": 1,
            ])
        let again = try app.respond("c", "survey", "2")
        #expect(places(expectProblem(again, 409)) == [" already_responded"])
        #expect(again.json["type"] == "urn:bellwether:already_responded")
        #expect(try app.recorded().count == 3)
        // An event that the answer has recorded already is a duplicate.
        #expect(try app.record("c", Event.survey("confirmation_shown", "survey"))["duplicates"] == 1)
    }

    @Test func `The same id again gets the first answer, whatever else it says`() throws {
        let app = try surveyed()
        let first = try app.respond("c", "survey", "0", ["id": "mine"])
        #expect(first.status == 201)
        for option in ["0", "1"] {
            let again = try app.respond("c", "survey", option, ["id": "mine"])
            #expect(again.status == 200)
            #expect(again.json == first.json)
        }
        #expect(try app.respond("c", "survey", "0", ["id": "other"]).status == 409)
        #expect(try app.respond("d", "survey", "0", ["id": "mine"]).status == 201)
    }

    @Test func `The text is what the client was shown: its revision, its language`() throws {
        let app = try TestApp()
        _ = try app.server.put("\(app.path)/strings/de", ["T": ["yes": "Ja", "no": "Nein"]])
        _ = try app.server.put("\(app.path)/strings/en-US", ["T": ["yes": "Yes", "no": "No"]])
        func survey(_ options: JSONValue) -> JSONValue {
            Sample.message(
                "s", ["surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": options]])
        }
        try app.publish("x", survey(["T/yes", "T/no"]))
        try app.publish("x", survey(["T/no", "T/yes", "Maybe"]))
        #expect(try app.respond("a", "s", "0", ["locale": "de-AT"]).json["text"] == "Nein")
        #expect(try app.respond("b", "s", "0", ["locale": "de", "revision": 1]).json["text"] == "Ja")
        #expect(try app.respond("e", "s", "0", headers: ["Accept-Language": "de"]).json["text"] == "Nein")
        #expect(try app.respond("f", "s", "0").json["text"] == "No")
        #expect(
            places(expectProblem(try app.respond("g", "s", "2", ["revision": 1]), 422)) == ["/option unknown_option"])
        #expect(
            places(expectProblem(try app.respond("g", "s", "0", ["revision": 9]), 422)) == [
                "/revision unknown_revision"
            ])
        let selections = try app.telemetry().filter { $0["name"] == "submit_button_tapped" }.map { $0["extra"] }
        // Answers in different languages are counted by the option's id.
        #expect(selections.map { $0["option_string_id"] } == ["T/no", "T/yes", "T/no", "T/no"])
        #expect(selections.map { $0["revision"] } == [2, 1, 2, 2])
        #expect(selections.map { $0["locale"] } == ["de-AT", "de", "de", "en-US"])
    }

    @Test func `Any client may answer, capped or not, also after the recipe has ended`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey(style: "ONCE"))
        try app.record("c", Event.message("displayed", "survey"))
        #expect(try app.keys("c") == [])
        #expect(try app.respond("c", "survey", "0").status == 201)
        #expect(try app.server.send("DELETE", "\(app.path)/recipes/x").status == 204)
        #expect(try app.respond("d", "survey", "1").json["text"] == "No")
    }

    @Test(
        arguments: [
            (#"{"client_id": "c", "message": "nobody", "option": "0"}"#, 404, [" not_found"]),
            (#"{"client_id": "c", "message": "survey", "option": ""}"#, 422, ["/option unknown_option"]),
            (#"{"client_id": "c", "message": "survey", "option": "3"}"#, 422, ["/option unknown_option"]),
            (#"{"client_id": "c", "message": "survey", "option": "-1"}"#, 422, ["/option unknown_option"]),
            (#"{"client_id": "c", "message": "survey", "option": "00"}"#, 422, ["/option unknown_option"]),
            (#"{"client_id": "c", "message": "survey", "option": "Yes"}"#, 422, ["/option unknown_option"]),
            (#"{"client_id": "c", "message": "card", "option": "0"}"#, 422, ["/message not_microsurvey"]),
            (#"{"client_id": "c", "message": "survey", "option": 0}"#, 400, ["/option type"]),
            (#"{}"#, 400, ["/client_id required", "/message required", "/option required"]),
            (
                #"{"client_id": "c", "message": "survey", "option": "0", "locale": "!", "revision": 0}"#, 400,
                ["/revision range", "/locale locale"]
            ),
            (#"[]"#, 400, [" type"]),
            (#"nonsense"#, 400, [" json_syntax"]),
        ])
    func `What is no answer is refused`(_ body: String, _ status: Int, _ faults: [String]) throws {
        let app = try surveyed()
        try app.publish("y", Sample.message("card"))
        let answer = try app.server.send("POST", "\(app.path)/responses", body: Array(body.utf8))
        #expect(places(expectProblem(answer, status)) == faults)
        #expect(try app.recorded() == [])
    }
}
