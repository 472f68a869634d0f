import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// Aliases (docs/reference/http-api.md#aliases). They are read in both dialects before merging, each with a warning;
/// the canonical key wins.
@Suite struct AliasTests {
    private struct Read {
        let message: JSONObject
        let warnings: [String]
    }

    private func read(_ message: JSONObject, _ dialect: Dialect = .ios) throws -> Read {
        let findings = Findings()
        let manifest = try Sample.manifest(messaging: ["triggers": ["T": "true"]], dialect: dialect)
        let recipe = try #require(
            Recipe.read(
                ["messages": ["m": .object(message)]], slug: "e", revision: 1, manifest: manifest, findings: findings))
        let value = try #require(recipe.messaging?["messages"]?.object?["m"]?.object)
        return Read(message: value, warnings: findings.warningLocations)
    }

    @Test(arguments: Dialect.allCases)
    func trigger(_ dialect: Dialect) throws {
        let read = try read(["text": "t", "trigger": ["T"]], dialect)
        #expect(read.message["trigger-if-all"] == ["T"] && read.message["trigger"] == nil)
        #expect(read.warnings == ["alias /messages/m/trigger"])
    }

    @Test(arguments: [
        (Dialect.ios, "exclude-if-any", "except-if-any"), (.android, "except-if-any", "exclude-if-any"),
    ])
    func exclusions(_ dialect: Dialect, _ alias: String, _ canonical: String) throws {
        let stale = try read(["text": "t", alias: ["T"]], dialect)
        #expect(stale.message[canonical] == ["T"] && stale.message[alias] == nil)
        #expect(stale.warnings == ["alias /messages/m/\(alias)"])
        #expect(try read(["text": "t", canonical: ["T"]], dialect).warnings.isEmpty)
    }

    @Test(arguments: Dialect.allCases)
    func answers(_ dialect: Dialect) throws {
        let read = try read(["text": "t", "microsurveyConfig": ["answers": ["a", "b"], "icon": "i"]], dialect)
        #expect(read.message["microsurveyConfig"] == ["options": ["a", "b"], "icon": "i"])
        #expect(read.warnings == ["alias /messages/m/microsurveyConfig/answers"])
    }

    @Test func canonicalSpellingWins() throws {
        for canonical: JSONValue in [["ALWAYS"], [], nil, 5] {
            let read = try read(["text": "t", "trigger": ["T"], "trigger-if-all": canonical])
            #expect(read.message["trigger-if-all"] == .some(canonical) && read.message["trigger"] == nil)
            #expect(read.warnings.contains("alias /messages/m/trigger"))
        }
        let config = try read(["text": "t", "microsurveyConfig": ["answers": ["a"], "options": ["b"]]])
        #expect(config.message["microsurveyConfig"] == ["options": ["b"]])
    }

    @Test func overruledSpellingIsNotLookedAt() throws {
        #expect(
            try read(["text": "t", "trigger": ["NOPE", 5], "trigger-if-all": ["T"]]).warnings == [
                "alias /messages/m/trigger"
            ])
    }

    @Test func findingsStandWhereTheAuthorWrote() throws {
        #expect(
            try read(["text": "t", "trigger": ["T", 5, "NOPE"], "microsurveyConfig": ["answers": [1]]]).warnings == [
                "alias /messages/m/trigger", "alias /messages/m/microsurveyConfig/answers",
                "type /messages/m/trigger/1", "type /messages/m/microsurveyConfig/answers/0",
                "unknown_trigger /messages/m/trigger/2",
            ])
    }

    @Test func inManifestsToo() throws {
        let findings = Findings()
        let manifest = try #require(
            Manifest.read(
                Sample.document(["messaging": ["messages": ["m": ["text": "t", "trigger": ["NEVER"]]]]]),
                findings: findings))
        #expect(findings.warningLocations == ["alias /messaging/messages/m/trigger"])
        let catalog = Catalog(
            manifest: manifest, manifestRevision: 1, recipes: [],
            experiments: ExperimentSet(live: [Experiment]()), revision: 1)
        #expect(catalog.message("m")?.definition.triggers == ["NEVER"])
    }

    @Test func beforeMerging() throws {
        let manifest = try Sample.manifest(messaging: ["triggers": ["T": "true"]])
        let catalog = try Sample.catalog(
            [
                "a": [
                    "messages": [
                        "m": ["text": "t", "trigger-if-all": ["NEVER"], "microsurveyConfig": ["options": ["x"]]]
                    ]
                ],
                "b": ["messages": ["m": ["trigger": ["T"], "microsurveyConfig": ["answers": ["y"]]]]],
            ], in: manifest)
        #expect(catalog.message("m")?.definition.triggers == ["T"])
        #expect(catalog.message("m")?.definition.microsurvey.options == ["y"])
    }
}
