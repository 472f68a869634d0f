import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// A message in its forms is, for every client, what merging that client's branches comes to.
@Suite struct CatalogFormTests {
    private static func experiment(
        _ slug: String, _ values: [JSONValue], isRollout: Bool = false, in manifest: Manifest, revision: Int = 1
    ) throws -> Recipe {
        let branches = values.enumerated().map { index, value -> JSONValue in
            ["slug": .string("b\(index)"), "ratio": 1, "features": [["featureId": "messaging", "value": value]]]
        }
        let document = SampleExperiment.document(
            ["branches": .array(branches), "isRollout": .bool(isRollout)], slug: slug)
        let findings = Findings()
        let recipe = Recipe.read(document, slug: slug, revision: revision, manifest: manifest, findings: findings)
        return try #require(recipe, "\(findings.faults)")
    }

    private func catalog(_ recipes: [Recipe], in manifest: Manifest) -> (Catalog, [CatalogRecipe]) {
        let catalog = Sample.catalog(recipes, in: manifest, manifestRevision: 4)
        return (catalog, CatalogRecipe.all(Recipe.inCanonicalOrder(recipes), in: catalog.experiments))
    }

    @Test func eachBranchHasItsOwn() throws {
        let manifest = try Sample.manifest(messaging: ["messages": ["m": ["text": "base", "surface": "microsurvey"]]])
        let recipe = try Self.experiment(
            "e", [["messages": ["m": ["text": "one"]]], ["messages": ["m": nil]], [:]], in: manifest)
        let (catalog, _) = catalog([recipe], in: manifest)
        func text(_ branch: Int) -> String? {
            var vector = BranchVector(places: 1)
            vector[0] = branch
            return catalog.message("m", for: catalog.forms(for: vector))?.definition.text
        }
        #expect((0...3).map(text) == ["base", "one", nil, "base"])
        #expect(catalog.messages.count == 2 && catalog.messageCount == 1)
    }

    @Test func experimentsLieOverRollouts() throws {
        let manifest = try Sample.manifest()
        let rollout = try Self.experiment(
            "z", [["messages": ["m": ["text": "r", "title": "r"]]]], isRollout: true, in: manifest)
        let experiment = try Self.experiment("a", [["messages": ["m": ["text": "e"]]]], in: manifest)
        let (catalog, _) = catalog([experiment, rollout], in: manifest)
        var both = BranchVector(places: 2)
        both[0] = 1
        both[1] = 1
        let message = catalog.message("m", for: catalog.forms(for: both))?.definition
        #expect(message?.text == "e" && message?.title == "r")
    }

    /// A null that takes an experiment's own entry away leaves the rollout's.
    @Test func rolloutsAndExperimentsMergeApart() throws {
        let manifest = try Sample.manifest()
        let recipes = [
            try Self.experiment("r", [["messages": ["m": ["text": "r"]]]], isRollout: true, in: manifest),
            try Self.experiment("e", [["messages": ["m": ["text": "e"]]]], in: manifest),
            try Self.experiment("f", [["messages": ["m": nil]]], in: manifest),
        ]
        let (catalog, _) = catalog(recipes, in: manifest)
        var all = BranchVector(places: 3)
        for place in 0..<3 { all[place] = 1 }
        #expect(catalog.message("m", for: catalog.forms(for: all))?.definition.text == "r")
        all[1] = 0
        #expect(catalog.message("m", for: catalog.forms(for: all)) == nil)
    }

    /// Many recipes that say the same of a style make two forms of it, not one for each set of recipes.
    @Test func sameSayingsShareForms() throws {
        let manifest = try Sample.manifest()
        let recipes = try (0..<60).map { number in
            try Self.experiment(
                "e\(number)",
                [
                    [
                        "styles": ["S": ["priority": 70]],
                        "messages": ["m\(number)": ["text": "t", "style": "S", "experiment": "{experiment}"]],
                    ], [:],
                ], in: manifest)
        }
        let (catalog, _) = catalog(recipes, in: manifest)
        #expect(catalog.messages.count == 60 && catalog.oversized.isEmpty)
        #expect(catalog.diagramCount <= 60 * 2 + 1)
    }

    /// Recipes that all patch different fields of one message double its forms each.
    @Test func tooManyFormsAreNotServed() throws {
        let manifest = try Sample.manifest(messaging: ["messages": ["m": ["text": "t"], "n": ["text": "t"]]])
        let recipes = try (0..<15).map { number in
            try Self.experiment(
                "e\(number)", [["messages": ["m": ["action-params": ["\(number)": "x"]]]]], in: manifest)
        }
        let (catalog, _) = catalog(recipes, in: manifest)
        #expect(catalog.oversized == ["m"] && catalog.messages.map(\.key) == ["n"])
    }

    @Test(arguments: 0..<120)
    func agreesWithMergingEachClientsBranches(_ seed: UInt64) throws {
        var generator = PatchGenerator(random: SeededGenerator(seed: seed))
        let manifest = try Sample.manifest(messaging: generator.value())
        let recipes = try (0..<Int.random(in: 1...7, using: &generator.random)).map { number in
            let values = (0..<Int.random(in: 1...3, using: &generator.random)).map { _ in generator.value() }
            let slug = "e\(number)"
            if Int.random(in: 0..<5, using: &generator.random) == 0 {
                return try Sample.recipe(values[0], slug: slug, in: manifest)
            }
            return try Self.experiment(
                slug, values, isRollout: Bool.random(using: &generator.random), in: manifest,
                revision: Int.random(in: 1...3, using: &generator.random))
        }
        let (catalog, parts) = catalog(recipes, in: manifest)
        #expect(catalog.oversized.isEmpty)
        for _ in 0..<40 {
            var vector = BranchVector(places: recipes.count)
            for recipe in parts {
                if let place = recipe.place {
                    vector[place] = Int.random(in: 0...recipe.branches.count, using: &generator.random)
                }
            }
            check(
                catalog, vector,
                NaiveMerge(
                    manifest: manifest, manifestRevision: 4, recipes: parts, branches: vector))
        }
    }

    private func check(_ catalog: Catalog, _ vector: BranchVector, _ naive: NaiveMerge) {
        let forms = catalog.forms(for: vector)
        let served = catalog.messages.filter { forms.meets($0.requirements) }
        let texts = served.map { message in
            let sources = (message.triggers + message.exclusions).map {
                Optional(catalog.triggers[$0.expression].source)
            }
            return NaiveMerge.text(
                message.key, message.revision, message.definition,
                "\(String(describing: Optional(message.style))) \(sources) "
                    + "\(String(describing: message.facts.enrollment))")
        }
        let expected = naive.messages
        let malformed = Set(catalog.malformed(for: forms).map(\.facts.key))
        #expect(Set(texts).isSubset(of: expected))
        #expect(texts.count + malformed.count == expected.count, "each is served or malformed, in one form")
        #expect(Set(served.map(\.key)).isDisjoint(with: malformed))
        #expect(catalog.onControl(for: forms) == naive.onControl)
    }
}

/// Random messaging values that patch one another: few names, nulls, wrong types.
struct PatchGenerator {
    var random: SeededGenerator

    private mutating func chance(_ odds: Int) -> Bool { Int.random(in: 0..<odds, using: &random) == 0 }

    private mutating func text() -> JSONValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: nil
        case 1: 7
        default: .string(["x", "y", ""].randomElement(using: &random) ?? "")
        }
    }

    mutating func value() -> JSONValue {
        var value = JSONObject()
        if !chance(4) { value["messages"] = chance(12) ? nil as JSONValue : messages() }
        if chance(2) { value["styles"] = chance(12) ? 7 : map(["S", "T"]) { JSONValue.integer(Int64($0)) } }
        if chance(2) {
            var triggers = JSONObject()
            for name in ["A", "B"] where chance(2) {
                triggers[name] = chance(5) ? nil : ["true", "age > 1"].randomElement(using: &random)
            }
            value["triggers"] = .object(triggers)
        }
        if chance(3) {
            value["on-control"] = ["show-none", "show-next-message", "never"].randomElement(using: &random)
        }
        if value.isEmpty { value["messages"] = [:] }
        return .object(value)
    }

    private mutating func map(_ names: [String], _ number: (Int) -> JSONValue) -> JSONValue {
        var entries = JSONObject()
        for name in names where chance(2) {
            var style = JSONObject()
            if chance(2) { style["priority"] = number(Int.random(in: 1...3, using: &random)) }
            if chance(2) { style["max-display-count"] = number(Int.random(in: 1...3, using: &random)) }
            entries[name] = chance(6) ? nil : .object(style)
        }
        return .object(entries)
    }

    private mutating func messages() -> JSONValue {
        var messages = JSONObject()
        for key in ["m", "n", "{experiment}"] where chance(2) {
            var message = JSONObject()
            for field in ["text", "title"] where chance(2) { message[field] = text() }
            if chance(3) { message["style"] = ["S", "T", "DEFAULT"].randomElement(using: &random) }
            if chance(3) {
                message["trigger-if-all"] = [["A"], ["B", "A"], [], ["ALWAYS"]].randomElement(using: &random)
            }
            if chance(4) { message["experiment"] = ["{experiment}", "e1"].randomElement(using: &random) }
            if chance(5) { message["action-params"] = ["a": text()] }
            messages[key] = chance(9) ? nil : .object(message)
        }
        return .object(messages)
    }
}
