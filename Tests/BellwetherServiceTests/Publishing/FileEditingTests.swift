import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Folders at the start and on SIGHUP (docs/reference/http-api.md#files-that-the-daemon-reads). A bad file is skipped,
/// and the version that was loaded before stays.
@Suite struct FileEditingTests {
    private static func recipe(_ text: String) -> JSONValue {
        ["messages": ["m": ["surface": "microsurvey", "text": .string(text)]]]
    }

    private static let other: JSONValue = ["messages": ["n": ["surface": "microsurvey", "text": "t"]]]

    private static func files(
        manifest: JSONValue? = SampleManifest.with(), recipes: KeyValuePairs<String, String> = [:],
        strings: KeyValuePairs<String, String> = [:]
    ) -> FileCatalog {
        var app = FileCatalog.App()
        app.manifest = manifest.map { FileCatalog.File(path: "manifest.json", text: $0.encoded) }
        for (slug, text) in recipes {
            app.recipes[Identifier(slug)] = FileCatalog.File(path: "\(slug).json", text: Array(text.utf8))
        }
        for (locale, text) in strings {
            app.strings[Identifier(locale)] = FileCatalog.File(path: "\(locale).json", text: Array(text.utf8))
        }
        var files = FileCatalog()
        files.apps["sample"] = app
        return files
    }

    private var editing = Editing()

    @Test mutating func loaded() throws {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text], strings: ["de": #"{"T": {"k": "v"}}"#]))
        #expect(editing.failures.isEmpty && editing.messages == ["m"])
        #expect(editing.snapshot?.strings.localeNames == ["de"])
        #expect(editing.snapshot?.catalog.revision == 1, "compiled once")
        let count = editing.changes.count
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text], strings: ["de": #"{"T": {"k": "v"}}"#]))
        #expect(editing.changes.count == count, "nothing changed")
    }

    @Test mutating func `A segment goes with the files that read it, and not before`() {
        let segments: KeyValuePairs = [
            "gold": #"{"kind": "segment", "expression": "segment.paid"}"#,
            "paid": #"{"kind": "segment", "expression": "age > 1"}"#,
        ]
        let recipe = #"{"triggers": {"T": "segment.gold"}, "messages": {"m": {"trigger-if-all": ["T"], "text": "t"}}}"#
        editing.load(Self.files(recipes: ["a": recipe, "gold": segments[0].value, "paid": segments[1].value]))
        #expect(editing.failures.isEmpty && editing.snapshot?.recipes.count == 3)
        editing.load(Self.files(recipes: ["a": recipe, "paid": segments[1].value]))
        #expect(editing.failures == ["sample: gold: it is read by a"] && editing.snapshot?.recipes.count == 3)
        editing.load(Self.files(recipes: ["a": Self.recipe("t").text]))
        #expect(editing.failures.isEmpty && editing.snapshot?.recipes.count == 1)
        let circle = [
            #"{"kind": "segment", "expression": "segment.y"}"#, #"{"kind": "segment", "expression": "segment.x"}"#,
        ]
        editing.load(Self.files(recipes: ["x": circle[0], "y": circle[1]]))
        #expect(editing.failures.count == 1 && editing.failures.first?.hasPrefix("y.json: /expression: ") == true)
        #expect(editing.snapshot?.recipes.keys.map(\.text) == ["x"])
    }

    @Test mutating func filesAreReadOnly() throws {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text], strings: ["de": "{}"]))
        let text = Self.recipe("u").encoded
        for change: PublishRequest.Change in [
            .putRecipe(slug: "e", text, asDraft: false), .deleteRecipe(slug: "e"),
            .putManifest(SampleManifest.with().encoded),
            .deleteManifest, .putStrings(locale: "de", Array("{}".utf8)), .deleteStrings(locale: "de"),
        ] {
            #expect(editing.refusal(change)?.name == "readOnly")
        }
        #expect(try editing.recipe("f", Self.recipe("u"))?.effect == .created)
    }

    @Test mutating func `Documents that are taken over are changed over the API, and their files are skipped`() throws {
        let files = Self.files(recipes: ["e": Self.recipe("t").text], strings: ["de": #"{"T": {"k": "v"}}"#])
        editing.load(files)
        editing.requiresApproval = true
        #expect(try editing.put(.takeOver)?.effect == .changed)
        #expect(editing.messages == ["m"] && editing.snapshot?.recipes["e"]?.stored.state == .live)
        #expect(editing.snapshot?.recipes["e"]?.stored.document.author == "owner")
        editing.requiresApproval = false
        #expect(try editing.put(.takeOver)?.effect == .unchanged)
        editing.load(files)
        #expect(editing.failures.count == 3 && editing.failures.allSatisfy { $0.contains("the file is skipped") })
        #expect(try editing.recipe("e", Self.recipe("u"))?.effect == .changed)
        try editing.manifest()
        _ = try editing.put(.putStrings(locale: "de", Array("{}".utf8)))
        editing.restart()
        editing.load(Self.files(manifest: nil))
        #expect(editing.messages == ["m"] && editing.snapshot?.recipes["e"]?.stored.document.revision == 3)
        #expect(editing.refusal(.takeOver) == nil)
    }

    /// The status in its file is the only way to publish a flow from a file.
    @Test mutating func aFlowFollowsTheStatusInItsFile() {
        func flow(_ status: String) -> String {
            #"{"kind": "flow", "status": "\#(status)", "steps": [{"id": "a", "type": "welcome"}]}"#
        }
        for (status, state) in [("draft", RecipeState.draft), ("published", .live), ("draft", .draft)] {
            editing.load(Self.files(recipes: ["f": flow(status)]))
            #expect(editing.failures.isEmpty && editing.snapshot?.recipes["f"]?.stored.state == state)
        }
        editing.restart()
        editing.load(Self.files(recipes: ["f": flow("live")]))
        #expect(editing.snapshot?.recipes["f"]?.isLive == true)
    }

    @Test mutating func badFilesAreNamedAndSkipped() {
        editing.load(
            Self.files(
                recipes: [
                    "bad": "{", "e": Self.recipe("t").text, "faulty": #"{"triggers": {"T": "!x"}, "slug": "y"}"#,
                ],
                strings: ["de": "[]", "fr": "{}"]))
        #expect(editing.failures.count == 4 && editing.failures.allSatisfy { $0.contains(".json: ") })
        #expect(editing.failures.filter { $0.hasPrefix("faulty.json") }.count == 2, "all faults of a file")
        #expect(editing.messages == ["m"] && editing.snapshot?.strings.localeNames == ["fr"])
    }

    @Test mutating func badFileKeepsWhatWasLoadedBefore() {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text]))
        editing.load(Self.files(manifest: ["app_name": 5], recipes: ["e": "{"]))
        #expect(editing.failures.count == 4 && editing.messages == ["m"])
        editing.load(Self.files(recipes: ["e": Self.recipe("u").text]))
        #expect(editing.failures.isEmpty && editing.snapshot?.catalog.message("m")?.definition.text == "u")
        #expect(editing.snapshot?.recipes["e"]?.stored.document.revision == 2)
    }

    @Test mutating func unreadableFileIsNotGone() {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text], strings: ["de": "{}"]))
        var files = Self.files()
        files.failures = ["e.json: permission denied"]
        files.unreadable = ["sample/recipes/e", "sample/strings/de"]
        editing.load(files)
        #expect(editing.failures == ["e.json: permission denied"] && editing.messages == ["m"])
        #expect(editing.snapshot?.strings.localeNames == ["de"])
    }

    @Test mutating func vanishedFilesAreGone() {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text], strings: ["de": "{}"]))
        editing.load(Self.files())
        #expect(editing.messages.isEmpty && editing.snapshot?.strings.localeNames == [] && editing.failures.isEmpty)
        editing.load(FileCatalog())
        #expect(editing.snapshot == nil && editing.failures.isEmpty)
    }

    /// A copy of a folder may have other spellings. The first spelling keeps the name.
    @Test mutating func filesWithOtherSpellingsAreNotGone() {
        let (composed, decomposed): (Identifier, Identifier) = ("caf\u{E9}", "cafe\u{301}")
        func files(_ manifest: Identifier, _ recipes: Identifier, slug: Identifier, _ text: String) -> FileCatalog {
            var files = FileCatalog()
            files.apps[manifest, default: .init()].manifest = Self.files().apps["sample"]?.manifest
            files.apps[recipes, default: .init()].recipes[slug] = .init(
                path: "recipe.json", text: Self.recipe(text).encoded)
            return files
        }
        editing.load(files(composed, composed, slug: composed, "t"))
        #expect(editing.failures.isEmpty)
        let changes = editing.changes.count
        var unreadable = files(composed, composed, slug: "other", "u")
        unreadable.apps[composed]?.recipes = [:]
        unreadable.unreadable = ["\(decomposed)/recipes/\(decomposed)"]
        for (copy, refused) in [
            (files(composed, composed, slug: decomposed, "u"), 1),
            (files(decomposed, decomposed, slug: composed, "u"), 2),
            (files(composed, decomposed, slug: composed, "u"), 1), (unreadable, 0),
        ] {
            editing.load(copy)
            #expect(editing.failures.count == refused)
            #expect(editing.failures.allSatisfy { $0.hasSuffix("the same in other bytes") })
            #expect(editing.changes.count == changes, "nothing changed")
        }
    }

    @Test mutating func vanishedFilesAreToldInOrder() {
        let slugs = ["e", "a", "d", "c", "B"]
        var files = Self.files(strings: ["fr": "{}", "de": "{}", "en": "{}"])
        for slug in slugs {
            files.apps["sample"]?.recipes[Identifier(slug)] = FileCatalog.File(
                path: slug, text: Self.recipe("t").encoded)
        }
        editing.load(files)
        let count = editing.changes.count
        editing.load(Self.files())
        let deletions = editing.changes.dropFirst(count).compactMap { change -> String? in
            switch change {
            case .deleteRecipe(_, let slug): slug.text
            case .deleteStrings(_, let locale): locale.text
            default: nil
            }
        }
        #expect(deletions == ["B", "a", "c", "d", "e", "de", "en", "fr"])
    }

    @Test mutating func vanishedManifestStaysWhileTheAPINeedsIt() throws {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text]))
        try editing.recipe("f", ["messages": ["n": ["surface": "microsurvey", "text": "t"]]])
        editing.load(FileCatalog())
        #expect(editing.failures.count == 1 && editing.messages == ["n"])
    }

    @Test mutating func recipesWithoutAManifestAreNamed() {
        editing.load(Self.files(recipes: ["e": Self.recipe("t").text]))
        editing.load(Self.files(manifest: nil, recipes: ["e": Self.recipe("t").text]))
        #expect(editing.failures == ["e.json: there is no manifest for this app"] && editing.snapshot == nil)
    }

    @Test mutating func fileTakesOverNothingThatTheAPIPublished() throws {
        try editing.manifest()
        try editing.recipe("e", Self.recipe("t"))
        try editing.recipe("d", Self.recipe("t"), draft: true)
        _ = try editing.put(.putStrings(locale: "de", Array(#"{"T": {"k": "v"}}"#.utf8)))
        let before = editing.snapshot?.recipes["e"]?.stored
        let files = Self.files(
            manifest: SampleManifest.with(["app_name": "other"]),
            recipes: ["d": Self.recipe("u").text, "e": Self.recipe("u").text, "f": Self.other.text],
            strings: ["de": "{}", "fr": "{}"])
        editing.load(files)
        #expect(editing.failures.map { $0.prefix { $0 != ":" } } == ["manifest.json", "de.json", "d.json", "e.json"])
        #expect(editing.failures.allSatisfy { $0.contains("published over the API") })
        #expect(editing.snapshot?.recipes["e"]?.stored == before && editing.snapshot?.manifest.appName == "sample")
        #expect(editing.messages.sorted() == ["m", "n"], "the other file is loaded")
        let count = editing.changes.count
        editing.load(files)
        #expect(editing.failures.count == 4 && editing.changes.count == count, "each time")
        editing.load(FileCatalog())
        #expect(editing.failures == [] && editing.messages == ["m"])
        #expect(editing.snapshot?.stringDocuments.keys.sorted() == ["de"])
    }

    @Test mutating func fileIsLoadedOnceTheAPIsDocumentIsDeleted() throws {
        try editing.manifest()
        try editing.recipe("e", Self.recipe("t"))
        let files = Self.files(manifest: nil, recipes: ["e": Self.recipe("u").text])
        editing.load(files)
        _ = try editing.put(.deleteRecipe(slug: "e"))
        editing.load(files)
        #expect(editing.failures == [] && editing.snapshot?.catalog.message("m")?.definition.text == "u")
        #expect(editing.snapshot?.recipes["e"]?.stored.document.revision == 2, "its numbers go on")
        #expect(editing.refusal(.deleteRecipe(slug: "e"))?.name == "readOnly")
    }

    @Test mutating func apiDocumentsSurviveAReload() throws {
        editing.load(Self.files())
        try editing.recipe("f", Self.recipe("t"))
        editing.load(Self.files())
        #expect(editing.messages == ["m"] && editing.failures.isEmpty)
    }

    @Test mutating func manyFilesAreCompiledOnce() {
        var files = Self.files()
        for number in 0..<300 {
            let document: JSONValue = ["messages": ["m\(number)": ["surface": "microsurvey", "text": "t"]]]
            files.apps["sample"]?.recipes["r\(number)"] = FileCatalog.File(path: "\(number)", text: document.encoded)
        }
        editing.load(files)
        #expect(editing.messages.count == 300 && editing.snapshot?.catalog.revision == 1)
    }
}
