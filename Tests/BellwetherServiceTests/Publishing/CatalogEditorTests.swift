import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The outcomes of publishing, and the resulting catalog (docs/reference/http-api.md#recipes).
@Suite struct CatalogEditorTests {
    private static let recipe: JSONValue = ["messages": ["m": ["surface": "microsurvey", "text": "t"]]]
    private static let other: JSONValue = ["messages": ["m": ["surface": "microsurvey", "text": "u"]]]

    private var editing = Editing()

    init() throws { try editing.manifest() }

    @Test mutating func createdChangedUnchanged() throws {
        let created = try editing.recipe("e", Self.recipe)
        #expect(created?.effect == .created && created?.revision == 1 && created?.state == .live)
        let count = editing.changes.count
        let revision = editing.snapshot?.catalog.revision
        let same = try editing.recipe("e", Self.recipe)
        #expect(same?.effect == .unchanged && same?.revision == 1 && editing.changes.count == count)
        #expect(editing.snapshot?.catalog.revision == revision)
        let spaced = try editing.put(
            .putRecipe(
                slug: "e", Array(#"{ "messages" : {"m": {"text": "t", "surface": "microsurvey"}}}"#.utf8),
                asDraft: false))
        #expect(spaced?.effect == .unchanged, "the document says the same")
        let changed = try editing.recipe("e", Self.other)
        #expect(changed?.effect == .changed && changed?.revision == 2)
        #expect(editing.snapshot?.catalog.message("m")?.definition.text == "u")
        #expect(editing.snapshot?.catalog.revision == revision.map { $0 + 1 })
    }

    /// A change that makes the catalog smaller is accepted, whatever the catalog's size.
    @Test mutating func theCatalogHasABound() throws {
        let large = JSONValue.string(String(repeating: "x", count: 10_000))
        editing.catalogBytes = 25_000
        var document = try #require(Self.recipe.object)
        document["x-note"] = large
        try editing.recipe("e", .object(document))
        let strings: JSONValue = ["T": ["k": large]]
        let put = PublishRequest.Change.putStrings(locale: "de", strings.encoded)
        #expect(editing.refusal(put)?.name == "tooLarge", "each collection has a copy of the recipe")
        try editing.manifest(["collections": []])
        #expect(try editing.put(put)?.effect == .created)
        editing.catalogBytes = 100
        #expect(editing.refusal(.putRecipe(slug: "f", Self.other.encoded, asDraft: false))?.name == "tooLarge")
        #expect(try editing.recipe("e", Self.other)?.effect == .changed)
        try editing.put(.deleteStrings(locale: "de"))
    }

    @Test mutating func manifestAndStringsToo() throws {
        #expect(try editing.manifest()?.effect == .unchanged)
        let manifest = try editing.manifest(["short_name": "New"])
        #expect(manifest?.effect == .changed && manifest?.revision == 2 && manifest?.state == nil)
        let strings: JSONValue = ["T": ["k": "v"]]
        let created = try editing.put(.putStrings(locale: "de", strings.encoded))
        #expect(created?.effect == .created && created?.revision == 1)
        #expect(try editing.put(.putStrings(locale: "de", strings.encoded))?.effect == .unchanged)
        #expect(try editing.put(.putStrings(locale: "de", Array("{}".utf8)))?.revision == 2)
        _ = try editing.put(.deleteStrings(locale: "de"))
        #expect(editing.snapshot?.strings.localeNames == [])
    }

    @Test mutating func draftsStayDrafts() throws {
        let draft = try editing.recipe("e", Self.recipe, draft: true)
        #expect(draft?.state == .draft && editing.messages.isEmpty)
        #expect(try editing.recipe("e", Self.other)?.state == .draft, "an existing one keeps its state")
        #expect(try editing.recipe("e", Self.recipe, draft: true)?.revision == 3)
    }

    @Test(arguments: ["", "{", "[1,]", "{\"a\":1,\"a\":2}", "\u{FEFF}{}"])
    mutating func notJSON(_ text: String) throws {
        #expect(editing.refusal(.putRecipe(slug: "e", Array(text.utf8), asDraft: false))?.name == "malformed")
        #expect(editing.refusal(.putManifest(Array(text.utf8)))?.name == "malformed")
        #expect(editing.refusal(.putStrings(locale: "de", Array(text.utf8)))?.name == "malformed")
    }

    @Test mutating func faultsRefuse() throws {
        let faulty: JSONValue = ["slug": "x", "triggers": ["T": "!true"]]
        #expect(
            editing.refusal(.putRecipe(slug: "e", faulty.encoded, asDraft: false))?.faultLocations == [
                "slug_mismatch /slug", "jexl_parse /triggers/T",
            ])
        #expect(editing.refusal(.putStrings(locale: "d e", Array("{}".utf8)))?.faultLocations == ["locale "])
        #expect(editing.refusal(.putManifest(Array("{}".utf8)))?.name == "faults")
    }

    @Test mutating func strictMakesWarningsFaults() throws {
        let warned: JSONValue = ["messages": ["m": ["text": "t", "style": "NOPE", "trigger": ["ALWAYS"]]]]
        #expect(
            editing.refusal(.putRecipe(slug: "e", warned.encoded, asDraft: false), strict: true)?.faultLocations == [
                "alias /messages/m/trigger", "unknown_style /messages/m/style",
            ])
        #expect(editing.messages.isEmpty)
        let receipt = try editing.recipe("e", warned)
        #expect(receipt?.warningLocations == ["alias /messages/m/trigger", "unknown_style /messages/m/style"])
        #expect(editing.refusal(.putRecipe(slug: "e", warned.encoded, asDraft: false), strict: true)?.name == "faults")
    }

    @Test mutating func ifMatchGuards() throws {
        try editing.recipe("e", Self.recipe)
        let text = Self.other.encoded
        #expect(
            editing.refusal(.putRecipe(slug: "e", text, asDraft: false), expecting: 2)?.name == "preconditionFailed 1")
        #expect(
            editing.refusal(.putRecipe(slug: "f", text, asDraft: false), expecting: 1)?.name == "preconditionFailed 0")
        #expect(editing.refusal(.deleteRecipe(slug: "e"), expecting: 2)?.name == "preconditionFailed 1")
        #expect(
            editing.refusal(.putManifest(SampleManifest.with().encoded), expecting: 7)?.name == "preconditionFailed 1")
        #expect(try editing.recipe("e", Self.other, expecting: 1)?.revision == 2)
        _ = try editing.put(.deleteRecipe(slug: "e"), expecting: 2)
        #expect(editing.messages.isEmpty)
    }

    @Test mutating func unknownThings() throws {
        #expect(editing.refusal(.deleteRecipe(slug: "e"))?.name == "notFound")
        #expect(editing.refusal(.deleteStrings(locale: "de"))?.name == "notFound")
        _ = try editing.put(.deleteManifest)
        #expect(editing.refusal(.deleteManifest)?.name == "unknownApp")
        #expect(editing.refusal(.putRecipe(slug: "e", Self.recipe.encoded, asDraft: false))?.name == "unknownApp")
        #expect(editing.refusal(.putStrings(locale: "de", Array("{}".utf8)))?.name == "unknownApp")
    }

    @Test mutating func numbersOfADeletedRecipeGoOn() throws {
        try editing.recipe("e", Self.recipe)
        try editing.recipe("e", Self.other)
        _ = try editing.put(.deleteRecipe(slug: "e"))
        let again = try editing.recipe("e", Self.recipe)
        #expect(again?.effect == .created && again?.revision == 3)
        editing.restart()
        _ = try editing.put(.deleteRecipe(slug: "e"))
        editing.restart()
        #expect(try editing.recipe("e", Self.recipe)?.revision == 4)
    }

    @Test mutating func deletedAppsNumbersGoOn() throws {
        try editing.recipe("e", Self.recipe)
        let revision = try #require(editing.snapshot?.catalog.revision)
        _ = try editing.put(.deleteManifest)
        #expect(editing.snapshot == nil)
        for isRestarted in [false, true] {
            if isRestarted { editing.restart() }
            var again = editing
            let manifest = try again.manifest()
            #expect(manifest?.effect == .created && manifest?.revision ?? 0 > 1)
            #expect(try again.recipe("e", Self.recipe)?.revision == 2)
            #expect(try #require(again.snapshot?.catalog.revision) > revision)
            #expect(again.snapshot?.facts(of: "m") != nil)
        }
    }

    @Test mutating func editIsAValue() throws {
        try editing.recipe("e", Self.recipe)
        var editor = CatalogEditor(editing.catalog, source: .api, now: Scene.start)
        _ = try editor.apply(PublishRequest(app: "sample", change: .deleteManifest))
        #expect(editor.catalog.snapshots.isEmpty && editing.messages == ["m"])
    }
}
