import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Many recipes in one request (docs/reference/http-api.md#batches). Each recipe has its own result, and all together
/// are one publish.
@Suite struct RecipeBatchTests {
    private var editing = Editing()

    init() throws { try editing.manifest() }

    private static func recipe(_ slug: Identifier, _ key: String, _ more: String = "") -> String {
        #"{"slug": "\#(slug)", "messages": {"\#(key)": {"surface": "microsurvey", "text": "t"\#(more)}}}"#
    }

    private static func batch(_ recipes: String...) -> String { #"{"data": [\#(recipes.joined(separator: ",\n"))]}"# }

    private func told(_ results: [RecipeResult]) -> [String] {
        results.map { result in
            switch result.outcome {
            case .success(let receipt):
                "\(result.slug ?? "-") \(receipt.effect) \(receipt.revision) \(receipt.warningLocations)"
            case .failure(let refusal): "\(result.slug ?? "-") \(refusal.name) \(refusal.faultLocations)"
            }
        }
    }

    @Test mutating func aBadRecipeIsRefusedAlone() throws {
        let results = try editing.batch(
            Self.batch(
                Self.recipe("a", "m"), #"{"slug": "b", "messages": 1, "triggers": {"T": "!true"}}"#,
                Self.recipe("c", "n")))
        #expect(told(results)[0] == "a created 1 []")
        #expect(results[1].isRefused && told(results)[1].contains("jexl_parse /triggers/T"))
        #expect(told(results)[2] == "c created 1 []")
        #expect(editing.messages.sorted() == ["m", "n"])
    }

    @Test mutating func theyAreOnePublish() throws {
        let revision = try #require(editing.snapshot?.catalog.revision)
        let count = editing.changes.count
        _ = try editing.batch(Self.batch(Self.recipe("a", "m"), Self.recipe("b", "n"), Self.recipe("c", "o")))
        #expect(editing.snapshot?.catalog.revision == revision + 1)
        let changes = editing.changes.dropFirst(count)
        #expect(changes.count { if case .recipe = $0 { true } else { false } } == 3)
        #expect(changes.count { if case .revision = $0 { true } else { false } } == 1)
        editing.restart()
        #expect(editing.messages.sorted() == ["m", "n", "o"])
    }

    @Test mutating func theLaterOfOneSlugIsAppliedAfterTheEarlier() throws {
        let results = try editing.batch(
            Self.batch(Self.recipe("a", "m"), Self.recipe("a", "n"), Self.recipe("a", "n"), #"{"slug": "a"}"#))
        #expect(told(results).prefix(3) == ["a created 1 []", "a changed 2 []", "a unchanged 2 []"])
        #expect(results[3].isRefused)
        #expect(editing.messages == ["n"])
        editing.restart()
        #expect(editing.messages == ["n"])
    }

    @Test mutating func theTextIsKeptAsItWasWritten() throws {
        let text = #"{ "slug":"a", "x": 1.50, "big": 12345678901234567890123, "messages" : {"m":{"text":"t"} } }"#
        _ = try editing.batch(Self.batch(text))
        #expect(String(decoding: editing.snapshot?.recipes["a"]?.stored.document.text ?? [], as: UTF8.self) == text)
    }

    @Test(arguments: [
        "[]", "1", "{}", #"{"changes": []}"#, #"{"data": {}}"#, #"{"data": null}"#,
    ])
    mutating func withoutAListItIsRefusedWhole(_ text: String) {
        #expect(editing.refusal(.putRecipes(Array(text.utf8)))?.name == "envelope")
    }

    @Test(arguments: ["", "{", #"{"data":[1}"#, #"{"data":[],"data":[]}"#, #"{"data":[]} x"#])
    mutating func whatIsNotJSONIsRefusedWhole(_ text: String) {
        #expect(editing.refusal(.putRecipes(Array(text.utf8)))?.name == "malformed")
    }

    @Test mutating func entriesWithoutASlugAreRefusedAlone() throws {
        let results = try editing.batch(
            Self.batch(
                "1", "{}", #"{"slug": 1}"#, #"{"slug": ""}"#, #"{"slug": "a\u0001"}"#, Self.recipe("a", "m")))
        #expect(results.map(\.isRefused) == [true, true, true, true, true, false])
        for result in results.dropLast() {
            guard case .failure(.envelope(let faults)) = result.outcome else {
                Issue.record("\(result)")
                continue
            }
            #expect(faults.count == 1)
        }
        #expect(editing.messages == ["m"])
    }

    @Test mutating func namesOfRoutesAreRefusedAlone() throws {
        let results = try editing.batch(
            Self.batch(Self.recipe("validate", "v"), Self.recipe("forecast", "f"), Self.recipe("a", "m")))
        #expect(results.map(\.isRefused) == [true, true, false])
        for result in results.dropLast() {
            guard case .failure(.faults(let faults, _)) = result.outcome else {
                Issue.record("\(result)")
                continue
            }
            #expect(faults.map(\.code) == ["reserved"] && faults[0].pointer.description == "/slug")
        }
        #expect(editing.messages == ["m"])
    }

    @Test mutating func thereIsALimit() throws {
        let one = Self.recipe("a", "m")
        let most = Array(repeating: one, count: RecipeBatch.maximum).joined(separator: ",")
        #expect(editing.refusal(.putRecipes(Array("{\"data\":[\(most),\(one)]}".utf8)))?.name == "faults")
        #expect(editing.snapshot?.recipes.isEmpty == true)
        #expect(try editing.batch("{\"data\":[\(most)]}").count == RecipeBatch.maximum)
        #expect(try editing.batch("{\"data\":[]}").isEmpty)
    }

    @Test mutating func aRecipeMayBeAsDeepAsOneThatComesAlone() throws {
        func nested(_ depth: Int) -> String {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return #"{"slug": "a", "x": \#(value), "messages": {}}"#
        }
        #expect(try editing.batch(Self.batch(nested(63)))[0].isRefused == false)
        #expect(editing.refusal(.putRecipes(Array(Self.batch(nested(64)).utf8)))?.name == "malformed")
        #expect(editing.refusal(.putRecipe(slug: "a", Array(nested(64).utf8), asDraft: false))?.name == "malformed")
    }

    @Test mutating func anUnknownAppIsRefusedWhole() throws {
        _ = try editing.put(.deleteManifest)
        #expect(editing.refusal(.putRecipes(Array(Self.batch().utf8)))?.name == "unknownApp")
    }

    @Test mutating func whereApprovalIsNeededAllAreDrafts() throws {
        editing.requiresApproval = true
        #expect(told(try editing.batch(Self.batch(Self.recipe("a", "m")))) == ["a created 1 []"])
        #expect(editing.snapshot?.recipes["a"]?.stored.state == .draft && editing.messages.isEmpty)
        #expect(editing.refusal(.setState(slug: "a", .live))?.name == "ownRevision")
    }

    @Test mutating func whatAFileHoldsIsReadOnly() throws {
        var files = FileCatalog()
        files.apps[editing.app] = .init()
        files.apps[editing.app]?.recipes["f"] = .init(path: "f.json", text: Array(Self.recipe("f", "m").utf8))
        editing.load(files)
        let results = try editing.batch(Self.batch(Self.recipe("f", "n"), Self.recipe("a", "o")))
        #expect(told(results) == ["f readOnly [\"readOnly\"]", "a created 1 [\"priority_tie /messages/o\"]"])
    }

    @Test mutating func whatBecomesMalformedIsWarnedOfOnceWhereItIs() throws {
        let lost = #", "style": "S""#
        let results = try editing.batch(
            Self.batch(Self.recipe("a", "m", lost), Self.recipe("b", "n"), Self.recipe("c", "m", lost)))
        #expect(results.allSatisfy { !$0.isRefused })
        let warnings = told(results)
        #expect(warnings[0].contains("unknown_style") && warnings[2].contains("unknown_style"))
        #expect(warnings[1] == "b created 1 []")
    }

    /// A message outside of the batch depends on a style that the batch removes.
    @Test mutating func whatOthersLoseIsTheBatchs() throws {
        try editing.recipe("base", ["styles": ["S": ["priority": 1, "max-display-count": 1]]])
        try editing.recipe("other", ["messages": ["m": ["surface": "microsurvey", "text": "t", "style": "S"]]])
        let text = Self.batch(#"{"slug": "base", "styles": {}}"#, Self.recipe("a", "n"))
        var lenient = editing
        let results = try lenient.batch(text)
        #expect(told(results) == ["base changed 2 []", "a created 1 [\"malformed \"]"])
        let strict = try editing.batch(text, strict: true)
        #expect(told(strict) == ["base faults [\"malformed \"]", "a created 1 []"])
        #expect(editing.snapshot?.catalog.malformed.isEmpty == true)
    }

    @Test mutating func strictRefusesOnlyWhatIsWarnedOf() throws {
        let results = try editing.batch(
            Self.batch(Self.recipe("a", "m"), Self.recipe("b", "n", #", "style": "S""#), Self.recipe("c", "o")),
            strict: true)
        #expect(results.map(\.isRefused) == [false, true, false])
        #expect(told(results)[1] == "b faults [\"unknown_style /messages/n/style\"]")
        #expect(editing.messages.sorted() == ["m", "o"])
    }

    /// The branches of two recipes patch different members of one message, which needs more variants than a message may
    /// have.
    @Test mutating func whatCouldNotBeServedIsRefusedAlone() throws {
        try editing.manifest(["messaging": ["messages": ["m": ["surface": "microsurvey", "text": "t"]]]])
        func recipe(_ slug: Identifier) -> JSONValue {
            let branches = (0..<200).map { number -> JSONValue in
                let value: JSONValue = ["messages": ["m": ["action-params": ["\(slug)\(number)": "x"]]]]
                return [
                    "slug": .string("\(number)"), "ratio": 1, "features": [["featureId": "messaging", "value": value]],
                ]
            }
            return Shelf.recipe(slug, ["branches": .array(branches)])
        }
        let text = Self.batch(recipe("a").text, Self.recipe("c", "n"), recipe("b").text, Self.recipe("d", "o"))
        #expect(
            told(try editing.batch(text)) == [
                "a created 1 []", "c created 1 [\"priority_tie /messages/n\"]",
                "b faults [\"too_many_forms /branches/0/features/0/value/messages/m\"]",
                "d created 1 [\"priority_tie /messages/o\"]",
            ])
        #expect(editing.snapshot?.catalog.oversized.isEmpty == true && Set(editing.messages) == ["m", "n", "o"])
        let alone = PublishRequest.Change.putRecipe(slug: "b", recipe("b").encoded, asDraft: false)
        #expect(editing.refusal(alone)?.name == "faults", "as it would be alone")
    }

    /// Each recipe removes a style that a message outside of the batch needs. The search for the causes has a limit.
    @Test mutating func aHopelessBatchIsGivenUp() throws {
        let all = 0..<90
        let styles = all.map {
            "{\"slug\": \"s\($0)\", \"styles\": {\"S\($0)\": {\"priority\": 1, \"max-display-count\": 1}}}"
        }
        let users = all.map { Self.recipe("u\($0)", "m\($0)", ", \"style\": \"S\($0)\"") }
        _ = try editing.batch("{\"data\": [\((styles + users).joined(separator: ","))]}")
        #expect(editing.snapshot?.catalog.malformed.isEmpty == true)
        let bad = all.map { "{\"slug\": \"s\($0)\", \"styles\": {}}" }
        let results = told(try editing.batch("{\"data\": [\(bad.joined(separator: ","))]}", strict: true))
        #expect(results.contains("s0 faults [\"malformed \"]") && results.contains("s89 faults [\"undecided \"]"))
        #expect(results.allSatisfy { $0.contains("faults") } && results.count == 90)
        #expect(editing.messages.count == 90 && editing.snapshot?.catalog.malformed.isEmpty == true)
    }

    /// In strict batches too, a recipe may use names that another recipe of the batch defines.
    @Test mutating func recipesMayNeedOneAnother() throws {
        let style = #"{"slug": "s", "styles": {"S": {"priority": 1, "max-display-count": 1}}}"#
        let gone = #"{"slug": "s", "styles": {}}"#
        let user = #"{"slug": "u", "messages": {"m": {"surface": "microsurvey", "text": "t"}}}"#
        #expect(try editing.batch(Self.batch(user, style, gone), strict: true).allSatisfy { !$0.isRefused })
    }
}
