import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import SQLiteWire
import Testing

@testable import SQLiteStore

/// The audit's table accepts records only at its end, and never deletes one.
struct AuditTests {
    private func document(_ revision: Int, _ text: String) -> StoredDocument {
        StoredDocument(
            revision: revision, source: .api, text: Array(text.utf8), publishedAt: Timestamp(seconds: 1))
    }

    private func recipe(_ revision: Int, _ text: String, _ state: RecipeState = .live) -> StoredRecipe {
        StoredRecipe(slug: "s", state: state, document: document(revision, text))
    }

    @Test func whatTheAuditDoesNotTakeDoesNotHappen() async throws {
        let test = try StoreUnderTest()
        try test.store.publish([.recipe(app: "a", recipe(1, "one"))])
        try test.write("CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
        #expect(throws: StoreError.self) { try test.store.publish([.recipe(app: "a", recipe(2, "two"))]) }
        #expect(try test.store.loadCatalog().apps.first?.recipes == [recipe(1, "one")])
    }

    @Test(arguments: [
        "UPDATE audit SET hash = x'00'", "UPDATE audit SET sequence = sequence + 10", "DELETE FROM audit",
        "DELETE FROM audit WHERE sequence = 2", "INSERT OR REPLACE INTO audit VALUES (1, '{}', x'00')",
        "REPLACE INTO audit VALUES (2, '{}', x'00')", "INSERT INTO audit VALUES (9, '{}', x'00')",
        "INSERT INTO audit (text, hash) VALUES ('{}', x'00')",
        "UPDATE OR REPLACE audit SET sequence = 1 WHERE sequence = 2",
    ])
    func theTableOnlyGrowsAtItsEnd(_ sql: String) async throws {
        let test = try StoreUnderTest()
        try test.store.publish([.recipe(app: "a", recipe(1, "one"))])
        try test.store.publish([.recipe(app: "a", recipe(2, "two"))])
        let before = try await test.audit()
        #expect(throws: SQLiteError.self) { try test.write(sql) }
        #expect(try await test.audit() == before)
    }
}
