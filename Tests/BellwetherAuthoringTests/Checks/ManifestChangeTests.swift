import BellwetherAuthoring
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// Warnings about manifest changes that break live recipes.
@Suite struct ManifestChangeTests {
    private static let base: JSONObject = ["app_name": "app", "channel": "release", "surfaces": ["card", "banner"]]

    /// The warnings for this change of the manifest, with one live recipe `e`.
    private func warnings(
        _ changes: JSONObject, _ recipe: JSONValue, from before: JSONObject = [:]
    ) throws -> [Finding] {
        let old = try Sample.manifest(Self.base.merging(before))
        let new = try Sample.manifest(Self.base.merging(before).merging(changes))
        let findings = Findings()
        ManifestChange(from: old, to: new, findings: findings).check([try Sample.recipe(recipe, in: old)])
        #expect(findings.faults.isEmpty)
        return findings.warnings
    }

    private static func experiment(_ fields: JSONObject) -> JSONValue {
        NimbusRecipe.experiment("e", ["a": [:]], fields)
    }

    /// A recipe's fields, the manifest's change, and the locations of the warnings.
    @Test(
        arguments: [
            (["appName": "app"], ["app_name": "other"], ["/app_name"]), (["appName": "app"], ["app_name": "app"], []),
            ([:], ["app_name": "other"], []), (["appName": "third"], ["app_name": "other"], []),
            (["appName": "other"], ["app_name": "other"], []),
            (["channel": "Release"], ["channel": "beta"], ["/channel"]), (["channel": "release"], ["channel": nil], []),
            (["channel": "release"], ["channel": "RELEASE"], []), ([:], ["channel": "beta"], []),
            (["channel": "beta"], ["channel": "nightly"], []),
            (["channels": ["beta", "release"]], ["channel": "beta"], []),
            (["channels": ["nightly", "release"]], ["channel": "beta"], ["/channel"]),
            (
                ["appName": "app", "channel": "release"], ["app_name": "other", "channel": "beta"],
                ["/app_name", "/channel"]
            ),
        ] as [(JSONObject, JSONObject, [String])])
    func `A recipe that was for this app and channel, and is not any more, is named`(
        _ fields: JSONObject, _ changes: JSONObject, _ places: [String]
    ) throws {
        let told = try warnings(changes, Self.experiment(fields))
        #expect(told.map { "\($0.pointer)" } == places && told.allSatisfy { $0.code == "disqualified" })
        #expect(told.allSatisfy { $0.message.contains("recipe \"e\" is for ") })
    }

    @Test func `A manifest that names a channel at last may end recipes for another`() throws {
        let told = try warnings(["channel": "release"], Self.experiment(["channel": "beta"]), from: ["channel": nil])
        #expect(told.map(\.location) == ["disqualified /channel"])
    }

    @Test func `A message on a surface that is removed is named, once`() throws {
        let value: JSONValue = [
            "messages": [
                "m": ["surface": "card", "text": "t"], "n": ["surface": "banner", "text": "t"],
                "o": ["surface": "gone", "text": "t"],
            ]
        ]
        let told = try warnings(["surfaces": ["banner"]], value)
        #expect(told.map(\.location) == ["surface_in_use /surfaces"])
        #expect(told.first?.message.contains("message \"m\" of recipe \"e\" has surface \"card\"") == true)
        let branches = NimbusRecipe.experiment("e", ["a": value, "b": value])
        #expect(try warnings(["surfaces": ["banner"]], branches).map(\.location) == ["surface_in_use /surfaces"])
        #expect(try warnings(["surfaces": ["card", "banner", "more"]], value) == [])
    }

    @Test func `A surface that only the manifest's own message names is the manifest's mistake`() throws {
        let own: JSONObject = ["messaging": ["messages": ["m": ["surface": "card", "text": "t"]]]]
        let patch: JSONValue = ["messages": ["m": ["title": "A title"]]]
        #expect(try warnings(["surfaces": ["banner"]], patch, from: own) == [])
        let moved: JSONValue = ["messages": ["m": ["surface": "card"]]]
        #expect(
            try warnings(["surfaces": ["banner"]], moved, from: own).map(\.location) == ["surface_in_use /surfaces"])
    }
}
