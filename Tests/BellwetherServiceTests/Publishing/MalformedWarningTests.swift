import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// A message that a publish makes malformed gives a warning (docs/reference/http-api.md#faults-and-warnings).
@Suite struct MalformedWarningTests {
    private static let own: JSONObject = [
        "messaging": [
            "styles": ["MINE": [:]], "triggers": ["T": "true"],
            "messages": ["evergreen": ["text": "t", "style": "MINE"]],
        ]
    ]
    private static let recipe: JSONValue = [
        "messages": [
            "{experiment}-m": ["surface": "microsurvey", "text": "t", "style": "MINE", "trigger-if-all": ["T"]]
        ]
    ]

    private var editing = Editing()

    init() throws {
        try editing.manifest(Self.own)
        try editing.recipe("e", Self.recipe)
    }

    @Test mutating func manifestThatBreaksRecipes() throws {
        let receipt = try editing.manifest(["messaging": ["triggers": ["T": "true"]]])
        #expect(receipt?.effect == .changed && receipt?.warningLocations == ["malformed /messaging"])
        #expect(receipt?.warnings.first?.message.contains("\"e-m\"") == true)
        #expect(editing.messages.isEmpty && editing.snapshot?.catalog.malformed.map(\.facts.key) == ["e-m"])
        let next = try editing.manifest(["messaging": ["triggers": ["T": "false"]]])
        #expect(next?.warningLocations == [], "it was malformed before")
    }

    @Test mutating func manifestsOwnMessageIsToldOnce() throws {
        let receipt = try editing.manifest([
            "messaging": [
                "triggers": ["T": "true"], "styles": ["MINE": [:]],
                "messages": ["x": ["text": "t", "style": "NOPE"], "y": [:]],
            ]
        ])
        #expect(
            receipt?.warningLocations == [
                "unknown_style /messaging/messages/x/style", "empty_text /messaging/messages/y",
            ])
    }

    @Test mutating func recipeThatTakesAwayWhatOthersUse() throws {
        let receipt = try editing.recipe("f", ["styles": ["MINE": nil]])
        #expect(receipt?.warningLocations == ["malformed ", "malformed "])
        #expect(editing.messages.isEmpty)
    }

    @Test mutating func recipesOwnMessageIsToldOnceAtItsPlace() throws {
        let receipt = try editing.recipe(
            "f",
            [
                "messages": [
                    "{experiment}-a": ["text": "t", "surface": "microsurvey", "style": "NOPE"],
                    "{experiment}-b": ["text": "t", "surface": "microsurvey", "trigger-if-all": ["LATER"]],
                ]
            ])
        #expect(
            receipt?.warningLocations == [
                "unknown_style /messages/{experiment}-a/style",
                "unknown_trigger /messages/{experiment}-b/trigger-if-all/0",
            ])
    }

    @Test mutating func strictRefusesIt() throws {
        let text = SampleManifest.with(["messaging": ["triggers": ["T": "true"]]]).encoded
        #expect(editing.refusal(.putManifest(text), strict: true)?.faultLocations == ["malformed /messaging"])
        #expect(editing.messages == ["e-m", "evergreen"])
    }

    @Test mutating func dialectIsChanged() throws {
        let receipt = try editing.manifest([
            "dialect": "android", "messaging": ["triggers": ["T": "true"], "styles": ["MINE": [:]]],
        ])
        #expect(receipt?.effect == .changed && editing.messages == ["e-m"])
    }
}
