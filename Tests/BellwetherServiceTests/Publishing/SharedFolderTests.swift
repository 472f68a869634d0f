import BellwetherBase
import BellwetherJSON
import BellwetherService
import Logging
import StoreSupport
import Testing

/// Folders of a daemon with a shared store are pushed (docs/reference/http-api.md#files-that-the-daemon-reads).
@Suite struct SharedFolderTests {
    private let store = TestStore(sharing: .asked)

    private func publisher() -> Publisher {
        Publisher(store: store, clock: .system, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func files(_ recipes: [String: String]) -> FileCatalog {
        var app = FileCatalog.App()
        app.manifest = FileCatalog.File(path: "manifest.json", text: SampleManifest.with().encoded)
        for (slug, text) in recipes {
            let recipe: JSONValue = ["messages": ["\(slug)-m": ["surface": "microsurvey", "text": .string(text)]]]
            app.recipes[Identifier(slug)] = FileCatalog.File(path: "\(slug).json", text: recipe.encoded)
        }
        var files = FileCatalog()
        files.apps["sample"] = app
        return files
    }

    /// The stored recipes, by slug.
    private func stored() throws -> [Identifier: StoredRecipe] {
        let recipes = try store.loadCatalog().apps.first?.recipes ?? []
        return Dictionary(uniqueKeysWithValues: recipes.map { ($0.slug, $0) })
    }

    @Test func twoDaemonsDeleteNothingOfEachOther() throws {
        _ = try publisher().start(files(["a": "1", "both": "1"]))
        let snapshot = try publisher().start(files(["b": "1", "both": "2"]))
        #expect(Set(snapshot.apps["sample"]?.recipes.keys.map(\.self) ?? []) == ["a", "b", "both"])
        #expect(try stored().mapValues { $0.document.revision } == ["a": 1, "b": 1, "both": 2])
        #expect(try stored().values.allSatisfy { $0.document.source == .api && $0.state == .live })
        _ = try publisher().start(FileCatalog())
        #expect(try stored().count == 3)
    }

    @Test func anEqualDocumentMakesNoRevision() throws {
        _ = try publisher().start(files(["a": "1"]))
        let head = try store.loadCatalog().head
        _ = try publisher().start(files(["a": "1"]))
        #expect(try store.loadCatalog().head == head)
    }
}
