import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// A catalog after another is what it would be by itself, but for what it cost.
@Suite struct KeptDraftsTests {
    /// All that a client could tell, message by message.
    private func texts(_ catalog: Catalog) -> [String] {
        func sources(_ triggers: [TriggerUse]) -> [String] {
            triggers.map { "\($0.name) \(catalog.triggers[$0.expression].source)" }
        }
        return catalog.messages.map { message in
            """
            \(message.key) \(message.revision) \(message.definition) \(message.style) \(String(describing: message.action))
            \(sources(message.triggers)) \(sources(message.exclusions)) \(message.facts) \(message.requirements)
            """
        }
    }

    @Test(arguments: 0..<150)
    func publishesMakeNoDifference(_ seed: UInt64) throws {
        var generator = PatchGenerator(random: SeededGenerator(seed: seed))
        var manifest = try Sample.manifest(messaging: generator.value())
        var manifestRevision = 1
        var recipes: [String: Recipe] = [:]
        var previous: Catalog?
        for revision in 1...12 {
            if Int.random(in: 0..<10, using: &generator.random) == 0 {
                manifest = try Sample.manifest(messaging: generator.value())
                manifestRevision += 1
                for (slug, recipe) in recipes {
                    recipes[slug] = try Sample.recipe(
                        recipe.document, slug: slug, revision: recipe.revision, in: manifest)
                }
            }
            let slug = "e\(Int.random(in: 0..<8, using: &generator.random))"
            let isRemoved = Int.random(in: 0..<4, using: &generator.random) == 0
            recipes[slug] = isRemoved ? nil : try generator.recipe(slug, revision: revision, in: manifest)
            let live = Array(recipes.values)
            let (fresh, kept) = (
                Sample.catalog(live, in: manifest, manifestRevision: manifestRevision),
                Sample.catalog(live, in: manifest, manifestRevision: manifestRevision, after: previous)
            )
            #expect(texts(kept) == texts(fresh))
            #expect(kept.malformed == fresh.malformed && kept.oversized == fresh.oversized)
            previous = kept
        }
    }

    private func message(style: String = "S", trigger: String = "A", text: String = "t") -> JSONValue {
        [
            "messages": [
                "{experiment}": [
                    "text": .string(text), "style": .string(style), "trigger-if-all": [.string(trigger)],
                    "experiment": "{experiment}",
                ]
            ]
        ]
    }

    private let names: JSONValue = [
        "styles": ["S": ["priority": 60], "T": ["priority": 70]], "triggers": ["A": "age > 1", "B": "age > 2"],
    ]

    /// The keys of messages that are not made anew when a recipe is published, or taken away by null, beside `names` and three
    /// with a message each: `a` of style S and trigger A, `b` of T and A, `c` of S and B.
    private func kept(after slug: String, _ document: JSONValue) throws -> [String] {
        let manifest = try Sample.manifest()
        var documents: [String: JSONValue] = [
            "names": names, "a": message(), "b": message(style: "T"), "c": message(trigger: "B"),
        ]
        func catalog(after previous: Catalog?, revision: Int) throws -> Catalog {
            let recipes = try documents.map { other, document in
                try Sample.recipe(
                    document, slug: other, revision: other == slug ? revision : 1, in: manifest)
            }
            return Sample.catalog(recipes, in: manifest, after: previous)
        }
        let first = try catalog(after: nil, revision: 1)
        documents[slug] = document == .null ? .none : .some(document)
        let second = try catalog(after: first, revision: 2)
        return second.messages.map(\.key).filter { key in
            let drafts = [first, second].map { $0.drafts.drafts[ByteKey(text: key)] }
            return drafts[0] != nil && drafts[0] === drafts[1]
        }.sorted()
    }

    @Test func onlyMessagesThatNameSomethingChangedAreMadeAnew() throws {
        #expect(try kept(after: "d", message(text: "another")) == ["a", "b", "c"])
        #expect(try kept(after: "a", message(text: "another")) == ["b", "c"])
        #expect(try kept(after: "a", nil) == ["b", "c"])
        #expect(try kept(after: "d", ["styles": ["T": ["priority": 80]]]) == ["a", "c"])
        #expect(try kept(after: "d", ["triggers": ["A": "age > 3"]]) == ["c"])
        #expect(try kept(after: "d", ["messages": ["b": ["title": "patched"]]]) == ["a", "c"])
        #expect(try kept(after: "d", ["actions": ["X": "://x"]]) == ["a", "b", "c"])
        // Something else in the place of a map takes everyone's entries away.
        #expect(try kept(after: "d", ["styles": 7]) == [])
    }

    @Test func anotherManifestMakesAllAnew() throws {
        let documents: KeyValuePairs<String, JSONValue> = ["names": names, "a": message()]
        let first = try Sample.catalog(documents, in: Sample.manifest())
        let same = try Sample.catalog(documents, in: Sample.manifest(), after: first)
        let other = try Sample.catalog(documents, in: Sample.manifest(["short_name": "Other"]), after: first)
        let drafts = [first, same, other].map { $0.drafts.drafts[ByteKey(text: "a")] }
        #expect(drafts[0] != nil && drafts[0] === drafts[1] && drafts[0] !== drafts[2])
    }

    /// Whom an experiment's message is for depends on that experiment's place among the others.
    @Test func whatDiffersBetweenClientsIsMadeAnew() throws {
        let manifest = try Sample.manifest()
        let experiment = try SampleExperiment.messaging("e", [message()], in: manifest)
        let recipes = [try Sample.recipe(names, slug: "names", in: manifest), experiment]
        let first = Sample.catalog(recipes, in: manifest)
        #expect(first.messages.map(\.key) == ["e"] && first.drafts.drafts.isEmpty)
    }
}
