import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The published catalog is read as it was written, with its history.
@Suite struct CatalogContractTests {
    private func document(_ revision: Int, _ text: String, _ source: DocumentSource = .api) -> StoredDocument {
        StoredDocument(
            revision: revision, source: source, text: Array(text.utf8),
            publishedAt: Timestamp(milliseconds: 1_790_000_000_000 + Int64(revision)))
    }

    private func recipe(_ slug: Identifier, _ revision: Int, _ text: String, _ state: RecipeState = .live)
        -> StoredRecipe
    {
        StoredRecipe(slug: slug, state: state, document: document(revision, text))
    }

    private func app(_ test: StoreUnderContract, _ name: String = "a") throws -> StoredApp? {
        try test.store.loadCatalog().apps.first { $0.name == name }
    }

    @Test(arguments: StoreKind.allCases)
    func isEmptyAtFirst(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        #expect(try test.store.loadCatalog().apps.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func comesBackAsItWasPublished(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        let message = StoredMessage(key: "survey", revision: 1, text: Array(#"{"text": "\u0000 ü"}"#.utf8))
        try test.store.publish([
            .manifest(app: "a", document(1, "{ }", .file)),
            .strings(app: "a", locale: "de", document(1, "{\"t\": {}}")),
            .strings(app: "a", locale: "en-US", document(2, "{}")), .recipe(app: "a", recipe("s", 1, "{\"x\":  1}")),
            .recipe(app: "a", recipe("draft", 4, "{}", .draft)), .message(app: "a", message), .revision(app: "a", 12),
            .manifest(app: "b", document(1, "{}")),
        ])
        let next = try test.reopened()
        let stored = try next.store.loadCatalog()
        #expect(stored.apps.map(\.name) == ["a", "b"])
        let app = try #require(stored.apps.first)
        #expect(app.revision == 12)
        #expect(app.manifest == document(1, "{ }", .file))
        #expect(app.strings == ["de": document(1, "{\"t\": {}}"), "en-US": document(2, "{}")])
        #expect(app.recipes == [recipe("draft", 4, "{}", .draft), recipe("s", 1, "{\"x\":  1}")])
        #expect(app.messages == [message])
        #expect(app.retiredRevisions.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func theNewestRevisionIsTheRecipesAndTheOlderOnesStay(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.recipe(app: "a", recipe("s", 1, "one"))])
        try test.store.publish([.recipe(app: "a", recipe("s", 2, "two"))])
        try test.store.publish([.recipe(app: "a", recipe("s", 2, "two", .paused))])
        #expect(try app(test)?.recipes == [recipe("s", 2, "two", .paused)])
        #expect(try test.store.revisions(of: "s", in: "a").map(\.revision) == [1, 2])
    }

    @Test(arguments: StoreKind.allCases)
    func aStateComesBackWithItsTime(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        var paused = recipe("s", 1, "one", .paused)
        paused.stateSince = Timestamp(milliseconds: 1_790_000_000_123)
        try test.store.publish([.recipe(app: "a", paused), .recipe(app: "a", recipe("t", 1, "t"))])
        let next = try test.reopened()
        #expect(try app(next)?.recipes == [paused, recipe("t", 1, "t")])
    }

    @Test(arguments: StoreKind.allCases)
    func recordsComeBackWithTheirTimes(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        func record(_ id: String, _ time: Int64, _ content: StoredRecord.Content, _ collection: String = "c")
            -> StoredRecord
        {
            StoredRecord(collection: Identifier(collection), id: Identifier(id), lastModified: time, content: content)
        }
        let live = StoredRecord.Content.recipe(slug: "s", revision: 3, isPaused: false)
        let paused = StoredRecord.Content.recipe(slug: "\u{0}", revision: 1, isPaused: true)
        try test.store.publish([
            .record(app: "a", record("x", 5, live)), .record(app: "a", record("x", 6, live, "d")),
            .record(app: "b", record("x", 7, paused)), .record(app: "a", record("y", .max, live)),
        ])
        try test.store.publish([.record(app: "a", record("x", 8, .deleted)), .revision(app: "a", 1)])
        try test.store.publish([.revision(app: "b", 1)])
        let next = try test.reopened()
        let records = try #require(try app(next)?.records)
        #expect(Set(records) == [record("x", 8, .deleted), record("x", 6, live, "d"), record("y", .max, live)])
        #expect(try app(next, "b")?.records == [record("x", 7, paused)])
    }

    @Test(arguments: StoreKind.allCases)
    func aDeletedRecipeLeavesItsNumber(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.recipe(app: "a", recipe("s", 1, "one")), .recipe(app: "a", recipe("t", 1, "t"))])
        try test.store.publish([.recipe(app: "a", recipe("s", 2, "two"))])
        try test.store.publish([.deleteRecipe(app: "a", slug: "s")])
        #expect(try app(test)?.recipes.map(\.slug) == ["t"])
        let next = try test.reopened()
        #expect(try app(next)?.retiredRevisions == ["s": 2])
    }

    @Test(arguments: StoreKind.allCases)
    func `The number of a draft that was discarded is kept until a newer revision comes`(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        var beside = recipe("s", 2, "two")
        beside.inForce = recipe("s", 1, "one").document
        try test.store.publish([.recipe(app: "a", recipe("s", 1, "one"))])
        try test.store.publish([.recipe(app: "a", beside)])
        try test.store.publish([.recipe(app: "a", recipe("s", 1, "one"))])
        #expect(try app(test)?.retiredRevisions == ["s": 2])
        let next = try test.reopened()
        #expect(try app(next)?.retiredRevisions == ["s": 2] && app(next)?.recipes == [recipe("s", 1, "one")])
        try next.store.publish([.recipe(app: "a", recipe("s", 3, "three"))])
        #expect(try app(next)?.retiredRevisions == [:])
    }

    @Test(arguments: StoreKind.allCases)
    func aSlugUsedAgainIsNoLongerRetired(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([
            .recipe(app: "a", recipe("s", 1, "one")), .deleteRecipe(app: "a", slug: "s"),
            .recipe(app: "a", recipe("s", 2, "two")),
        ])
        #expect(try app(test)?.recipes == [recipe("s", 2, "two")])
        #expect(try app(test)?.retiredRevisions == [:])
    }

    @Test(arguments: StoreKind.allCases)
    func historyIsNotRewritten(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([
            .recipe(app: "a", recipe("s", 1, "one")),
            .message(app: "a", StoredMessage(key: "k", revision: 1, text: [1])),
        ])
        #expect(throws: StoreError.self) { try test.store.publish([.recipe(app: "a", recipe("s", 1, "other"))]) }
        #expect(throws: StoreError.self) {
            try test.store.publish([.message(app: "a", StoredMessage(key: "k", revision: 1, text: [2]))])
        }
        #expect(try app(test)?.recipes == [recipe("s", 1, "one")])
        #expect(test.store.health == .healthy)
    }

    @Test(arguments: StoreKind.allCases)
    func aPublishIsWholeOrNothing(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.recipe(app: "a", recipe("s", 1, "one"))])
        #expect(throws: StoreError.self) {
            try test.store.publish([
                .manifest(app: "a", document(1, "{}")), .revision(app: "a", 5),
                .recipe(app: "a", recipe("s", 1, "other")),
            ])
        }
        #expect(try app(test)?.manifest == nil)
        #expect(try app(test)?.revision == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func deletionsAndReplacements(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([
            .manifest(app: "a", document(1, "{}")), .strings(app: "a", locale: "de", document(1, "{}")),
            .strings(app: "a", locale: "fr", document(1, "{}")),
        ])
        try test.store.publish([
            .manifest(app: "a", document(2, "{\"new\": 1}")), .deleteStrings(app: "a", locale: "de"),
            .strings(app: "a", locale: "fr", document(2, "{}")),
        ])
        #expect(try app(test)?.manifest == document(2, "{\"new\": 1}"))
        #expect(try app(test)?.strings == ["fr": document(2, "{}")])
        try test.store.publish([.deleteManifest(app: "a"), .revision(app: "a", 3)])
        #expect(try app(test)?.manifest == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func draftsComeBackUntilTheirDocumentIsPutOrDeleted(_ kind: StoreKind) throws {
        let test = try StoreUnderContract(kind)
        func draft(_ revision: Int, _ text: String) -> StoredDocument {
            StoredDocument(
                revision: revision, source: .api, text: Array(text.utf8), publishedAt: StoreUnderContract.now,
                author: "ann"
            )
        }
        let (de, fr) = (DocumentName.strings(locale: "de"), DocumentName.strings(locale: "fr"))
        try test.store.publish([
            .draft(app: "a", .manifest, draft(1, "{}")), .draft(app: "a", .manifest, draft(2, "{ }")),
            .draft(app: "a", de, draft(1, "{}")), .draft(app: "a", fr, draft(1, "{}")),
        ])
        let next = try test.reopened()
        #expect(
            try app(next)?.drafts == [.manifest: draft(2, "{ }"), de: draft(1, "{}"), fr: draft(1, "{}")])
        #expect(try app(next)?.manifest == nil)
        try next.store.publish([
            .strings(app: "a", locale: "de", document(1, "{}")), .deleteStrings(app: "a", locale: "fr"),
        ])
        #expect(try app(next)?.drafts == [.manifest: draft(2, "{ }")])
        try next.store.publish([.manifest(app: "a", document(2, "{ }"))])
        #expect(try app(next)?.drafts == [:])
        try next.store.publish([.draft(app: "a", .manifest, draft(3, "{}")), .deleteManifest(app: "a")])
        #expect(try app(next)?.drafts == [:])
    }

    @Test(arguments: StoreKind.allCases)
    func anAppThatOnlyHasClientsIsNotPublished(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try await test.submit(StoreUnderContract.displays(StoreUnderContract.client("c", app: "z")))
        #expect(try test.store.loadCatalog().apps.isEmpty)
    }
}
