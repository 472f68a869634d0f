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
        func words(_ requirement: FormRequirement) -> String { "\(requirement.diagram.levels) \(requirement.form)" }
        return catalog.messages.map { message in
            """
            \(message.key) \(message.revision) \(message.definition) \(message.style) \(String(describing: message.action))
            \(sources(message.triggers)) \(sources(message.exclusions)) \(message.facts) \(message.requirements.map(words))
            """
        }
    }

    @Test(arguments: 0..<150)
    func publishesMakeNoDifference(_ seed: UInt64) throws {
        var generator = PatchGenerator(random: SeededGenerator(seed: seed))
        var manifest = try Sample.manifest(messaging: generator.value())
        var manifestRevision = 1
        var recipes: [String: Recipe] = [:]
        var previous: Edition?
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
            let fresh = Sample.edition(live, in: manifest, manifestRevision: manifestRevision)
            let kept = Sample.edition(live, in: manifest, manifestRevision: manifestRevision, after: previous)
            #expect(texts(kept.catalog) == texts(fresh.catalog))
            #expect(kept.catalog.malformed.map(\.facts) == fresh.catalog.malformed.map(\.facts))
            #expect(kept.catalog.malformed.map(\.reason) == fresh.catalog.malformed.map(\.reason))
            #expect(kept.catalog.oversized == fresh.catalog.oversized)
            #expect(kept.catalog.isVaried == fresh.catalog.isVaried)
            #expect(kept.enrollmentDigest == fresh.enrollmentDigest)
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

    /// The keys of messages that are not made anew when a recipe is published, or taken away by null, beside `names`
    /// and three with a message each: `a` of style S and trigger A, `b` of T and A, `c` of S and B.
    private func kept(after slug: String, _ document: JSONValue) throws -> [String] {
        let manifest = try Sample.manifest()
        var documents: [String: JSONValue] = [
            "names": names, "a": message(), "b": message(style: "T"), "c": message(trigger: "B"),
        ]
        func edition(after previous: Edition?, revision: Int) throws -> Edition {
            let recipes = try documents.map { other, document in
                try Sample.recipe(
                    document, slug: other, revision: other == slug ? revision : 1, in: manifest)
            }
            return Sample.edition(recipes, in: manifest, after: previous)
        }
        let first = try edition(after: nil, revision: 1)
        documents[slug] = document == .null ? .none : .some(document)
        return Self.kept(from: first, to: try edition(after: first, revision: 2))
    }

    private static func kept(from first: Edition, to second: Edition) -> [String] {
        func drafts(_ key: String, _ edition: Edition) -> [ObjectIdentifier] {
            edition.catalog.drafts.messages[ByteKey(text: key)]?.drafts.map(ObjectIdentifier.init) ?? []
        }
        let keys = Set(second.catalog.messages.map(\.key))
        return keys.filter { !drafts($0, first).isEmpty && drafts($0, first) == drafts($0, second) }.sorted()
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
        func edition(_ manifest: Manifest, after previous: Edition?) throws -> Edition {
            let recipes = try [("names", names), ("a", message())].map { slug, document in
                try Sample.recipe(document, slug: slug, in: manifest)
            }
            return Sample.edition(recipes, in: manifest, after: previous)
        }
        let first = try edition(Sample.manifest(), after: nil)
        #expect(Self.kept(from: first, to: try edition(Sample.manifest(), after: first)) == ["a"])
        let other = try edition(Sample.manifest(["short_name": "Other"]), after: first)
        #expect(Self.kept(from: first, to: other) == [])
    }

    /// Whom an experiment's message is for depends on that experiment's place among the others.
    @Test func whatDiffersBetweenClientsIsKeptAsLongAsExperimentsStandWhereTheyStood() throws {
        let manifest = try Sample.manifest()
        func experiment(_ slug: String) throws -> Recipe {
            try SampleExperiment.messaging(slug, [message(), message(text: "u")], in: manifest)
        }
        func bare(_ slug: String, _ document: JSONValue, revision: Int = 1) throws -> Recipe {
            try Sample.recipe(document, slug: slug, revision: revision, in: manifest)
        }
        let live = [try bare("names", names), try experiment("e"), try bare("a", message())]
        let first = Sample.edition(live, in: manifest)
        #expect(first.catalog.messages.map(\.key) == ["a", "e", "e"] && first.catalog.isVaried)
        func kept(beside others: Recipe...) -> [String] {
            Self.kept(from: first, to: Sample.edition(live + others, in: manifest, after: first))
        }
        #expect(kept() == ["a", "e"])
        #expect(try kept(beside: bare("d", ["actions": ["X": "://x"]])) == ["a"], "everyone is in d: another set")
        #expect(try kept(beside: experiment("d")) == ["a"])
        let changed = Sample.edition(
            [live[0], live[1], try bare("a", message(text: "another"), revision: 2)], in: manifest, after: first)
        #expect(Self.kept(from: first, to: changed) == ["e"])
        #expect(changed.experiments === first.experiments)
        let patched = Sample.edition(
            [try bare("names", ["triggers": ["A": "age > 3"]], revision: 2), live[1], live[2]], in: manifest,
            after: first)
        #expect(Self.kept(from: first, to: patched) == [])
    }
}
