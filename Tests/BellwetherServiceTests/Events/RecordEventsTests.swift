import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// The result of each event (docs/reference/events.md#events).
@Suite struct RecordEventsTests {
    private static let recipe: JSONValue = [
        "styles": ["ONCE": ["max-display-count": 1]],
        "messages": [
            "survey": ["surface": "microsurvey", "text": "t", "style": "ONCE", "experiment": "{experiment}"],
            "card": ["surface": "new-tab-card", "text": "t"],
            "control": ["surface": "new-tab-card", "is-control": true],
        ],
    ]

    private var scene = Scene(recipe: recipe)

    private static func at(_ seconds: Int64) -> JSONValue { .string(Scene.start.adding(seconds: seconds).rfc3339) }

    private static func behavior(_ name: String, at seconds: Int64? = nil, id: String? = nil) -> JSONValue {
        var event: JSONObject = ["type": "behavior", "name": .string(name)]
        if let seconds { event["at"] = at(seconds) }
        if let id { event["id"] = .string(id) }
        return .object(event)
    }

    private func sum(_ query: String) throws -> JSONValue {
        let now = scene.now
        let environment = TriggerEnvironment(
            context: try scene.question([]).query.context, clientID: nil, behavior: scene.state.behavior,
            branches: .none, now: now)
        return try evaluate(query, in: environment)
    }

    /// The seconds from now, the expected code, and the minute in which the event is counted.
    @Test(
        arguments: [
            (nil, nil, 0), (0, nil, 0), (300, nil, 0), (301, "future", nil), (86_400, "future", nil), (-300, nil, 0),
            (-301, nil, 6), (-1790, nil, 30), (-90 * 86_400, nil, nil), (-90 * 86_400 - 1, "too_old", nil),
        ] as [(Int64?, String?, Int64?)])
    mutating func time(_ seconds: Int64?, _ code: String?, _ minute: Int64?) throws {
        let tally = try scene.report(Self.behavior("x", at: seconds))
        #expect(tally.rejected.map(\.code) == (code.map { [$0] } ?? []))
        #expect(tally.accepted == (code == nil ? 1 : 0))
        if let minute {
            #expect(try sum("'x'|eventLastSeen('Minutes')") == .number(Double(minute)))
        } else {
            #expect(try sum("'x'|eventSum('Hours', 72, 0)") == 0.0)
        }
    }

    @Test mutating func dedupDaysAreASetting() throws {
        scene.policy.dedupSeconds = 60
        #expect(try scene.report(Self.behavior("x", at: -61)).rejected.map(\.code) == ["too_old"])
        #expect(try scene.report(Self.behavior("x", at: -60)).accepted == 1)
    }

    @Test mutating func duplicatesDoNothing() throws {
        let one = try scene.report(
            Self.behavior("x", id: "1"), Self.behavior("x", id: "1"), Self.behavior("x", id: "2"))
        #expect(one.accepted == 2 && one.duplicates == 1)
        let again = try scene.report(["type": "message", "action": "dismissed", "message": "card", "id": "1"])
        #expect(again.duplicates == 1, "also with other content")
        #expect(scene.log.isEmpty && !scene.state.ledger["card"].isInteracted)
        #expect(try sum("'x'|eventSum('Minutes', 1, 0)") == 2.0)
        #expect(try scene.report(Self.behavior("x"), Self.behavior("x")).accepted == 2, "without ids")
    }

    @Test mutating func aKnownIdIsADuplicateWhateverElseIsWrong() throws {
        #expect(try scene.report(Self.behavior("x", id: "a")).accepted == 1)
        let tally = try scene.report(
            ["type": "message", "action": "displayed", "message": "nothing", "id": "a"],
            Self.behavior("x", at: -91 * 86_400, id: "a"), Self.behavior("x", at: 301, id: "a"),
            Self.behavior("", id: "a"), ["id": "a"], Self.behavior("y", id: "b"), Self.behavior("y", at: 301, id: "b"))
        #expect(tally.duplicates == 6 && tally.accepted == 1 && tally.rejected.isEmpty)
    }

    @Test mutating func aRejectedEventLeavesItsId() throws {
        let tally = try scene.report(
            Self.behavior("x", at: 301, id: "a"), Self.behavior("x", at: 302, id: "a"), Self.behavior("x", id: "a"),
            Self.behavior("x", id: "a"), ["type": "nap", "id": "b"])
        #expect(tally.rejected.map(\.index) == [0, 1, 4] && tally.accepted == 1 && tally.duplicates == 1)
        #expect(try scene.report(Self.behavior("x", id: "a"), Self.behavior("x", id: "b")).accepted == 1)
        #expect(try sum("'x'|eventSum('Minutes', 1, 0)") == 2.0)
    }

    @Test mutating func aPressThatCanOpenNothingIsReported() throws {
        for (action, isBroken) in [("http://[bad", true), ("https://a.example/{x}", false)] {
            var scene = Scene(
                recipe: ["messages": ["card": ["surface": "new-tab-card", "text": "t", "action": .string(action)]]])
            #expect(try scene.report(message: "clicked", "card").accepted == 1)
            #expect(
                scene.log.map { "\($0.category).\($0.name)" }
                    == (isBroken ? ["messaging.malformed", "nimbus_events.malformed_feature"] : [])
                    + ["messaging.clicked"])
        }
    }

    @Test mutating func faultsOfOneEventAreItsOwn() throws {
        let tally = try scene.report(
            Self.behavior("x"), ["type": "nap"], ["type": "message", "action": "displayed", "message": "nothing"],
            ["type": "message", "action": "displayed", "message": "control"],
            ["type": "microsurvey", "action": "shown", "message": "card"], Self.behavior("x"))
        #expect(tally.accepted == 2)
        #expect(tally.rejected.map(\.index) == [1, 2, 3, 4])
        #expect(tally.rejected.map(\.code) == ["choice", "unknown_message", "not_displayable", "not_microsurvey"])
    }

    @Test mutating func controlsCanBeClickedAndDismissed() throws {
        #expect(try scene.report(message: "clicked", "control").accepted == 1)
        #expect(try scene.report(message: "dismissed", "control").accepted == 1)
    }

    @Test mutating func displayBeyondTheCapIsShownOnly() throws {
        for _ in 0..<3 { try scene.report(message: "displayed", "survey") }
        #expect(
            scene.log.map(\.phrase) == [
                "exposure(e)", "expired(survey)", "shown(survey)", "exposure(e)", "shown(survey)", "exposure(e)",
                "shown(survey)",
            ])
    }

    @Test mutating func recordHasTheEventsTime() throws {
        try scene.report(["type": "message", "action": "displayed", "message": "card", "at": Self.at(-4000)])
        #expect(scene.log.map(\.at) == [Scene.start.adding(seconds: -4000)])
    }

    @Test mutating func confirmationOfAnAnswerIsADuplicate() throws {
        let confirmation: JSONValue = ["type": "microsurvey", "action": "confirmation_shown", "message": "survey"]
        #expect(try scene.report(confirmation).accepted == 1)
        _ = try scene.answer("survey", "0")
        let count = scene.log.count
        #expect(try scene.report(confirmation).duplicates == 1 && scene.log.count == count)
    }

    @Test mutating func messageOfAnEndedRecipeIsKnown() throws {
        scene.publish(.deleteRecipe(slug: "e"))
        #expect(try scene.next("microsurvey") == nil)
        #expect(try scene.report(message: "displayed", "survey").accepted == 1)
        #expect(
            scene.log.map(\.phrase) == ["expired(survey)", "shown(survey)"], "no exposure: nobody is enrolled there")
        #expect(scene.state.ledger["survey"].displayCount == 1)
        #expect(scene.log.allSatisfy { $0.experiment == nil })
        #expect(try scene.report(message: "displayed", "control").rejected.map(\.code) == ["not_displayable"])
    }

    @Test mutating func malformedMessageIsKnownToo() throws {
        scene.put("e", ["messages": ["survey": ["surface": "microsurvey", "text": "", "experiment": "{experiment}"]]])
        #expect(try scene.report(message: "dismissed", "survey").accepted == 1)
        #expect(scene.log.first?.experiment == "e", "its recipe is live")
    }

    @Test mutating func exposures() throws {
        try scene.report(
            ["type": "feature", "action": "exposed", "experiment": "e", "feature_id": "f"],
            ["type": "feature", "action": "exposed", "experiment": "e"],
            ["type": "feature", "action": "exposed", "experiment": "other"], ["type": "feature", "action": "exposed"])
        #expect(scene.log.map { $0.extra["feature_id"] } == ["f", "messaging"])
        #expect(scene.log.allSatisfy { $0.name == "exposure" && $0.branch == "rollout" })
    }

    @Test mutating func behaviorIsLoggedOnlyWhereAsked() throws {
        try scene.report(Self.behavior("x"))
        #expect(scene.log.isEmpty)
        scene.policy.recordsBehavior = true
        try scene.report(Self.behavior("x", at: -10))
        #expect(scene.log.map { "\($0.category).\($0.name)" } == ["behavior.x"])
    }

    @Test mutating func namesAreBounded() throws {
        for number in 0..<500 { try scene.report(Self.behavior("x\(number)")) }
        #expect(try scene.report(Self.behavior("y")).rejected.map(\.code) == ["too_many_names"])
        #expect(try scene.report(Self.behavior("x1")).accepted == 1)
    }

    @Test(arguments: 0..<20)
    func tallyKeepsTheOrderOfTheRequest(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tally = EventTally()
        for indices in [[3, 7], [], [1], [0, 2, 9], [4, 5, 6, 8]].shuffled(using: &random) {
            var share = EventTally()
            share.accepted = 1
            share.duplicates = 2
            share.rejected = indices.map { EventRejection(index: $0, code: "c", message: "") }
            tally.add(share)
        }
        #expect(tally.accepted == 5 && tally.duplicates == 10 && tally.rejected.map(\.index) == Array(0...9))
    }
}
