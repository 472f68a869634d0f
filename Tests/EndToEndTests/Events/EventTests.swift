import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Accepted events (docs/reference/events.md#events).
@Suite struct EventTests {
    @Test func `Each kind is recorded under Glean's name`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        let receipt = try app.record(
            "c", Event.message("displayed", "survey"), Event.message("clicked", "survey", ["action_uuid": "u-1"]),
            Event.survey("shown", "survey"), Event.survey("privacy_notice_tapped", "survey"),
            ["type": "feature", "action": "exposed", "experiment": "x", "feature_id": "messaging"],
            ["type": "feature", "action": "exposed", "experiment": "not-enrolled"],
            Event.survey("confirmation_shown", "survey"), Event.message("dismissed", "survey"),
            Event.behavior("visit"))
        #expect(receipt == ["accepted": 9, "duplicates": 0, "rejected": []])
        #expect(
            try app.recorded() == [
                "nimbus_events.exposure", "messaging.shown", "messaging.clicked", "microsurvey.shown",
                "microsurvey.privacy_notice_tapped", "nimbus_events.exposure", "microsurvey.confirmation_shown",
                "messaging.dismissed",
            ])
        let clicked = try app.telemetry()[2]
        #expect(
            clicked["extra"] == ["message_key": "survey", "message_surface": "microsurvey", "action_uuid": "u-1"])
        #expect(try app.telemetry()[3]["extra"] == ["survey_id": "survey"])
    }

    @Test func `The sheet's close button dismisses the message, too`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        try app.record("c", Event.survey("dismiss_button_tapped", "survey"))
        #expect(try app.recorded() == ["microsurvey.dismiss_button_tapped", "messaging.dismissed"])
        #expect(try app.keys() == [])
    }

    @Test func `A click ends a message, but on the microsurvey surface it opens the sheet`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        try app.publish("y", Sample.message("m"))
        try app.record("c", Event.message("clicked", "survey"), Event.message("clicked", "m"))
        #expect(try app.keys() == ["survey"])
    }

    @Test func `A known id does nothing, in the batch, later, and with other content`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        let receipt = try app.record(
            "c", Event.message("displayed", "m", ["id": "1"]), Event.message("displayed", "m", ["id": "1"]),
            Event.behavior("visit", ["id": "2"]))
        #expect(receipt == ["accepted": 2, "duplicates": 1, "rejected": []])
        #expect(
            try app.record("c", Event.message("dismissed", "m", ["id": "2"])) == [
                "accepted": 0, "duplicates": 1, "rejected": [],
            ])
        #expect(try app.keys() == ["m"])
        #expect(try app.poll().json["messages"][0]["display_count"] == 1)
        // An id belongs to one client.
        #expect(try app.record("d", Event.behavior("visit", ["id": "1"]))["accepted"] == 1)
    }

    @Test func `A count counts, and old events count in their past`() throws {
        let app = try TestApp()
        let triggers: JSONObject = [
            "FIVE": "'visit'|eventSum('Years', 4, 0) >= 5", "TODAY": "'old'|eventSum('Days', 1, 0) > 0",
            "THREE_DAYS_AGO": "'old'|eventSum('Days', 7, 2) == 1",
        ]
        var recipe = Sample.message("five", ["trigger-if-all": ["FIVE"]]).object ?? [:]
        recipe["triggers"] = .object(triggers)
        recipe["messages"] = [
            "five": ["surface": "card", "text": "5", "trigger-if-all": ["FIVE"]],
            "today": ["surface": "notification", "text": "now", "trigger-if-all": ["TODAY"]],
            "past": ["surface": "microsurvey", "text": "then", "trigger-if-all": ["THREE_DAYS_AGO"]],
        ]
        try app.publish("x", .object(recipe))
        let threeDaysAgo = Date(timeIntervalSinceNow: -3 * 86_400).ISO8601Format()
        let receipt = try app.record(
            "c", Event.behavior("visit", ["count": 4]), Event.behavior("visit"),
            Event.behavior("old", ["at": .string(threeDaysAgo)]))
        #expect(receipt["accepted"] == 3)
        #expect(try Set(app.keys()) == ["five", "past"])
        try app.record("c", Event.behavior("old", ["at": .string(Date.now.ISO8601Format())]))
        #expect(try app.keys("c", "&surface=notification") == ["today"])
    }

    @Test func `A poll records its events first, so that what they trigger is in its answer`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["trigger-if-all": ["TWO_VISITS"]]))
        let events: JSONValue = [
            Event.behavior("visit", ["id": "1"]), Event.behavior("visit", ["id": "2"]), ["type": "x"],
        ]
        let body: JSONValue = ["client_id": "c", "surfaces": ["card"], "events": events]
        let first = try app.server.post("\(app.path)/messages", body).json
        #expect(first["messages"].strings("key") == ["m"])
        #expect(first["events"]["accepted"] == 2)
        #expect(first["events"]["rejected"].array?.map { $0["index"] } == [2])
        let again = try app.server.post("\(app.path)/messages", body).json
        #expect(again["events"]["duplicates"] == 2)
        let none = try app.server.post("\(app.path)/messages", ["client_id": "c", "events": []]).json
        #expect(none["events"] == ["accepted": 0, "duplicates": 0, "rejected": []])
    }

    @Test func `An event of a message whose recipe has ended is still recorded`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        #expect(try app.server.send("DELETE", "\(app.path)/recipes/x").status == 204)
        #expect(try app.record("c", Event.message("displayed", "m"))["accepted"] == 1)
        #expect(try app.recorded() == ["messaging.shown"])
    }

    @Test func `Behaviour enters the log only where the setting asks for it`() throws {
        let app = try TestApp()
        try app.record("c", Event.behavior("visit", ["count": 3]))
        #expect(try app.recorded() == [])
        let telling = try TestApp(on: try Daemon(environment: ["BELLWETHER_TELEMETRY_BEHAVIOR": "true"]))
        try telling.record("c", Event.behavior("visit", ["count": 3]))
        #expect(try telling.recorded() == ["behavior.visit"])
        #expect(try telling.telemetry()[0]["extra"] == ["count": 3])
    }

    @Test func `A display beyond the cap is recorded as shown, the expiry once`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["style": "ONCE"]))
        for _ in 0..<3 { try app.record("c", Event.message("displayed", "m")) }
        #expect(
            try app.recorded() == ["messaging.expired", "messaging.shown", "messaging.shown", "messaging.shown"])
    }
}
