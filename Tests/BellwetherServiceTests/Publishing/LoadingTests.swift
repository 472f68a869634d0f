import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Surveys
import Testing

@testable import BellwetherService

/// Stored documents are read at the start; unreadable ones are left out and named in the log.
@Suite struct LoadingTests {
    private var editing = Editing()

    private static func document(_ text: String, revision: Int = 1) -> StoredDocument {
        StoredDocument(revision: revision, source: .api, text: Array(text.utf8), publishedAt: Scene.start)
    }

    private func load(_ app: StoredApp) -> (catalog: PublishedCatalog, failures: [String]) {
        var failures: [String] = []
        let catalog = PublishedCatalog.load(StoredCatalog(apps: [app]), at: Scene.start, failures: &failures)
        return (catalog, failures)
    }

    @Test mutating func everythingComesBack() throws {
        try editing.manifest()
        try editing.recipe("e", ["messages": ["m": ["surface": "microsurvey", "text": "t"]]])
        try editing.recipe("d", ["messages": ["n": ["text": "t"]]], draft: true)
        _ = try editing.put(.putStrings(locale: "de", Array(#"{"T": {"k": "v"}}"#.utf8)))
        let before = try #require(editing.snapshot)
        editing.restart()
        let after = try #require(editing.snapshot)
        #expect(editing.failures.isEmpty)
        #expect(after.catalog.revision == before.catalog.revision && after.catalog.messages.map(\.key) == ["m"])
        #expect(after.recipes["d"]?.stored.state == .draft && after.strings.localeNames == ["de"])
        // The author of a document is in its history, which a start does not load.
        #expect(after.manifestDocument.text == before.manifestDocument.text)
        #expect(after.manifestDocument.publishedAt == before.manifestDocument.publishedAt)
        #expect(after.facts(of: "m") == before.facts(of: "m"))
    }

    @Test func unreadableRecipeIsLeftOutAndItsNumbersGoOn() throws {
        let good = Self.document(#"{"messages": {"m": {"text": "t"}}}"#)
        let app = StoredApp(
            name: "sample", revision: 7, manifest: Self.document(SampleManifest.with().text),
            strings: ["de": Self.document("[]")],
            recipes: [
                StoredRecipe(slug: "good", state: .live, document: good),
                StoredRecipe(
                    slug: "bad", state: .live, document: Self.document(#"{"triggers": {"T": "!"}}"#, revision: 4)),
            ])
        let (catalog, failures) = load(app)
        #expect(
            failures.count == 2 && failures.contains { $0.contains("sample/recipes/bad") && $0.contains("/triggers/T") }
        )
        #expect(catalog.snapshots["sample"]?.catalog.messages.map(\.key) == ["m"])
        #expect(catalog.snapshots["sample"]?.catalog.revision == 7)
        var editor = CatalogEditor(catalog, source: .api, now: Scene.start)
        let change = PublishRequest.Change.putRecipe(slug: "bad", good.text, asDraft: false)
        guard case .stored(let receipt) = try editor.apply(PublishRequest(app: "sample", change: change)) else {
            throw SceneError()
        }
        #expect(receipt.revision == 5)
    }

    /// Older versions accepted such patterns, and could then not start.
    @Test func patternsThatRepeatTooMuchAreServedAndMatchNothing() throws {
        let pattern = "((((){1000}){1000}){1000}){1000}"
        let flow = """
            {"kind": "flow", "name": "F", "steps": [{"id": "s", "type": "form", "config": {"fields": [
                {"id": "a", "type": "text", "validation": {"pattern": "\(pattern)"}}]}}]}
            """
        let survey = """
            {"kind": "questionnaire", "name": "Q", "schema": {"version": 1, "questions": [
                {"id": "t", "type": "text", "title": "T?"}]}, "offer": {"surface": "homescreen", "text": "t", "pacing": {
                "quotas": [{"name": "n", "limit": 1, "when": {"not": {
                    "ref": "answer.t", "op": "matches", "value": "\(pattern)"}}}]}}}
            """
        let recipes = ["f": flow, "q": survey].map { slug, text in
            StoredRecipe(slug: slug, state: .live, document: Self.document(text))
        }
        let app = StoredApp(
            name: "sample", revision: 7, manifest: Self.document(SampleManifest.with().text), recipes: recipes)
        let (catalog, failures) = load(app)
        #expect(failures.isEmpty, "\(failures)")
        let snapshot = try #require(catalog.snapshots["sample"])
        let definition = try #require(snapshot.recipes["f"]?.flow?.definition)
        let run = definition.start(FlowStart(), at: Scene.start).run
        let refusal = #expect(throws: FlowRefusal.self) {
            try definition.advance(run, FlowAction(.next, at: "s", ["a": "x"]), at: Scene.start)
        }
        #expect(refusal?.faults().map(\.code) == ["pattern"])
        let limits = try #require(snapshot.responseLimits.all.first)
        var budget = EvaluationBudget.wholeSave
        #expect(limits.judge(ConditionFacts(answers: ["t": "x"]), &budget) == [false])
    }

    @Test func unreadableManifestLeavesTheAppOut() throws {
        let app = StoredApp(
            name: "sample", revision: 7, manifest: Self.document("{}"),
            recipes: [StoredRecipe(slug: "e", state: .live, document: Self.document("{}", revision: 3))])
        let (catalog, failures) = load(app)
        #expect(failures.count == 1 && catalog.snapshots.isEmpty)
        var editor = CatalogEditor(catalog, source: .api, now: Scene.start)
        _ = try editor.apply(PublishRequest(app: "sample", change: .putManifest(SampleManifest.with().encoded)))
        #expect(editor.catalog.snapshots["sample"]?.catalog.revision == 8)
        #expect(editor.catalog.apps["sample"]?.retiredRevisions == ["e": 3])
    }

    @Test func deletedAppIsRemembered() throws {
        let known: JSONValue = [
            "surface": "microsurvey", "control": false, "microsurvey": true, "max_display_count": 1, "experiment": nil,
            "options": ["a"],
        ]
        let messages = [
            StoredMessage(key: "m", revision: 2, text: known.encoded),
            StoredMessage(key: "x", revision: 1, text: [0x7B]),
        ]
        let (catalog, failures) = load(StoredApp(name: "sample", revision: 3, messages: messages))
        #expect(failures.isEmpty && catalog.snapshots.isEmpty)
        #expect(catalog.retired["sample"]?.known.latest("m")?.options == ["a"])
        #expect(catalog.retired["sample"]?.known.latest("x") == nil)
    }
}
