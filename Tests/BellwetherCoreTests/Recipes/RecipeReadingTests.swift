import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// A messaging value as a recipe: its faults, and the values that are read from it
/// (docs/reference/http-api.md#recipes).
@Suite struct RecipeReadingTests {
    private func faults(_ document: JSONValue, slug: Identifier = "e") throws -> [String] {
        let findings = Findings()
        let recipe = Recipe.read(
            document, slug: slug, revision: 1, manifest: try Sample.manifest(), findings: findings)
        #expect((recipe == nil) == !findings.faults.isEmpty)
        return findings.faultLocations
    }

    @Test(arguments: [JSONValue.array([]), "text", 1, true, nil])
    func notAnObject(_ document: JSONValue) throws { #expect(try faults(document) == ["type "]) }

    @Test(
        arguments: [
            [:], ["slug": "e"], ["userFacingName": "x"], ["kind": "poem"], ["kind": "Survey", "messages": [:]],
        ] as [JSONValue])
    func ofNoKnownKind(_ document: JSONValue) throws {
        let place = document.object?["kind"] == nil ? "" : "/kind"
        #expect(try faults(document) == ["unknown_kind \(place)"])
    }

    @Test func `Messages may have a name for owners, which nothing warns about`() throws {
        let findings = Findings()
        let document: JSONValue = ["userFacingName": "Map mood", "messages": [:]]
        _ = Recipe.read(document, slug: "e", revision: 1, manifest: try Sample.manifest(), findings: findings)
        #expect(findings.faults.isEmpty && findings.warnings.isEmpty)
        #expect(try faults(["userFacingName": 5, "messages": [:]]) == ["type /userFacingName"])
    }

    @Test(arguments: ["messages", "triggers", "styles", "actions", "on-control"])
    func oneVariableIsEnough(_ variable: String) throws {
        let value: JSONValue = variable == "on-control" ? "show-none" : [:]
        #expect(try faults([variable: value]).isEmpty)
    }

    @Test func slugMustAgreeWithThePath() throws {
        #expect(try faults(["slug": "f", "messages": [:]]) == ["slug_mismatch /slug"])
        #expect(try faults(["slug": 5, "messages": [:]]) == ["type /slug"])
        #expect(try faults(["slug": "e\u{301}", "messages": [:]], slug: "\u{E9}") == ["slug_mismatch /slug"])
        #expect(try faults(["slug": nil, "messages": [:]]).isEmpty)
    }

    @Test func slugIsNoUnknownKey() throws {
        let findings = Findings()
        _ = Recipe.read(
            ["slug": "e", "messages": [:]], slug: "e", revision: 1, manifest: try Sample.manifest(),
            findings: findings)
        #expect(findings.warnings.isEmpty)
    }

    @Test func everyExpressionThatDoesNotParseIsAFault() throws {
        #expect(
            try faults(["triggers": ["A": "!true", "B": "true", "C": "'open", "D": 5, "E": ""], "slug": "x"]) == [
                "slug_mismatch /slug", "jexl_parse /triggers/A", "jexl_parse /triggers/C", "jexl_parse /triggers/E",
            ])
    }

    @Test func expressionsAreReadWithTheSlugInThem() throws {
        #expect(try faults(["triggers": ["T": "'{experiment}' in enrollments"]]).isEmpty)
        #expect(
            try faults(["triggers": ["T": "'{experiment}' in enrollments"]], slug: "it's") == ["jexl_parse /triggers/T"]
        )
    }

    @Test func everyClientIsEnrolledInItsRollout() throws {
        let recipe = try Sample.recipe(
            ["messages": ["{experiment}-m": ["experiment": "{experiment}"]]], slug: "s",
            in: try Sample.manifest())
        #expect(recipe.messaging == ["messages": ["s-m": ["experiment": "s"]]])
        let branches = ClientBranches(ExperimentSet(live: [recipe], paused: []), .none)
        #expect(branches.all == [EnrolledBranch(slug: "s", branch: "rollout")])
        #expect(branches.branch(of: "s") == branches.all.first)
    }

    @Test func canonicalOrderIsByCodePoint() throws {
        let manifest = try Sample.manifest()
        let slugs = ["b", "\u{10000}", "a", "Z", "\u{FFFD}", "e\u{301}"]
        let recipes = try slugs.map { try Sample.recipe(["messages": [:]], slug: $0, in: manifest) }
        #expect(
            Recipe.inCanonicalOrder(recipes).map(\.slug) == ["Z", "a", "b", "e\u{301}", "\u{FFFD}", "\u{10000}"])
    }
}
