import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The changes that a phone's ping makes. The ping is stored as sent (docs/reference/events.md#submitted-pings).
@Suite struct RecordPingTests {
    private static let options: JSONValue = ["T/yes", "T/no", "Maybe"]
    private static let recipe: JSONValue = [
        "styles": ["TWICE": ["max-display-count": 2]],
        "messages": [
            "survey": [
                "surface": "microsurvey", "text": "?", "style": "TWICE", "experiment": "{experiment}",
                "microsurveyConfig": ["options": options],
            ],
            "fallback": ["surface": "microsurvey", "text": "?"],
            "card": ["surface": "new-tab-card", "text": "t", "style": "TWICE"],
            "control": ["surface": "microsurvey", "is-control": true],
        ],
    ]

    private var phone = Phone(
        scene: {
            var scene = Scene(recipe: recipe)
            scene.publish(.putStrings(locale: "de", (["T": ["yes": "Ja", "no": "Nein"]] as JSONValue).encoded))
            scene.publish(.putStrings(locale: "en-US", (["T": ["yes": "Yes", "no": "No"]] as JSONValue).encoded))
            scene.publish(.putStrings(locale: "fr", (["T": ["yes": "Oui", "no": "Ja"]] as JSONValue).encoded))
            return scene
        }())

    private static func event(_ name: String, _ key: String = "card") -> JSONValue {
        ["category": "messaging", "name": .string(name), "extra": ["message_key": .string(key)]]
    }

    private static func answer(_ text: JSONValue, _ key: String = "survey") -> JSONValue {
        [
            "category": "microsurvey", "name": "submit_button_tapped",
            "extra": ["survey_id": .string(key), "user_selection": text],
        ]
    }

    @Test(arguments: ["shown", "message_shown"])
    mutating func displaysCountAndLatchAtTheCap(_ name: String) throws {
        try phone.send([Self.event(name)])
        #expect(phone.entry("card").displayCount == 1 && !phone.entry("card").isExpired)
        try phone.send([Self.event(name), Self.event(name)])
        #expect(phone.entry("card").displayCount == 3 && phone.entry("card").isExpired)
        #expect(phone.log.map(\.name.text) == [name, name, name], "nothing is derived: no exposure, no expired")
    }

    @Test(arguments: ["clicked", "message_clicked"])
    mutating func aPressEndsTheMessageButNotASurvey(_ name: String) throws {
        try phone.send([Self.event(name), Self.event(name, "survey")])
        #expect(phone.entry("card").isClicked)
        #expect(!phone.entry("survey").isInteracted)
        #expect(phone.log.map(\.name.text) == [name, name])
    }

    @Test(arguments: ["dismissed", "message_dismissed"])
    mutating func aDismissalCounts(_ name: String) throws {
        try phone.send([Self.event(name)])
        #expect(phone.entry("card").dismissals == 1)
        #expect(phone.log.map(\.name.text) == [name])
    }

    @Test(arguments: ["expired", "message_expired"])
    mutating func expiryLatches(_ name: String) throws {
        try phone.send([Self.event(name)])
        #expect(phone.entry("card").isExpired && phone.entry("card").displayCount == 0)
    }

    @Test mutating func recordsAreAsSentWithTheBranch() throws {
        try phone.send(
            [
                ["category": "messaging", "name": "shown", "extra": ["message_key": "survey", "x": 1]],
                ["category": "microsurvey", "name": "shown", "extra": ["survey_id": "survey"]],
                ["category": "nimbus_events", "name": "exposure", "extra": ["experiment": "z", "branch": "y"]],
                ["category": "nimbus_events", "name": "is_ready"], ["category": "own", "name": "thing"],
                Self.event("shown", "unknown"), Self.event("shown", "card"),
            ], information: ["experiments": ["e": ["branch": "phones"]]])
        #expect(
            phone.log.map { "\($0.category).\($0.name)" } == [
                "messaging.shown", "microsurvey.shown", "nimbus_events.exposure", "nimbus_events.is_ready", "own.thing",
                "messaging.shown", "messaging.shown",
            ])
        #expect(phone.log.first?.extra == ["message_key": "survey", "x": 1])
        #expect(phone.log.map(\.experiment) == ["e", "e", "z", nil, nil, nil, nil])
        #expect(phone.log.map(\.branch) == ["phones", "phones", "y", nil, nil, nil, nil])
        #expect(phone.log.allSatisfy { $0.clientID == "phone" })
        #expect(phone.state.ledger.entries.map(\.message) == ["card", "survey"])
    }

    @Test mutating func withoutThePhonesBranchItIsOurs() throws {
        try phone.send([Self.event("shown", "survey")])
        #expect(phone.log.map(\.branch) == ["rollout"])
    }

    @Test(
        arguments: [
            ("Yes", nil, 0, "en-US"), ("Nein", nil, 1, "de"), ("Ja", "de-AT", 0, "de-AT"), ("Ja", "fr", 1, "fr"),
            // Two languages have the text. The first by name is used if the phone did not send its own language.
            ("Ja", nil, 0, "de"), ("Ja", "en-GB", 0, "de"), ("Maybe", "ja", 2, "ja"), ("Maybe", "no tag", 2, "en-US"),
            // A phone without a text for an id shows the id.
            ("T/no", nil, 1, "en"),
        ] as [(String, String?, Int, String)])
    mutating func anAnswerIsFoundByItsText(_ text: String, _ locale: String?, _ index: Int, _ found: String) throws {
        try phone.send([Self.answer(.string(text))], locale: locale)
        let response = try #require(phone.responses.first)
        #expect(response.optionIndex == index && response.text == text && response.locale == found)
        #expect(response.optionStringID == ["T/yes", "T/no", "Maybe"][index])
        #expect(response.message == "survey" && response.clientID == "phone" && response.requestID == nil)
        #expect(response.id == "id-0")
        #expect(phone.entry("survey").isAnswered && phone.entry("survey").isInteracted)
        #expect(phone.log.map(\.name) == ["submit_button_tapped"])
        #expect(phone.log.first?.extra == ["survey_id": "survey", "user_selection": .string(text)])
    }

    @Test mutating func theBuiltInEnglishIsAlwaysALanguage() throws {
        let german: JSONValue = ["Microsurvey": ["Microsurvey.Survey.Options.Satisfied.v132": "Zufrieden"]]
        phone.scene.publish(.putStrings(locale: "en-US", german.encoded))
        try phone.send([Self.answer("Satisfied", "fallback")])
        #expect(phone.responses.map(\.optionIndex) == [1])
        #expect(phone.responses.map(\.locale) == ["en"])
    }

    @Test(
        arguments: [
            answer("yes"), answer(""), answer(7), answer(nil), answer("Yes", "unknown"),
            answer("Maybe", "control"), answer("Maybe", "card"),
        ])
    mutating func whatMatchesNothingIsARecordOnly(_ event: JSONValue) throws {
        try phone.send([event])
        #expect(phone.responses.isEmpty && phone.log.count == 1)
        #expect(phone.log.first?.extra == event.object?["extra"]?.object)
        #expect(phone.state == ClientState())
    }

    @Test mutating func aClientAnswersOnce() throws {
        try phone.send([Self.answer("Yes"), Self.answer("No")])
        try phone.send([Self.answer("No")])
        #expect(phone.responses.map(\.text) == ["Yes"])
        #expect(phone.log.count == 3)
        #expect(phone.entry("survey").dismissals == 1)
    }

    @Test mutating func theSubmitOfAPhoneIsOneDismissal() throws {
        try phone.send([
            Self.event("dismissed", "survey"), Self.answer("Yes"),
            ["category": "microsurvey", "name": "confirmation_shown", "extra": ["survey_id": "survey"]],
        ])
        #expect(phone.entry("survey").dismissals == 1 && phone.entry("survey").isAnswered)
        #expect(phone.log.map(\.name) == ["dismissed", "submit_button_tapped", "confirmation_shown"])
    }

    @Test mutating func theCloseButtonIsDismissedByThePhone() throws {
        let tap: JSONValue = [
            "category": "microsurvey", "name": "dismiss_button_tapped", "extra": ["survey_id": "survey"],
        ]
        try phone.send([tap])
        #expect(!phone.entry("survey").isInteracted)
        try phone.send([tap, Self.event("dismissed", "survey")])
        #expect(phone.entry("survey").dismissals == 1)
    }

    @Test mutating func aDocumentIsTakenOnce() throws {
        let id: Identifier = "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab"
        #expect(try phone.send([Self.event("shown"), Self.event("dismissed")], id: id.text).accepted == 2)
        #expect(try phone.send([Self.event("shown"), Self.event("shown")], id: id.text).duplicates == 1)
        #expect(try phone.send([Self.answer("Yes")], id: id.text.uppercased()).duplicates == 1)
        #expect(phone.entry("card").displayCount == 1 && phone.log.count == 2 && phone.responses.isEmpty)
    }

    @Test mutating func aPingOfNobodyChangesNothing() throws {
        let id: Identifier = "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab"
        phone.clientID = nil
        for _ in 0..<2 { try phone.send([Self.event("shown"), Self.answer("Yes")], id: id.text) }
        #expect(phone.state == ClientState() && phone.responses.isEmpty)
        #expect(phone.log.map(\.clientID) == Array(repeating: "00000000-0000-0000-0000-000000000000", count: 2))
    }

    @Test mutating func aMessageOfAnEndedRecipeIsKnown() throws {
        phone.scene.publish(.deleteRecipe(slug: "e"))
        try phone.send([Self.event("shown", "survey"), Self.answer("Yes")])
        #expect(phone.entry("survey").displayCount == 1 && phone.responses.map(\.optionIndex) == [0])
    }

    @Test mutating func aHundredThousandEventsAreOneChange() throws {
        try phone.send(Array(repeating: Self.event("shown"), count: 100_000))
        #expect(phone.log.count == 1 && phone.log.first?.category == "glean")
        #expect(phone.state == ClientState())
        try phone.send(Array(repeating: Self.event("shown"), count: 10_000))
        #expect(phone.entry("card").displayCount == 10_000)
        #expect(phone.changes.map(\.eventIDs.count) == [1, 10_000])
    }
}
