import BellwetherAuthoring
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// Warnings from comparisons: controls, branches, languages, ranks, buckets.
@Suite struct ComparisonCheckTests {
    private func warnings(
        _ document: JSONValue, slug: Identifier = "e", live: KeyValuePairs<String, JSONValue> = [:]
    ) throws -> [String] {
        try DocumentCheckTests.warnings(document, slug: slug, live: live)
    }

    private func message(_ key: String = "m", _ fields: JSONObject = [:]) -> JSONValue {
        DocumentCheckTests.message(fields, key: key)
    }

    private static let value = "/branches/1/features/0/value"

    /// A control, compared with a treatment `m` with the triggers ADULT and EN and the style HIGH.
    @Test(
        arguments: [
            ("m", [:], []), ("m-control", [:], []), ("c", [:], []),
            ("m", ["trigger-if-all": ["EN", "ADULT"]], []), ("m", ["style": "ALSO_HIGH"], []),
            ("m", ["trigger-if-all": ["ADULT"]], ["messages/m/trigger-if-all"]),
            ("c", ["trigger-if-all": ["ADULT", "DE"]], ["messages/c/trigger-if-all"]),
            ("c", ["except-if-any": ["CHILD"]], ["messages/c/except-if-any"]),
            ("c", ["style": "DEFAULT"], ["messages/c/style"]), ("c", ["style": nil], ["messages/c"]),
            ("c", ["surface": "notification"], ["messages/c/surface"]),
            (
                "m", ["surface": "notification", "style": "DEFAULT", "trigger-if-all": []],
                ["messages/m/surface", "messages/m/style", "messages/m/trigger-if-all"]
            ),
        ] as [(String, JSONObject, [String])])
    func aControlStandsWhereItsTreatmentDoes(_ key: String, _ changes: JSONObject, _ expected: [String]) throws {
        let shared: JSONObject = ["style": "HIGH", "trigger-if-all": ["ADULT", "EN"]]
        var control = shared
        control["is-control"] = true
        control["experiment"] = "{experiment}"
        for (name, value) in changes { control[name] = value == .null ? .none : .some(value) }
        let experiment = NimbusRecipe.experiment(
            "e", ["treatment": message("m", shared), "control": message(key, control)])
        #expect(try warnings(experiment) == expected.map { "control_differs \(Self.value)/\($0)" })
    }

    @Test func aControlWithoutATreatmentIsComparedWithNothing() throws {
        let control = message("c", ["is-control": true, "style": "HIGH"])
        #expect(try warnings(NimbusRecipe.experiment("e", ["control": control, "nothing": [:]])) == [])
        // With two messages, the check cannot know which one is meant.
        let two: JSONValue = [
            "messages": [
                "a": ["surface": "homescreen", "text": "t", "style": "DEFAULT"],
                "b": ["surface": "homescreen", "text": "t", "style": "DEFAULT"],
            ]
        ]
        #expect(try warnings(NimbusRecipe.experiment("e", ["control": control, "both": two])) == [])
    }

    @Test func withinOneValueBucketsShareTheClientsOut() throws {
        func value(_ trigger: String) -> JSONValue {
            [
                "messages": [
                    "m": ["surface": "homescreen", "text": "t", "trigger-if-all": ["ADULT", "HALF"]],
                    "m-control": [
                        "surface": "homescreen", "is-control": true,
                        "trigger-if-all": [.string(trigger), "OTHER_HALF"],
                    ],
                ]
            ]
        }
        #expect(try warnings(value("ADULT")) == [])
        #expect(try warnings(value("EN")) == ["control_differs /messages/m-control/trigger-if-all"])
    }

    @Test func branchesShowMessagesUnderTheSameKeys() throws {
        func told(_ first: JSONValue, _ second: JSONValue) throws -> [String] {
            try warnings(NimbusRecipe.experiment("e", ["a": first, "b": second]))
        }
        #expect(try told(message("m"), message("m")) == [])
        #expect(try told(message("{experiment}-m"), message("e-m")) == [])
        #expect(try told(message("m"), message("n")) == ["branch_keys_differ \(Self.value)/messages"])
        #expect(try told(message("m"), message("c", ["is-control": true])) == [])
        #expect(try told(message("c", ["is-control": true]), message("n")) == [])
        #expect(try told(message("m"), [:]) == [])
        // A message of the manifest that only one branch patches.
        #expect(try told(message("m"), ["messages": ["old": ["title": "t"]]]) == [])
    }

    @Test(
        arguments: [
            (["Yes", "No"], ["No", "Yes"], false), (["Yes", "No"], ["Yes", "No", "Perhaps"], true),
            (["1", "2", "3", "4", "5"], ["1", "2", "3", "4", "5 – Good"], false),
            (["1", "2", "3", "4", "5"], ["1", "2", "3", "4", "5", "6"], true),
        ] as [([String], [String], Bool)])
    func branchesOfASurveyAddUp(_ one: [String], _ other: [String], _ isReported: Bool) throws {
        func survey(_ options: [String], _ more: JSONObject = [:]) -> JSONValue {
            var fields: JSONObject = [
                "surface": "microsurvey", "microsurveyConfig": ["options": .array(options.map(JSONValue.string))],
            ]
            for (name, value) in more { fields[name] = value }
            return message("m", fields)
        }
        let place = "branch_options_differ \(Self.value)/messages/m/microsurveyConfig/options"
        let recipe = NimbusRecipe.experiment("e", ["a": survey(one), "b": survey(other), "nothing": [:]])
        #expect(try warnings(recipe) == (isReported ? [place] : []))
        let control = NimbusRecipe.experiment("e", ["a": survey(one), "b": survey(other, ["is-control": true])])
        #expect(try warnings(control) == [])
    }

    @Test(arguments: [
        ("EN", "EN_US", true), ("EN", "DE", false), ("EN_US", "DE", false), ("EN", "EN", false),
    ]) func messagesForDifferentLanguagesMeetInNone(_ one: String, _ other: String, _ isReported: Bool) throws {
        func value(_ more: JSONValue, _ surface: JSONValue = "homescreen") -> JSONValue {
            [
                "messages": [
                    "a": ["surface": "homescreen", "text": "t", "trigger-if-all": ["ADULT", .string(one)]],
                    "b": ["surface": surface, "text": "t", "trigger-if-all": [more, .string(other)]],
                ]
            ]
        }
        #expect(try warnings(value("ADULT")) == (isReported ? ["language_overlap /messages/b/trigger-if-all"] : []))
        #expect(try warnings(value("TEEN")) == [])
        #expect(try warnings(value("ADULT", "notification")) == [])
    }

    @Test func messagesOfOtherRecipesWithTheSameRank() throws {
        let other = message("other", ["style": "HIGH", "trigger-if-all": ["ADULT"]])
        func told(_ fields: JSONObject) throws -> [String] { try warnings(message("m", fields), live: ["o": other]) }
        #expect(try told(["style": "ALSO_HIGH"]) == ["priority_tie /messages/m/style"])
        #expect(try told(["style": "DEFAULT"]) == [])
        #expect(try told(["style": "HIGH", "surface": "notification"]) == [])
        #expect(try told(["style": "HIGH", "trigger-if-all": ["CHILD"]]) == [], "nobody is eligible for both")
        // An earlier revision of the recipe, and the same message in another recipe, do not count as other messages.
        #expect(try warnings(message("m", ["style": "HIGH"]), live: ["e": other]) == [])
        #expect(try warnings(message("other", ["style": "HIGH"]), live: ["o": other]) == [])
        // A patch that does not change the rank.
        #expect(
            try warnings(["messages": ["old": ["title": "t"]]], live: ["o": message("x", ["surface": "notification"])])
                == [])
        let plain = try DocumentCheckTests.findings(message("m"), live: ["o": message("x")]).warnings
        #expect(plain.map(\.location) == ["priority_tie /messages/m"])
        #expect(plain.first?.message.contains("\"x\"") == true)
    }

    @Test(arguments: [
        (0, 5000, "n", true), (5000, 5000, "n", false), (4999, 1, "n", true), (0, 5000, "other", false),
        (9000, 2000, "n", true), (9000, 1000, "n", false), (0, 0, "n", false), (15_000, 5000, "n", false),
    ]) func bucketsOfOneNamespace(_ start: Int64, _ count: Int64, _ namespace: String, _ isReported: Bool) throws {
        func experiment(_ slug: Identifier, _ start: Int64, _ count: Int64, _ namespace: String) -> JSONValue {
            NimbusRecipe.experiment(
                slug.text, ["a": [:]],
                [
                    "bucketConfig": [
                        "randomizationUnit": "nimbus_id", "namespace": .string(namespace), "start": .integer(start),
                        "count": .integer(count), "total": 10_000,
                    ]
                ])
        }
        let live = experiment("o", 0, 5000, "n")
        let own = experiment("e", start, count, namespace)
        let findings = try DocumentCheckTests.findings(own, live: ["o": live, "e": own])
        let overlaps = findings.warnings.filter { $0.code == "bucket_overlap" }
        #expect(overlaps.map(\.location) == (isReported ? ["bucket_overlap /bucketConfig"] : []))
        if isReported {
            let message = overlaps.first?.message ?? ""
            #expect(message.contains("\"e\"") && message.contains("\"o\""))
        }
    }

    @Test func olderRecipesHaveOneFeatureABranch() throws {
        let experiment = NimbusRecipe.experiment(
            "e", [:],
            [
                "branches": [
                    [
                        "slug": "a", "ratio": 1,
                        "feature": ["featureId": "messaging", "value": message("m", ["style": "GONE"])],
                    ]
                ]
            ])
        #expect(try warnings(experiment) == ["cap_zero /branches/0/feature/value/messages/m/style"])
    }

    @Test func aManifestsOwnMessagingIsCheckedTheSame() throws {
        let messaging: JSONValue = [
            "triggers": ["T": "age == 'x'", "U": "age > 2 && age < 1"], "styles": ["S": ["max-display-count": -1]],
            "actions": ["A": "https://x.org/{nope}{experiment}"],
            "messages": ["m": ["text": "t", "surface": "homescreen", "trigger-if-all": ["NEVER"]]],
        ]
        let manifest = try Sample.manifest(messaging: messaging)
        let findings = Findings()
        DocumentCheck.check(manifest, in: CheckContext(strings: DocumentCheckTests.strings()), findings: findings)
        #expect(
            findings.warningLocations == [
                "type_mismatch /messaging/triggers/T", "never_true /messaging/triggers/U",
                "cap_zero /messaging/styles/S/max-display-count", "unknown_attribute /messaging/actions/A",
                "unknown_attribute /messaging/actions/A", "never_true /messaging/messages/m/trigger-if-all/0",
            ])
    }
}
