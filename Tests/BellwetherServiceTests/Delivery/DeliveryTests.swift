import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The result of a poll and its effects (docs/reference/http-api.md#the-poll).
@Suite struct DeliveryTests {
    private static func message(_ fields: JSONObject = [:]) -> JSONValue {
        var message: JSONObject = ["surface": "microsurvey", "text": "t"]
        for (key, value) in fields { message[key] = value }
        return .object(message)
    }

    @Test func pollWithoutEffectsChangesNothing() throws {
        var scene = Scene(recipe: ["messages": ["m": Self.message()]])
        #expect(try scene.next("microsurvey") == "m")
        #expect(scene.state == ClientState() && scene.log.isEmpty)
    }

    @Test func oneMessageASurface() throws {
        var scene = Scene(recipe: [
            "messages": [
                "a": Self.message(), "b": Self.message(), "c": Self.message(["surface": "homescreen"]),
                "d": Self.message(["surface": "notification", "trigger-if-all": ["NEVER"]]),
            ]
        ])
        let keys = try scene.poll(["notification", "homescreen", "new-tab-card", "microsurvey"]).offers.map(
            \.message.key)
        #expect(keys == ["c", "a"], "in the order of the surfaces")
    }

    @Test func eventsCountForTheVeryAnswer() throws {
        var scene = Scene(recipe: [
            "triggers": ["TWICE": "'x'|eventSum('Years', 4, 0) >= 2"],
            "messages": ["m": Self.message(["trigger-if-all": ["TWICE"]])],
        ])
        let event: JSONValue = ["type": "behavior", "name": "x", "id": "1"]
        let first = try scene.poll(["microsurvey"], events: [event])
        #expect(first.offers.isEmpty && first.tally?.accepted == 1)
        let again = try scene.poll(["microsurvey"], events: [event])
        #expect(again.offers.isEmpty && again.tally?.duplicates == 1 && again.tally?.accepted == 0)
        let second = try scene.poll(["microsurvey"], events: [["type": "behavior", "name": "x", "id": "2"]])
        #expect(second.offers.map(\.message.key) == ["m"])
    }

    @Test func eventsOfThePollChangeWhatIsOffered() throws {
        var scene = Scene(recipe: ["messages": ["m": Self.message()]])
        let dismissed: JSONValue = ["type": "message", "action": "dismissed", "message": "m"]
        #expect(try scene.poll(["microsurvey"], events: [dismissed]).offers.isEmpty)
        #expect(try scene.poll(["microsurvey"], events: []).tally == EventTally())
    }

    @Test func offerTellsHowOftenItWasSeen() throws {
        var scene = Scene(recipe: ["messages": ["m": Self.message()]])
        try scene.report(message: "displayed", "m")
        try scene.report(message: "displayed", "m")
        #expect(try scene.poll(["microsurvey"]).offers.map(\.displayCount) == [2])
    }

    @Test func controlsOfSeveralSurfacesAreCountedTogether() throws {
        let control: JSONObject = ["is-control": true, "experiment": "{experiment}"]
        var scene = Scene(recipe: [
            "messages": [
                "a": Self.message(control), "b": Self.message(),
                "c": Self.message(control.merging(["surface": "homescreen"])),
                "d": Self.message(["surface": "homescreen"]),
            ]
        ])
        let keys = try scene.poll(["homescreen", "microsurvey"]).offers.map(\.message.key)
        #expect(keys == ["d", "b"] && scene.log.map(\.phrase) == ["exposure(e)", "exposure(e)"])
        #expect(scene.state.ledger["a"].displayCount == 1 && scene.state.ledger["c"].displayCount == 1)
    }

    @Test func malformedIsReportedOnceForAClientAndACatalog() throws {
        let recipe: JSONValue = ["messages": ["b": Self.message(["text": ""]), "a": Self.message(["style": "NOPE"])]]
        var scene = Scene(recipe: recipe)
        for _ in 0..<3 { _ = try scene.poll(["homescreen"]) }
        let once = ["malformed(a)", "malformed_feature(a)", "malformed(b)", "malformed_feature(b)"]
        #expect(scene.log.map(\.phrase) == once)
        scene.put("f", ["messages": ["c": Self.message()]])
        for _ in 0..<3 { _ = try scene.poll(["homescreen"]) }
        #expect(scene.log.map(\.phrase) == once + once)
    }

    @Test func malformedComesBeforeControls() throws {
        var scene = Scene(recipe: [
            "messages": [
                "c": Self.message(["is-control": true, "experiment": "{experiment}"]), "z": Self.message(["text": ""]),
            ]
        ])
        _ = try scene.poll(["microsurvey"])
        #expect(scene.log.map(\.phrase) == ["malformed(z)", "malformed_feature(z)", "exposure(e)"])
    }

    @Test func raisingACapDoesNotReviveWhatExpired() throws {
        func recipe(cap: Int64) -> JSONValue {
            ["styles": ["S": ["max-display-count": .integer(cap)]], "messages": ["m": Self.message(["style": "S"])]]
        }
        var scene = Scene(recipe: recipe(cap: 2))
        try scene.report(message: "displayed", "m")
        #expect(try scene.next("microsurvey") == "m")
        try scene.report(message: "displayed", "m")
        #expect(try scene.next("microsurvey") == nil)
        scene.put("e", recipe(cap: 10))
        #expect(try scene.next("microsurvey") == nil)
        #expect(scene.log.filter { $0.name == "expired" }.count == 1)
    }

    @Test func loweredCapExpiresWithoutAnEventAndRaisedAgainRevives() throws {
        func recipe(cap: Int64) -> JSONValue {
            ["styles": ["S": ["max-display-count": .integer(cap)]], "messages": ["m": Self.message(["style": "S"])]]
        }
        var scene = Scene(recipe: recipe(cap: 5))
        try scene.report(message: "displayed", "m")
        try scene.report(message: "displayed", "m")
        scene.put("e", recipe(cap: 2))
        #expect(try scene.next("microsurvey") == nil)
        scene.put("e", recipe(cap: 3))
        #expect(try scene.next("microsurvey") == "m", "nothing was latched")
        #expect(scene.log.map(\.phrase) == ["shown(m)", "shown(m)"])
    }

    @Test func displayAfterTheCapWasLoweredExpiresOnce() throws {
        func recipe(cap: Int64) -> JSONValue {
            ["styles": ["S": ["max-display-count": .integer(cap)]], "messages": ["m": Self.message(["style": "S"])]]
        }
        var scene = Scene(recipe: recipe(cap: 5))
        try scene.report(message: "displayed", "m")
        try scene.report(message: "displayed", "m")
        scene.put("e", recipe(cap: 1))
        try scene.report(message: "displayed", "m")
        try scene.report(message: "displayed", "m")
        #expect(scene.log.map(\.phrase) == ["shown(m)", "shown(m)", "expired(m)", "shown(m)", "shown(m)"])
    }

    @Test func keyUsedAgainInheritsItsCounts() throws {
        var scene = Scene(recipes: ["e": ["messages": ["m": Self.message()]]])
        try scene.report(message: "dismissed", "m")
        scene.publish(.deleteRecipe(slug: "e"))
        scene.put("f", ["messages": ["m": Self.message(["title": "new"])]])
        #expect(try scene.next("microsurvey") == nil)
    }

    @Test func draftIsNotOffered() throws {
        var scene = Scene()
        scene.publish(.putRecipe(slug: "e", (["messages": ["m": Self.message()]] as JSONValue).encoded, asDraft: true))
        #expect(try scene.next("microsurvey") == nil)
        #expect(try scene.report(message: "displayed", "m").rejected.map(\.code) == ["unknown_message"])
    }

    @Test func attributesDecideTriggers() throws {
        var scene = Scene(recipe: [
            "triggers": ["BERN": "city == 'Bern'"], "messages": ["m": Self.message(["trigger-if-all": ["BERN"]])],
        ])
        #expect(try scene.next("microsurvey", attributes: ["city": "Bern"]) == "m")
        #expect(try scene.next("microsurvey", attributes: ["city": "Basel"]) == nil)
        #expect(try scene.next("microsurvey") == nil, "undefined")
    }
}

extension JSONObject {
    func merging(_ other: JSONObject) -> JSONObject { JSONPatch.merge(other, over: self) }
}
