import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The recorded events, in the order and with the extras of docs/reference/events.md#telemetry-records.
@Suite struct ClientJournalTests {
    private let survey: MessageFacts
    private let card: MessageFacts
    private let stray: MessageFacts
    private var journal = ClientJournal(state: ClientState(), clientID: "c", at: Sample.now)

    init() throws {
        let catalog = try Sample.catalog(
            [
                "e": [
                    "styles": [
                        "TWICE": ["max-display-count": 2], "ONCE": ["max-display-count": 1],
                        "NEVER": ["max-display-count": 0],
                    ],
                    "messages": [
                        "survey": [
                            "text": "t", "surface": "microsurvey", "style": "ONCE", "experiment": "{experiment}",
                        ],
                        "card": ["text": "t", "surface": "new-tab-card", "style": "TWICE"],
                        "stray": ["text": "t", "surface": "new-tab-card", "style": "NEVER", "experiment": "elsewhere"],
                    ],
                ]
            ], in: Sample.manifest())
        survey = try #require(catalog.message("survey")?.facts)
        card = try #require(catalog.message("card")?.facts)
        stray = try #require(catalog.message("stray")?.facts)
    }

    private var names: [String] { journal.records.map { "\($0.category).\($0.name)" } }
    private var extras: [JSONObject] { journal.records.map(\.extra) }

    private static let surveyExtra: JSONObject = ["message_key": "survey", "message_surface": "microsurvey"]
    private static let response = SurveyResponse(
        id: "r", clientID: "c", message: "survey", requestID: nil, optionIndex: 2, optionStringID: "Survey/neutral",
        text: "Neutral (de)", locale: "de", revision: 3, submittedAt: Sample.now)

    @Test mutating func promptRequested() {
        journal.displayed(survey)
        #expect(names == ["nimbus_events.exposure", "messaging.expired", "messaging.shown"])
        #expect(
            extras == [
                ["experiment": "e", "branch": "rollout", "feature_id": "messaging"], Self.surveyExtra, Self.surveyExtra,
            ])
        #expect(journal.records.allSatisfy { $0.experiment == "e" && $0.branch == "rollout" && $0.clientID == "c" })
        #expect(journal.records.allSatisfy { $0.at == Sample.now })
        #expect(journal.state.ledger["survey"].isExpired)
    }

    @Test mutating func promptClosed() {
        journal.dismissed(survey)
        #expect(names == ["messaging.dismissed"] && extras == [Self.surveyExtra])
    }

    @Test mutating func promptContinued() {
        journal.clicked(survey, actionUUID: nil)
        journal.microsurvey(.shown, survey)
        #expect(names == ["messaging.clicked", "microsurvey.shown"])
        #expect(extras == [Self.surveyExtra, ["survey_id": "survey"]])
        #expect(!journal.state.ledger["survey"].isInteracted, "the sheet opens over the prompt, which stays")
    }

    @Test mutating func privacyLink() {
        journal.microsurvey(.privacyNoticeTapped, survey)
        #expect(names == ["microsurvey.privacy_notice_tapped"] && extras == [["survey_id": "survey"]])
        #expect(journal.state.ledger["survey"] == LedgerEntry(message: "survey"))
    }

    @Test mutating func submitted() {
        journal.answered(survey, Self.response)
        #expect(
            names == ["messaging.dismissed", "microsurvey.submit_button_tapped", "microsurvey.confirmation_shown"])
        #expect(
            extras == [
                Self.surveyExtra,
                [
                    "survey_id": "survey", "user_selection": "Neutral (de)", "option_index": 2,
                    "option_string_id": "Survey/neutral", "locale": "de", "revision": 3,
                ], ["survey_id": "survey"],
            ])
        #expect(journal.state.ledger["survey"].isAnswered && journal.state.ledger["survey"].dismissals == 1)
    }

    @Test mutating func sheetClosed() {
        journal.microsurvey(.dismissButtonTapped, survey)
        #expect(names == ["microsurvey.dismiss_button_tapped", "messaging.dismissed"])
        #expect(journal.state.ledger["survey"].dismissals == 1)
    }

    @Test mutating func pressOutsideTheMicrosurveySurfaceEndsTheMessage() {
        journal.clicked(card, actionUUID: "u")
        #expect(names == ["messaging.clicked"])
        #expect(extras == [["message_key": "card", "message_surface": "new-tab-card", "action_uuid": "u"]])
        #expect(journal.state.ledger["card"].isInteracted && !journal.state.ledger["card"].isExpired)
        #expect(journal.records.first?.experiment == nil && journal.records.first?.branch == nil)
    }

    @Test mutating func exposureIsDroppedUnlessEnrolledThere() {
        journal.displayed(stray)
        #expect(names == ["messaging.shown"])
    }

    @Test mutating func expiredComesOnceAtTheTransition() {
        for _ in 0..<4 { journal.displayed(card) }
        #expect(
            names == [
                "messaging.shown", "messaging.expired", "messaging.shown", "messaging.shown", "messaging.shown",
            ])
        #expect(journal.state.ledger["card"].displayCount == 4)
    }

    @Test mutating func capOfNothingNeverExpiresByAnEvent() {
        journal.displayed(stray)
        journal.displayed(stray)
        #expect(names == ["messaging.shown", "messaging.shown"])
        #expect(journal.state.ledger["stray"].isExpired(cap: stray.maxDisplayCount))
    }

    @Test mutating func dismissalIsNoExpiry() {
        journal.displayed(card)
        journal.dismissed(card)
        journal.dismissed(card)
        #expect(names == ["messaging.shown", "messaging.dismissed", "messaging.dismissed"])
        #expect(journal.state.ledger["card"].dismissals == 2)
    }

    @Test mutating func controlIsCountedWithoutShown() throws {
        let catalog = try Sample.catalog(
            messages: [
                "named": ["is-control": true, "experiment": "{experiment}"], "nameless": ["is-control": true],
                "stray": ["is-control": true, "experiment": "elsewhere"],
            ])
        for key in ["named", "nameless", "stray"] {
            journal.reachedControl(try #require(catalog.message(Identifier(key))?.facts))
            #expect(journal.state.ledger[Identifier(key)].displayCount == 1)
        }
        #expect(
            names == ["nimbus_events.exposure", "messaging.malformed", "nimbus_events.malformed_feature"])
    }

    @Test mutating func malformedIsTwoEvents() {
        journal.reportMalformed(survey)
        journal.reportMalformed(card)
        #expect(
            names == [
                "messaging.malformed", "nimbus_events.malformed_feature", "messaging.malformed",
                "nimbus_events.malformed_feature",
            ])
        #expect(
            extras == [
                Self.surveyExtra,
                ["feature_id": "messaging", "part_id": "survey", "experiment": "e", "branch": "rollout"],
                ["message_key": "card", "message_surface": "new-tab-card"],
                ["feature_id": "messaging", "part_id": "card"],
            ])
    }

    @Test mutating func countersDoNotOverflow() {
        var state = ClientState()
        state.ledger["card"] = LedgerEntry(message: "card", displayCount: .max, dismissals: .max)
        journal = ClientJournal(state: state, clientID: "c", at: Sample.now)
        journal.displayed(card)
        journal.dismissed(card)
        #expect(journal.state.ledger["card"].displayCount == .max && journal.state.ledger["card"].dismissals == .max)
    }

    @Test mutating func behaviorCountsAndIsLoggedOnlyWhereAsked() {
        let isCounted = journal.behaved(BehaviorEvent(name: "x", count: 2), at: nil)
        #expect(isCounted && names.isEmpty && journal.state.behavior.contains("x"))
        journal.recordBehavior(BehaviorEvent(name: "x", count: 2))
        #expect(names == ["behavior.x"] && extras == [["count": 2]])
    }

    @Test mutating func behaviorOfTheFutureIsNotCounted() {
        let isCounted = journal.behaved(
            BehaviorEvent(name: "x", count: 1), at: Sample.now.adding(seconds: 1))
        #expect(!isCounted && journal.state.behavior.isEmpty)
    }
}
