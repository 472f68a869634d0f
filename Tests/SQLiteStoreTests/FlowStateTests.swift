import SQLiteWire
import TestSupport
import Testing

@testable import SQLiteStore

/// Flows of a database with an older schema
/// (docs/decisions/archive/0074-the-state-of-a-recipe-decides-whether-a-flow-is-delivered.md).
@Suite struct FlowStateTests {
    @Test func aFlowThatItsStatusHeldBackIsADraft() throws {
        let directory = try TemporaryDirectory()
        let pool = try SQLitePool(path: directory.database)
        try pool.useWriter { try Migrations.apply(to: $0, upTo: "12 files") }
        let documents = [
            ("held", #"{"kind": "flow", "status": "draft"}"#), ("shown", #"{"kind": "flow", "status": "published"}"#),
            ("silent", #"{"kind": "flow", "status": null}"#), ("paused", #"{"kind": "flow", "status": "draft"}"#),
            ("survey", #"{"kind": "survey", "status": "draft"}"#), ("odd", "{"),
        ]
        try pool.write { database in
            try database.execute(
                """
                PRAGMA application_id = \(DatabaseFile.applicationID);
                INSERT INTO app (key, name) VALUES (1, 'a');
                """)
            for (slug, text) in documents {
                let state = slug == "paused" ? "paused" : "live"
                try Prepared(
                    database, "INSERT INTO recipe (app, slug, state, revision, in_force) VALUES (1, ?, ?, 2, 1)"
                ).run(.text(slug), .text(state))
                try Prepared(
                    database,
                    """
                    INSERT INTO recipe_revision (app, slug, revision, source, text, published_at)
                    VALUES (1, ?1, 1, 'api', ?2, 0), (1, ?1, 2, 'api', '{}', 0)
                    """
                ).run(.text(slug), .text(text))
            }
        }
        pool.close()
        let test = try StoreUnderTest(directory)
        let drafts = try test.store.database.read { database in
            try database.texts("SELECT slug FROM recipe WHERE state = 'draft' AND in_force IS NULL")
        }
        #expect(drafts == ["held"])
        #expect(try test.count("recipe WHERE state = 'live'") == 4)
    }
}
