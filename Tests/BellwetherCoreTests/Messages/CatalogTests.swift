import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// Merging (docs/reference/experiments.md#merging), and the order of selection (docs/reference/messaging.md#selection).
@Suite struct CatalogTests {
    private let manifest: Manifest

    init() throws {
        manifest = try Sample.manifest(messaging: [
            "messages": [
                "evergreen": ["text": "Evergreen", "title": "Title", "style": "CALM", "surface": "homescreen"]
            ],
            "styles": ["CALM": ["priority": 10, "max-display-count": 3]], "on-control": "show-none",
        ])
    }

    @Test func orderIsPriorityThenCodePoint() throws {
        let keys = ["b", "a", "\u{10000}", "\u{FFFD}", "e\u{301}", "\u{E9}", "B", "aa"]
        var messages = JSONObject()
        for key in keys { messages[key] = [:] }
        let catalog = try Sample.catalog(messages: messages)
        #expect(
            catalog.messages.map { Array($0.key.text.utf8) }
                == [
                    "B", "a", "aa", "b", "e\u{301}", "\u{E9}", "\u{FFFD}", "\u{10000}",
                ].map { Array($0.utf8) })
    }

    @Test func keysAreBytes() throws {
        let catalog = try Sample.catalog(messages: ["\u{E9}": ["text": "one"], "e\u{301}": ["text": "two"]])
        #expect(catalog.messages.count == 2)
        #expect(catalog.message("\u{E9}")?.definition.text == "one")
        #expect(catalog.message("e\u{301}")?.definition.text == "two")
    }

    @Test func patchInheritsTheRest() throws {
        let catalog = try Sample.catalog(
            ["e": ["messages": ["evergreen": ["trigger-if-all": ["NEVER"], "title": nil]]]], in: manifest)
        let message = try #require(catalog.message("evergreen")?.definition)
        #expect(message.text == "Evergreen" && message.title == nil && message.triggers == ["NEVER"])
        #expect(message.style == "CALM" && message.surface == "homescreen")
    }

    @Test func laterRecipeWinsFieldByField() throws {
        let catalog = try Sample.catalog(
            [
                "a": ["messages": ["m": ["text": "a", "title": "a"]], "styles": ["CALM": ["priority": 70]]],
                "b": ["messages": ["m": ["text": "b"], "n": ["text": "n"]]],
            ], in: manifest)
        #expect(catalog.message("m")?.definition.text == "b" && catalog.message("m")?.definition.title == "a")
        #expect(catalog.messages.map(\.key) == ["evergreen", "m", "n"], "a style is everyone's")
        #expect(catalog.message("evergreen")?.style == Style(priority: 70, maxDisplayCount: 3))
    }

    @Test func nullDeletes() throws {
        #expect(try Sample.catalog(["e": ["messages": ["evergreen": nil]]], in: manifest).messages.isEmpty)
        #expect(try Sample.catalog(["e": ["messages": nil]], in: manifest).messages.isEmpty)
    }

    @Test func nullOfALaterRecipeTakesAwayTheEarlierOnesOnly() throws {
        let catalog = try Sample.catalog(
            ["a": ["messages": ["evergreen": ["title": "Mine"]]], "b": ["messages": ["evergreen": nil]]], in: manifest)
        #expect(catalog.message("evergreen")?.definition.title == "Title")
    }

    @Test func recipeOverANullOfAnEarlierOneLiesOverTheManifest() throws {
        let catalog = try Sample.catalog(
            ["a": ["messages": ["evergreen": nil]], "b": ["messages": ["evergreen": ["title": "Mine"]]]], in: manifest)
        #expect(catalog.message("evergreen")?.definition.title == "Mine")
        #expect(catalog.message("evergreen")?.definition.text == "Evergreen")
    }

    @Test func wrongTypeLeavesTheManifestsValue() throws {
        let catalog = try Sample.catalog(
            [
                "e": [
                    "messages": ["evergreen": ["text": 5, "style": [], "surface": "nowhere"]],
                    "on-control": "sometimes",
                ]
            ],
            in: manifest)
        let message = try #require(catalog.message("evergreen")?.definition)
        #expect(message.text == "Evergreen" && message.style == "CALM" && message.surface == "homescreen")
        #expect(catalog.onControlOfAll == .showNone)
    }

    @Test func wrongTypeOfALaterRecipeCoversAnEarlierOne() throws {
        let catalog = try Sample.catalog(
            ["a": ["messages": ["evergreen": ["text": "Mine"]]], "b": ["messages": ["evergreen": ["text": 5]]]],
            in: manifest)
        #expect(catalog.message("evergreen")?.definition.text == "Evergreen")
    }

    @Test func arraysReplace() throws {
        let catalog = try Sample.catalog(
            [
                "a": ["messages": ["m": ["text": "t", "trigger-if-all": ["NEVER", "ALWAYS"]]]],
                "b": ["messages": ["m": ["trigger-if-all": []]]],
            ], in: manifest)
        #expect(catalog.message("m")?.definition.triggers == [])
    }

    @Test(arguments: [(nil, OnControl.showNone), ("show-next-message", .showNextMessage), ("never", .showNone)])
    func onControl(_ value: String?, _ expected: OnControl) throws {
        var recipe: JSONObject = ["messages": [:]]
        if let value { recipe["on-control"] = .string(value) }
        #expect(try Sample.catalog(["e": .object(recipe)], in: manifest).onControlOfAll == expected)
    }

    @Test func onControlIsToShowTheNextByDefault() throws {
        #expect(
            try Sample.catalog(["e": ["on-control": "never"]], in: Sample.manifest()).onControlOfAll == .showNextMessage
        )
    }

    @Test func experimentIsEachRecipesOwn() throws {
        let message: JSONValue = ["text": "t", "experiment": "{experiment}"]
        let catalog = try Sample.catalog(
            ["a": ["messages": ["{experiment}-m": message]], "b": ["messages": ["{experiment}-m": message]]],
            in: manifest)
        #expect(catalog.message("a-m")?.facts.enrollment == EnrolledBranch(slug: "a", branch: "rollout"))
        #expect(catalog.message("b-m")?.facts.enrollment == EnrolledBranch(slug: "b", branch: "rollout"))
        #expect(ClientBranches(catalog.experiments, .none).all.map(\.slug) == ["a", "b"])
    }

    @Test func experimentOfAnotherRecipeCountsToo() throws {
        let catalog = try Sample.catalog(
            [
                "a": ["messages": ["m": ["text": "t", "experiment": "b"]]], "b": ["messages": [:]],
                "c": ["messages": ["n": ["text": "t", "experiment": "gone"]]],
            ], in: manifest)
        #expect(catalog.message("m")?.facts.enrollment?.slug == "b")
        #expect(catalog.message("n")?.facts.enrollment == nil && catalog.message("n")?.facts.experiment == "gone")
    }

    @Test func revisionIsThatOfTheLastRecipeThatTouchesTheMessage() throws {
        func recipe(_ slug: Identifier, _ revision: Int, _ document: JSONValue) throws -> Recipe {
            let recipe = Recipe.read(
                document, slug: slug, revision: revision, manifest: manifest, findings: Findings())
            return try #require(recipe)
        }
        let catalog = Sample.catalog(
            [
                try recipe("a", 7, ["messages": ["m": ["text": "t"], "n": ["text": "t"]]]),
                try recipe("b", 2, ["messages": ["m": ["title": "x"]], "styles": [:]]),
            ], in: manifest, manifestRevision: 4, revision: 9)
        #expect(catalog.message("evergreen")?.revision == 4)
        #expect(catalog.message("m")?.revision == 2 && catalog.message("n")?.revision == 7)
        #expect(catalog.revision == 9)
    }

    @Test func expressionsAreCompiledOnce() throws {
        let catalog = try Sample.catalog(
            [
                "e": [
                    "triggers": ["A": "age > 1", "B": "age > 1", "C": "age >  1"],
                    "messages": ["m": ["text": "t", "trigger-if-all": ["A", "B"], "except-if-any": ["C", "A"]]],
                ]
            ], in: manifest)
        #expect(catalog.triggers.map(\.source) == ["true", "age > 1", "age >  1"])
        #expect(catalog.message("m")?.triggers.map(\.expression) == [1, 1])
    }

    @Test(
        arguments: [
            (nil, 50, 5), ([:], 50, 5), (["priority": 1.0], 50, 5), (["priority": -3, "max-display-count": 0], -3, 0),
        ]
            as [(JSONObject?, Int, Int)])
    func styleDefaults(_ fields: JSONObject?, _ priority: Int, _ cap: Int) throws {
        var recipe: JSONObject = ["messages": ["m": ["text": "t", "style": fields == nil ? "DEFAULT" : "S"]]]
        if let fields { recipe["styles"] = ["S": .object(fields)] }
        let catalog = try Sample.catalog(["e": .object(recipe)], in: manifest)
        #expect(catalog.message("m")?.style == Style(priority: priority, maxDisplayCount: cap))
    }
}

extension Catalog {
    /// The on-control rule for clients that are in no branch.
    fileprivate var onControlOfAll: OnControl { onControl(for: variants(for: .none)) }
}
