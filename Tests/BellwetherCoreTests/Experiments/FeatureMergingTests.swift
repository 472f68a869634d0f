import BellwetherCore
import BellwetherJSON
import Testing

/// The values of features from branches (docs/reference/experiments.md#merging), as Cirrus returns them.
@Suite struct FeatureMergingTests {
    @Test func experimentsLieOverRollouts() throws {
        let scene = try FeatureScene([
            "e": FeatureScene.recipe("e", value: ["a": 1, "o": ["x": 1], "l": [1], "gone": .null]),
            "r": FeatureScene.recipe(
                "r", value: ["a": 2, "b": 2, "o": ["x": 2, "y": 2], "l": [2, 2], "gone": 2], rollout: true),
        ])
        #expect(scene.features() == ["f": ["a": 1, "b": 2, "o": ["x": 1, "y": 2], "l": [1]]])
    }

    @Test func aNullThatMeetsNothingStays() throws {
        let scene = try FeatureScene(["e": FeatureScene.recipe("e", value: ["a": .null])])
        #expect(scene.features() == ["f": ["a": .null]])
    }

    @Test func theSlugStandsForItself() throws {
        let scene = try FeatureScene([
            "my-slug": FeatureScene.recipe("my-slug", value: ["{experiment}": ["in {experiment}"]])
        ])
        #expect(scene.features() == ["f": ["my-slug": ["in my-slug"]]])
    }

    @Test func aBranchWithoutTheFeatureHoldsIt() throws {
        let branches: JSONValue = [
            ["slug": "silent", "ratio": 1, "features": []],
            ["slug": "loud", "ratio": 0, "features": [["featureId": "f", "value": ["n": 1]]]],
        ]
        let scene = try FeatureScene([
            "a": FeatureScene.recipe("a", ["branches": branches]),
            "b": FeatureScene.recipe("b", value: ["n": 2]),
            "r": FeatureScene.recipe("r", value: ["n": 3], rollout: true),
        ])
        #expect(scene.branches() == ["r/on (rollout)", "a/silent"])
        #expect(scene.features() == ["f": ["n": 3]])
    }

    @Test func aBranchMaySetSeveralFeatures() throws {
        let branch: JSONValue = [
            "slug": "on", "ratio": 1,
            "features": [
                ["featureId": "f", "value": ["n": 1]], ["featureId": "g", "value": ["m": 1]], ["featureId": "h"],
            ],
        ]
        let scene = try FeatureScene([
            "a": FeatureScene.recipe("a", ["branches": [branch]]),
            "b": FeatureScene.recipe("b", feature: "g", value: ["m": 2]),
        ])
        #expect(scene.words("b") == "NotEnrolled FeatureConflict")
        #expect(scene.features() == ["f": ["n": 1], "g": ["m": 1], "h": [:]])
    }

    private static let declared: JSONObject = [
        "messaging": [
            "styles": ["BIG": ["priority": 90]], "messages": ["own": ["text": "Own", "surface": "microsurvey"]],
        ]
    ]

    private static func message(_ key: String, _ text: JSONValue) -> JSONValue {
        ["messages": .object([key: ["text": text, "surface": "microsurvey"]])]
    }

    @Test func everybodyIsInABareMessagingValue() throws {
        let scene = try FeatureScene([
            "bare": Self.message("m", "of {experiment}"),
            "r": FeatureScene.recipe("r", feature: "messaging", value: Self.message("n", "of r"), rollout: true),
        ])
        #expect(scene.branches() == ["bare/rollout (rollout)", "r/on (rollout)"])
        let messages = scene.features()["messaging"]?["messages"]
        #expect(messages?["m"]?["text"] == "of bare")
        #expect(messages?["n"]?["text"] == "of r")
    }

    @Test func messagingLiesOverTheManifests() throws {
        let scene = try FeatureScene(
            manifest: Self.declared,
            [
                "e1": FeatureScene.recipe("e1", feature: "messaging", value: Self.message("m", "1")),
                "e2": FeatureScene.recipe("e2", feature: "messaging", value: Self.message("m", "2")),
                "r": FeatureScene.recipe(
                    "r", feature: "messaging",
                    value: ["styles": ["BIG": .null], "messages": ["own": ["text": "Ours"]]],
                    rollout: true),
            ])
        // The client is enrolled in both, and the later one wins.
        #expect(scene.branches() == ["r/on (rollout)", "e1/on", "e2/on"])
        let messaging = try #require(scene.features()["messaging"])
        #expect(messaging["messages"]?["m"]?["text"] == "2")
        #expect(messaging["messages"]?["own"] == ["text": "Ours", "surface": "microsurvey"])
        #expect(messaging["styles"]?["BIG"] == nil)
        #expect(messaging["styles"]?["DEFAULT"] == ["priority": 50, "max-display-count": 5])
        #expect(messaging["triggers"]?["ALWAYS"] == "true")
        #expect(messaging["on-control"] == "show-next-message")
    }

    @Test func whatTheManifestDeclaresIsAlwaysAnswered() throws {
        #expect(try FeatureScene([:]).features() == [:])
        let features = try FeatureScene(manifest: Self.declared, [:]).features()
        #expect(features.object?.keys == ["messaging"])
        #expect(features["messaging"]?["messages"]?["own"]?["text"] == "Own")
    }

    /// Experiments and rollouts are merged separately first: the second experiment adds the key again before the
    /// rollout is merged.
    @Test func aNullDeletesInItsOwnKind() throws {
        let scene = try FeatureScene([
            "r": FeatureScene.recipe("r", feature: "messaging", value: Self.message("m", "r"), rollout: true),
            "e1": FeatureScene.recipe("e1", feature: "messaging", value: ["messages": ["m": .null]]),
            "e2": FeatureScene.recipe("e2", feature: "messaging", value: ["messages": ["m": ["button-label": "Go"]]]),
        ])
        let message = scene.features()["messaging"]?["messages"]?["m"]
        #expect(message == ["text": "r", "surface": "microsurvey", "button-label": "Go"])
    }

    @Test func equalPlacesAreEqualFeatures() throws {
        let branches: JSONValue = [
            ["slug": "a", "ratio": 1, "features": [["featureId": "f", "value": ["n": 1]]]],
            ["slug": "b", "ratio": 1, "features": [["featureId": "f", "value": ["n": 2]]]],
        ]
        let scene = try FeatureScene(["e": FeatureScene.recipe("e", ["branches": branches])])
        var byKeys: [[FeatureEnrollment.BranchKey]: JSONValue] = [:]
        for number in 0..<50 {
            let enrollments = scene.enrollments("client-\(number)")
            let features = scene.features("client-\(number)")
            #expect(byKeys.updateValue(features, forKey: enrollments.map(\.key)) ?? features == features)
        }
        #expect(byKeys.count == 2)
    }
}
