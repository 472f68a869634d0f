import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// The feature values of recipes, compared with the manifest's declarations
/// (docs/reference/features.md#declaring-features).
@Suite struct FeatureCheckTests {
    private static let features: JSONValue = [
        "checkout": [
            "variables": [
                "steps": ["type": "int"], "label": ["type": "string"], "rate": ["type": "number"],
                "layout": ["type": "json"],
            ]
        ],
        "search": ["variables": [:]],
    ]

    /// Branches that set values of a feature.
    private static func recipe(_ feature: Identifier, _ values: JSONValue...) -> JSONValue {
        let branches = values.enumerated().map { index, value -> JSONValue in
            [
                "slug": .string("b\(index)"), "ratio": 1,
                "features": [["featureId": .string(feature), "value": value]],
            ]
        }
        return NimbusRecipe.experiment("e", [:], ["branches": .array(branches)])
    }

    private func warnings(_ recipe: JSONValue, features: JSONValue = features) throws -> [String] {
        let manifest = try Sample.manifest(["features": features])
        let findings = Findings()
        let context = CheckContext(strings: StringTables(defaultLocale: "en-US", locales: [:]))
        DocumentCheck.check(
            try Sample.recipe(recipe, in: manifest), under: manifest, in: context, findings: findings)
        #expect(findings.faults.isEmpty)
        return findings.warningLocations
    }

    /// The manifest's app is `sample`, on the channel `Release`.
    @Test(
        arguments: [
            (["appName": "Sample"], ["other_app /appName"]), (["channel": "beta"], ["other_app /channel"]),
            (["appName": "other", "channels": ["beta"]], ["other_app /appName", "other_app /channels"]),
            (["appName": "sample", "channel": "release"], []), (["channels": ["beta", "release"]], []),
        ] as [(JSONObject, [String])])
    func `An experiment for another app or channel is told`(_ fields: JSONObject, _ expected: [String]) throws {
        let manifest = try Sample.manifest(["app_name": "sample", "channel": "Release"])
        let recipe = try Sample.recipe(NimbusRecipe.experiment("e", ["a": [:]], fields), in: manifest)
        let findings = Findings()
        let context = CheckContext(strings: StringTables(defaultLocale: "en-US", locales: [:]))
        DocumentCheck.check(recipe, under: manifest, in: context, findings: findings)
        #expect(findings.warningLocations == expected)
    }

    @Test func `Values of the declared types are fine, and so is null`() throws {
        let values: [JSONValue] = [
            ["steps": 1, "label": "x", "rate": 1, "layout": [1]], ["rate": 1.5, "layout": false, "steps": nil], [:],
        ]
        #expect(try warnings(Self.recipe("checkout", values[0], values[1], values[2])).isEmpty)
    }

    @Test func `A value of another type is told at its place in each branch`() throws {
        let told = try warnings(Self.recipe("checkout", ["steps": "1", "label": 5], ["rate": "1", "steps": 1.5]))
        #expect(
            told == [
                "variable_type /branches/0/features/0/value/steps", "variable_type /branches/0/features/0/value/label",
                "variable_type /branches/1/features/0/value/rate", "variable_type /branches/1/features/0/value/steps",
            ])
    }

    @Test func `A name that is not declared is told`() throws {
        #expect(
            try warnings(Self.recipe("checkout", ["step": 1])) == [
                "unknown_variable /branches/0/features/0/value/step"
            ])
        #expect(
            try warnings(Self.recipe("chekout", ["steps": 1], ["steps": 2])) == [
                "unknown_feature /branches/0/features/0/featureId"
            ])
        #expect(try warnings(Self.recipe("messaging", [:])).isEmpty)
        #expect(try warnings(Self.recipe("other", ["steps": 1]), features: [:]).isEmpty, "nothing is declared")
    }

    private func changes(_ features: JSONValue, _ recipe: JSONValue) throws -> [String] {
        let old = try Sample.manifest(["features": Self.features])
        let new = try Sample.manifest(["features": features])
        let findings = Findings()
        ManifestChange(from: old, to: new, findings: findings).check([try Sample.recipe(recipe, in: old)])
        #expect(findings.faults.isEmpty)
        return findings.warningLocations
    }

    @Test func `A manifest that takes from a recipe what it sets is told`() throws {
        let recipe = Self.recipe("checkout", ["steps": 1, "rate": "no number"], ["steps": 2])
        func checkout(_ variables: JSONValue) -> JSONValue { ["checkout": ["variables": variables]] }
        #expect(try changes(Self.features, recipe).isEmpty)
        #expect(try changes(checkout(["steps": ["type": "number"]]), recipe).isEmpty, "each int is a number")
        #expect(
            try changes(checkout(["steps": ["type": "string"]]), recipe) == [
                "feature_in_use /features/checkout/variables/steps"
            ])
        #expect(
            try changes(checkout(["label": ["type": "string"]]), recipe) == [
                "feature_in_use /features/checkout/variables"
            ])
        #expect(try changes(["search": ["variables": [:]]], recipe) == ["feature_in_use /features"])
        #expect(try changes(["checkout": ["variables": ["steps": ["type": "int"]]]], recipe).isEmpty)
    }
}
