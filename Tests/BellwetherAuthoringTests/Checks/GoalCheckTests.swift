import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// Warnings about goals without faults (docs/findings.md#goals).
@Suite struct GoalCheckTests {
    private static func recipe(_ goals: JSONValue, _ changes: JSONObject = [:]) -> JSONValue {
        var recipe: JSONObject = [
            "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "N", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 9_000, "total": 10_000,
            ],
            "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]],
        ]
        recipe["goals"] = goals
        for (key, value) in changes { recipe[key] = value }
        return .object(recipe)
    }

    private static func goal(_ event: JSONValue, name: JSONValue = "g") -> JSONValue {
        ["name": name, "event": event, "counts": "converted"]
    }

    private func warnings(
        _ document: JSONValue, live: KeyValuePairs<String, JSONValue> = [:], seen: Set<Identifier>? = []
    ) throws -> [String] {
        let manifest = try Sample.manifest(["events": ["declared": [:]]])
        let strings = StringTables(defaultLocale: "en-US", locales: [:])
        let app = Sample.compiledApp(try live.map { try Sample.recipe($1, slug: $0, in: manifest) }, in: manifest)
        let findings = Findings()
        DocumentCheck.check(
            try Sample.recipe(document, in: manifest), under: manifest,
            in: CheckContext(strings: strings, live: app, seenEvents: seen), findings: findings)
        return findings.warningLocations
    }

    @Test func `Goals of a recipe that draws users count clients`() throws {
        let buckets: JSONValue = [
            "randomizationUnit": "user_id", "namespace": "n", "start": 0, "count": 9_000, "total": 10_000,
        ]
        #expect(
            try warnings(Self.recipe([Self.goal("declared")], ["bucketConfig": buckets]))
                == ["goals_user /bucketConfig/randomizationUnit"])
        #expect(try warnings(Self.recipe([], ["bucketConfig": buckets])) == [])
    }

    @Test func `An event that nothing knows is probably misspelled`() throws {
        let goals: JSONValue = [Self.goal("declared", name: "a"), Self.goal("purchse", name: "b")]
        #expect(try warnings(Self.recipe(goals)) == ["goal_event /goals/1/event"])
        #expect(try warnings(Self.recipe(goals), seen: ["purchse"]) == [])
        #expect(try warnings(Self.recipe([Self.goal(["message": "clicked"])])) == [])
    }

    @Test func `Without a daemon nobody knows which events are sent`() throws {
        #expect(try warnings(Self.recipe([Self.goal("purchse")]), seen: nil) == [])
    }

    @Test func `A live trigger or targeting knows its events`() throws {
        let (trigger, targeting) = ("'bought'|eventSum('Days', 1, 0) > 0", "'opened'|eventSum('Days', 1, 0) > 0")
        let messages: JSONValue = [
            "triggers": ["T": .string(trigger)],
            "messages": ["m": ["surface": "homescreen", "text": "Hi", "trigger-if-all": ["T"]]],
        ]
        let other = Self.recipe([], ["slug": "x", "targeting": .string(targeting)])
        let goals: JSONValue = [Self.goal("bought", name: "a"), Self.goal("opened", name: "b")]
        #expect(
            try warnings(Self.recipe(goals)) == ["goal_event /goals/0/event", "goal_event /goals/1/event"])
        #expect(try warnings(Self.recipe(goals), live: ["m": messages]) == ["goal_event /goals/1/event"])
        #expect(
            try warnings(Self.recipe(goals), live: ["x": other]).filter { $0.hasPrefix("goal_event") }
                == ["goal_event /goals/0/event"])
    }
}
