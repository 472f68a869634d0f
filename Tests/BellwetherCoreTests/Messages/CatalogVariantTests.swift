import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// For every client, a message's variant equals the result of merging that client's branches.
@Suite struct CatalogVariantTests {
    private func catalog(_ recipes: [Recipe], in manifest: Manifest) -> (Catalog, [CatalogRecipe]) {
        let catalog = Sample.catalog(recipes, in: manifest, manifestRevision: 4)
        return (catalog, CatalogRecipe.all(Recipe.inCanonicalOrder(recipes), in: catalog.experiments))
    }

    @Test func eachBranchHasItsOwn() throws {
        let manifest = try Sample.manifest(messaging: ["messages": ["m": ["text": "base", "surface": "microsurvey"]]])
        let recipe = try SampleExperiment.messaging(
            "e", [["messages": ["m": ["text": "one"]]], ["messages": ["m": nil]], [:]], in: manifest)
        let (catalog, _) = catalog([recipe], in: manifest)
        func text(_ branch: Int) -> String? {
            var vector = BranchVector(count: 1)
            vector[0] = branch
            return catalog.message("m", for: catalog.variants(for: vector))?.definition.text
        }
        #expect((0...3).map(text) == ["base", "one", nil, "base"])
        #expect(catalog.messages.count == 2 && catalog.messageCount == 1)
    }

    @Test func experimentsLieOverRollouts() throws {
        let manifest = try Sample.manifest()
        let rollout = try SampleExperiment.messaging(
            "z", [["messages": ["m": ["text": "r", "title": "r"]]]], isRollout: true, in: manifest)
        let experiment = try SampleExperiment.messaging("a", [["messages": ["m": ["text": "e"]]]], in: manifest)
        let (catalog, _) = catalog([experiment, rollout], in: manifest)
        var both = BranchVector(count: 2)
        both[0] = 1
        both[1] = 1
        let message = catalog.message("m", for: catalog.variants(for: both))?.definition
        #expect(message?.text == "e" && message?.title == "r")
    }

    /// A null that removes an experiment's own entry does not remove the rollout's.
    @Test func rolloutsAndExperimentsMergeApart() throws {
        let manifest = try Sample.manifest()
        let recipes = [
            try SampleExperiment.messaging("r", [["messages": ["m": ["text": "r"]]]], isRollout: true, in: manifest),
            try SampleExperiment.messaging("e", [["messages": ["m": ["text": "e"]]]], in: manifest),
            try SampleExperiment.messaging("f", [["messages": ["m": nil]]], in: manifest),
        ]
        let (catalog, _) = catalog(recipes, in: manifest)
        var all = BranchVector(count: 3)
        for rank in 0..<3 { all[rank] = 1 }
        #expect(catalog.message("m", for: catalog.variants(for: all))?.definition.text == "r")
        all[1] = 0
        #expect(catalog.message("m", for: catalog.variants(for: all)) == nil)
    }

    /// Many recipes that set a style to the same value make two variants of it, and not one for each set of recipes.
    @Test func sameSayingsShareForms() throws {
        let manifest = try Sample.manifest()
        let recipes = try (0..<60).map { number in
            try SampleExperiment.messaging(
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
        let diagrams = Set(catalog.messages.flatMap { $0.requirements.map(\.diagram) })
        #expect(diagrams.count <= 60 * 2 + 1 && !diagrams.isEmpty)
    }

    /// If each recipe patches another field of one message, each doubles the number of its variants.
    @Test func tooManyFormsAreNotServed() throws {
        let manifest = try Sample.manifest(messaging: ["messages": ["m": ["text": "t"], "n": ["text": "t"]]])
        let recipes = try (0..<15).map { number in
            try SampleExperiment.messaging(
                "e\(number)", [["messages": ["m": ["action-params": ["\(number)": "x"]]]]], in: manifest)
        }
        let (catalog, _) = catalog(recipes, in: manifest)
        #expect(catalog.oversized == ["m"] && catalog.messages.map(\.key) == ["n"])
    }

    @Test(arguments: 0..<Trials.count(40, many: 120))
    func agreesWithMergingEachClientsBranches(_ seed: UInt64) throws {
        var generator = PatchGenerator(random: SeededGenerator(seed: seed))
        let manifest = try Sample.manifest(messaging: generator.value())
        let recipes = try (0..<Int.random(in: 1...7, using: &generator.random)).map { number in
            try generator.recipe(
                "e\(number)", revision: Int.random(in: 1...3, using: &generator.random), in: manifest)
        }
        let (catalog, parts) = catalog(recipes, in: manifest)
        #expect(catalog.oversized.isEmpty)
        for _ in 0..<40 {
            var vector = BranchVector(count: recipes.count)
            for recipe in parts {
                if let rank = recipe.rank {
                    vector[rank] = Int.random(in: 0...recipe.branches.count, using: &generator.random)
                }
            }
            check(
                catalog, vector,
                NaiveMerge(
                    manifest: manifest, manifestRevision: 4, recipes: parts, branches: vector))
        }
    }

    private func check(_ catalog: Catalog, _ vector: BranchVector, _ naive: NaiveMerge) {
        let variants = catalog.variants(for: vector)
        let served = catalog.messages.filter { variants.meets($0.requirements) }
        let texts = served.map { message in
            let sources = (message.triggers + message.exclusions).map {
                Optional(catalog.triggers[$0.expression].source)
            }
            return NaiveMerge.text(
                message.key.text, message.revision, message.definition,
                "\(String(describing: Optional(message.style))) \(sources) "
                    + "\(String(describing: message.facts.enrollment))")
        }
        let expected = naive.messages
        let malformed = Set(catalog.malformed(for: variants).map(\.facts.key))
        #expect(Set(texts).isSubset(of: expected))
        #expect(texts.count + malformed.count == expected.count, "each is served or malformed, in one form")
        #expect(Set(served.map(\.key)).isDisjoint(with: malformed))
        #expect(catalog.onControl(for: variants) == naive.onControl)
    }
}
