import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// An end in the past ends a recipe at once, whichever way it is written; a start after the end is a fault.
@Suite struct RecipeDateTests {
    private var editing = Editing()

    init() throws { try editing.manifest() }

    /// The clock of the tests is at 2026-03-10T12:00:00Z.
    private static func recipe(end: String?, start: String? = nil, text: String = "t") -> JSONValue {
        var dates: JSONObject = [:]
        dates["startDate"] = start.map(JSONValue.string)
        dates["endDate"] = end.map(JSONValue.string)
        return NimbusRecipe.experiment("e", ["a": NimbusRecipe.survey("m", ["text": .string(text)])], dates)
    }

    private static let over = recipe(end: "2026-03-10")
    private static let current = recipe(end: "2026-03-11")
    private static let reversed = recipe(end: "2026-04-01", start: "2026-04-02")
    private static let warning = ["end_passed /endDate"]
    private static let fault = ["dates /endDate"]

    private var stored: StoredRecipe? { editing.snapshot?.recipes["e"]?.stored }

    @Test mutating func `A new recipe whose end has passed is ended, and stays so after a restart`() throws {
        let receipt = try #require(try editing.recipe("e", Self.over))
        #expect(receipt.effect == .created && receipt.state == .ended && receipt.warningLocations == Self.warning)
        #expect(stored?.state == .ended && stored?.stateSince == editing.now && editing.messages == [])
        let count = editing.changes.count
        editing.restart()
        editing.follow()
        #expect(stored?.state == .ended && editing.changes.count == count, "there is nothing left to do")
        #expect(try editing.recipe("e", Self.over)?.effect == .unchanged)
    }

    @Test(arguments: [RecipeState.live, .paused])
    mutating func `A revision whose end has passed ends the recipe`(_ state: RecipeState) throws {
        try editing.recipe("e", Self.current)
        _ = try editing.put(.setState(slug: "e", state))
        let receipt = try editing.recipe("e", Self.over)
        #expect(receipt?.effect == .changed && receipt?.state == .ended && receipt?.warningLocations == Self.warning)
        #expect(stored?.state == .ended && editing.messages == [])
    }

    @Test mutating func `A draft whose end has passed ends the recipe when it is put live`() throws {
        try editing.recipe("e", Self.current)
        let draft = try editing.recipe("e", Self.over, draft: true)
        #expect(draft?.state == .draft && draft?.warningLocations == Self.warning && editing.messages == ["m"])
        let live = try editing.put(.setState(slug: "e", .live))
        #expect(live?.state == .ended && live?.warningLocations == Self.warning && editing.messages == [])
        #expect(stored?.inForce == nil && stored?.document.revision == 2)
    }

    @Test mutating func `A paused recipe whose end passes ends when it is put live`() throws {
        try editing.recipe("e", Self.current)
        _ = try editing.put(.setState(slug: "e", .paused))
        editing.now = editing.now.adding(seconds: Timestamp.secondsPerDay)
        let live = try editing.put(.setState(slug: "e", .live))
        #expect(live?.state == .ended && live?.warningLocations == Self.warning)
    }

    @Test mutating func `In a batch each recipe's dates are its own`() throws {
        func text(_ slug: Identifier, _ recipe: JSONValue) -> String {
            var document = recipe.object ?? [:]
            document["slug"] = .string(slug)
            return JSONValue.object(document).text
        }
        let results = try editing.batch(
            #"{"data": [\#(text("a", Self.over)), \#(text("b", Self.reversed)), \#(text("c", Self.current))]}"#)
        let receipts = results.map { try? $0.outcome.get() }
        #expect(receipts.map { $0?.state } == [.ended, nil, .live])
        #expect(receipts[0]?.warningLocations == Self.warning && receipts[2]?.warningLocations == [])
        guard case .failure(let refusal) = results[1].outcome else { throw Failure("b was published") }
        #expect(refusal.faultLocations == Self.fault)
    }

    @Test mutating func `A file's recipe whose end has passed is ended`() {
        var files = FileCatalog()
        files.apps["sample"] = FileCatalog.App()
        files.apps["sample"]?.manifest = FileCatalog.File(path: "manifest.json", text: SampleManifest.with().encoded)
        files.apps["sample"]?.recipes["e"] = FileCatalog.File(path: "e.json", text: Self.over.encoded)
        editing = Editing()
        editing.load(files)
        #expect(editing.failures == [] && stored?.state == .ended && editing.messages == [])
        files.apps["sample"]?.recipes["e"] = FileCatalog.File(path: "e.json", text: Self.reversed.encoded)
        editing.load(files)
        #expect(editing.failures == ["e.json: /endDate: endDate is before startDate"])
        #expect(stored?.document.text == Self.over.encoded, "what was loaded before stays")
    }

    @Test mutating func `An end before the start is a fault, wherever the recipe goes live`() throws {
        let put = PublishRequest.Change.putRecipe(slug: "e", Self.reversed.encoded, asDraft: false)
        #expect(editing.refusal(put)?.faultLocations == Self.fault)
        let draft = PublishRequest.Change.putRecipe(slug: "e", Self.reversed.encoded, asDraft: true)
        #expect(editing.refusal(draft)?.faultLocations == Self.fault)
        let same = try editing.recipe("e", Self.recipe(end: "2026-04-01", start: "2026-04-01"))
        #expect(same?.state == .live && same?.warningLocations == Self.fault)
    }

    /// A rule became stricter. A recipe that an older version accepted still loads, but cannot be published again.
    @Test mutating func `A stored recipe that ends before it starts still loads`() throws {
        let document = StoredDocument(revision: 1, source: .api, text: Self.reversed.encoded, publishedAt: Scene.start)
        let app = StoredApp(
            name: "sample", revision: 1,
            manifest: StoredDocument(
                revision: 1, source: .api, text: SampleManifest.with().encoded, publishedAt: Scene.start),
            recipes: [StoredRecipe(slug: "e", state: .paused, document: document)])
        var failures: [String] = []
        let catalog = PublishedCatalog.load(StoredCatalog(apps: [app]), at: Scene.start, failures: &failures)
        #expect(failures == [] && catalog.snapshots["sample"]?.recipes["e"]?.stored.state == .paused)
        var editor = CatalogEditor(catalog, source: .api, now: Scene.start)
        let live = PublishRequest(app: "sample", change: .setState(slug: "e", .live))
        let refusal = #expect(throws: PublishRefusal.self) { try editor.apply(live) }
        #expect(refusal?.faultLocations == Self.fault)
    }

    @Test mutating func `Strict refuses an end that has passed`() {
        let put = PublishRequest.Change.putRecipe(slug: "e", Self.over.encoded, asDraft: false)
        #expect(editing.refusal(put, strict: true)?.faultLocations == Self.warning)
    }

    @Test mutating func `Publishing to an ended recipe warns that nothing is served`() throws {
        try editing.recipe("e", Self.current)
        _ = try editing.put(.setState(slug: "e", .ended))
        let ended = ["recipe_ended "]
        for draft in [false, true] {
            let text = draft ? "draft" : "new"
            let receipt = try editing.recipe("e", Self.recipe(end: nil, text: text), draft: draft)
            #expect(receipt?.effect == .changed && receipt?.warningLocations == ended)
        }
        #expect(try editing.recipe("e", Self.recipe(end: nil, text: "draft"), draft: true)?.warningLocations == ended)
        #expect(try editing.recipe("e", Self.over)?.warningLocations == Self.warning, "its date says it already")
    }

    @Test mutating func `Each recipe of which nothing is served is named with its date`() throws {
        func told() -> [String] {
            (editing.snapshot?.unservedRecipes(at: editing.now) ?? []).map {
                "\($0.slug) \($0.reason) \($0.date?.rfc3339 ?? "?")"
            }
        }
        try editing.recipe("e", Self.current)
        #expect(told() == [])
        _ = try editing.put(.setState(slug: "e", .paused))
        #expect(told() == ["e paused 2026-03-10T12:00:00Z"])
        editing.now = editing.now.adding(seconds: 3600)
        #expect(told() == ["e paused 2026-03-10T12:00:00Z"])
        editing.now = editing.now.adding(seconds: Timestamp.secondsPerDay)
        editing.follow()
        #expect(told() == ["e ended 2026-03-11T00:00:00Z"], "when its time was over, not when the daemon saw it")
        try editing.recipe("d", ["messages": ["n": ["text": "t"]]], draft: true)
        let later = NimbusRecipe.experiment("f", ["a": NimbusRecipe.survey("o")], ["startDate": "2026-05-01"])
        try editing.recipe("f", later)
        try editing.recipe("g", ["messages": ["p": ["text": "t"]]])
        _ = try editing.put(.setState(slug: "g", .ended))
        editing.restart()
        #expect(
            told() == [
                "d draft 2026-03-11T13:00:00Z", "e ended 2026-03-11T00:00:00Z", "f scheduled 2026-05-01T00:00:00Z",
                "g ended 2026-03-11T13:00:00Z",
            ])
    }
}
