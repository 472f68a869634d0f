import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// A mistake that the SDK tolerates is a warning, at its exact position in the author's document
/// (docs/reference/http-api.md#faults-and-warnings).
@Suite struct MessagingReadingTests {
    private func warnings(_ recipe: JSONValue, _ dialect: Dialect = .ios, slug: Identifier = "e") throws -> [String] {
        let findings = Findings()
        let manifest = try Sample.manifest(messaging: ["actions": ["OPEN": "://open"]], dialect: dialect)
        let recipe = Recipe.read(recipe, slug: slug, revision: 1, manifest: manifest, findings: findings)
        #expect(recipe != nil, "\(findings.faults)")
        return findings.warningLocations
    }

    private func warnings(message: JSONObject, _ dialect: Dialect = .ios) throws -> [String] {
        var document: JSONObject = ["text": "t"]
        for (key, value) in message { document[key] = value }
        return try warnings(["messages": ["m": .object(document)]], dialect)
    }

    @Test(
        arguments: [
            ("action", 1, "type /messages/m/action"), ("action", "NOPE", "unknown_action /messages/m/action"),
            ("action-params", 1, "type /messages/m/action-params"),
            ("action-params", ["a": 1], "type /messages/m/action-params/a"), ("title", [], "type /messages/m/title"),
            ("text", "", "empty_text /messages/m/text"), ("is-control", 1, "type /messages/m/is-control"),
            ("button-label", 1, "type /messages/m/button-label"), ("style", 1, "type /messages/m/style"),
            ("style", "NOPE", "unknown_style /messages/m/style"),
            ("trigger-if-all", "A", "type /messages/m/trigger-if-all"),
            ("trigger-if-all", [1], "type /messages/m/trigger-if-all/0"),
            ("trigger-if-all", ["ALWAYS", "NOPE"], "unknown_trigger /messages/m/trigger-if-all/1"),
            ("except-if-any", ["NOPE"], "unknown_trigger /messages/m/except-if-any/0"),
            ("surface", "nowhere", "unknown_surface /messages/m/surface"), ("surface", 1, "type /messages/m/surface"),
            ("experiment", 1, "type /messages/m/experiment"),
            ("microsurveyConfig", [], "type /messages/m/microsurveyConfig"),
            ("microsurveyConfig", ["icon": 1], "type /messages/m/microsurveyConfig/icon"),
            ("microsurveyConfig", ["options": [1]], "type /messages/m/microsurveyConfig/options/0"),
            ("microsurveyConfig", ["options": [nil]], "type /messages/m/microsurveyConfig/options/0"),
            (
                "microsurveyConfig", ["target-feature": "printing"],
                "unknown_key /messages/m/microsurveyConfig/target-feature"
            ),
            ("message-under-experiment", "x", "unknown_key /messages/m/message-under-experiment"),
        ] as [(String, JSONValue, String)])
    func messageField(_ field: String, _ value: JSONValue, _ expected: String) throws {
        #expect(try warnings(message: [field: value]) == [expected])
    }

    @Test func aSurfaceInAnotherSpellingIsUnknown() throws {
        let manifest = try Sample.manifest(["surfaces": ["caf\u{E9}"]])
        for (surface, expected) in [("caf\u{E9}", []), ("cafe\u{301}", ["unknown_surface /messages/m/surface"])] {
            let recipe: JSONValue = ["messages": ["m": ["text": "t", "surface": .string(surface)]]]
            let findings = Findings()
            _ = Recipe.read(recipe, slug: "e", revision: 1, manifest: manifest, findings: findings)
            #expect(findings.warningLocations == expected)
        }
    }

    @Test func textOfTheWrongTypeIsMissingToo() throws {
        #expect(try warnings(message: ["text": 5]) == ["type /messages/m/text"])
        #expect(try warnings(["messages": ["m": [:]]]) == ["empty_text /messages/m"])
        #expect(try warnings(["messages": ["m": ["is-control": true]]]).isEmpty)
    }

    @Test func androidHasItsOwnRules() throws {
        #expect(
            try warnings(message: ["text": " "], .android) == ["empty_text /messages/m/text"])
        #expect(
            try warnings(message: ["action": "https://x.org"], .android) == ["unknown_action /messages/m/action"])
        #expect(try warnings(message: ["action": "https://x.org"]).isEmpty)
    }

    @Test(
        arguments: [
            (["triggers": 1], ["type /triggers"]), (["triggers": ["T": 1]], ["type /triggers/T"]),
            (["styles": []], ["type /styles"]), (["styles": ["S": 1]], ["type /styles/S"]),
            (
                ["styles": ["S": ["priority": "1", "max-display-count": 1.5]]],
                ["type /styles/S/priority", "type /styles/S/max-display-count"]
            ),
            (["styles": ["S": ["colour": "red"]]], ["unknown_key /styles/S/colour"]),
            (["actions": 1], ["type /actions"]),
            (["actions": ["A": []]], ["type /actions/A"]), (["on-control": "never"], ["choice /on-control"]),
            (["on-control": 1], ["type /on-control"]), (["messages": 1], ["type /messages"]),
            (["messages": ["m": 1, "n": "x"]], ["type /messages/m", "type /messages/n"]),
            (["messages": [:], "colour": 1], ["unknown_key /colour"]),
            (["messages": [:], "$$surfaces": ["x"], "~~experiment": 1, "notification-config": []], []),
            (["messages": ["m": nil], "triggers": ["T": nil], "styles": nil, "on-control": nil], []),
        ] as [(JSONValue, [String])])
    func variable(_ recipe: JSONValue, _ expected: [String]) throws { #expect(try warnings(recipe) == expected) }

    @Test(arguments: [
        ("city == 'x' && days_since_install < 7", []),
        ("cty == 'x' || towm", ["undeclared_identifier", "undeclared_identifier"]),
        ("age|versonCompare('1') > 0", ["unknown_transform"]), ("2.0", ["not_boolean"]), ("'true'", ["not_boolean"]),
        ("'a' + 1", ["always_fails"]), ("true || cty", ["undeclared_identifier"]), ("false", []),
        ("'x'|eventSum('Days', 1, 0) > 0", []), ("[nimbus_id, 'n']|bucketSample(0, 1, 10)", []),
    ])
    func expression(_ source: String, _ codes: [String]) throws {
        #expect(try warnings(["triggers": ["T": .string(source)]]) == codes.map { "\($0) /triggers/T" })
    }

    @Test func ownNamesAreKnown() throws {
        #expect(
            try warnings([
                "triggers": ["T": "true"], "styles": ["S": [:]], "actions": ["A": "x"],
                "messages": ["m": ["text": "t", "trigger-if-all": ["T"], "style": "S", "action": "A"]],
            ]).isEmpty)
    }

    @Test func namesAreReadWithTheSlugInThem() throws {
        let recipe: JSONValue = [
            "triggers": ["{experiment}-t": "true"],
            "messages": ["{experiment}": ["text": "t", "trigger-if-all": ["{experiment}-t", "e-t", "f-t"]]],
        ]
        #expect(try warnings(recipe) == ["unknown_trigger /messages/{experiment}/trigger-if-all/2"])
    }

    @Test func whatARecipeTakesAwayIsUnknown() throws {
        #expect(
            try warnings(["triggers": ["ALWAYS": nil], "messages": ["m": ["text": "t", "trigger-if-all": ["ALWAYS"]]]])
                == ["unknown_trigger /messages/m/trigger-if-all/0"])
        #expect(
            try warnings(["styles": nil, "messages": ["m": ["text": "t", "style": "DEFAULT"]]])
                == ["unknown_style /messages/m/style"])
    }

    @Test func patchInheritsWhatItPatches() throws {
        let findings = Findings()
        let manifest = try Sample.manifest(messaging: ["messages": ["m": ["text": "t"], "c": ["is-control": true]]])
        _ = Recipe.read(
            ["messages": ["m": ["title": "x"], "c": ["title": "x"]]], slug: "e", revision: 1, manifest: manifest,
            findings: findings)
        #expect(findings.warnings.isEmpty)
    }
}
