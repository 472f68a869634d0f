internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// Tables `manifest`, `strings`, `draft`, `recipe`, `recipe_revision`, `message` and `record`: the published catalog,
/// its drafts and its history.
///
/// What was once a revision stays one: to publish it again with the same text changes nothing, with another text is a
/// fault.
struct CatalogRows {
    private let database: Database
    private let apps: AppRows

    init(_ database: Database) throws {
        self.database = database
        apps = try AppRows(database)
    }

    func apply(_ change: CatalogChange) throws {
        switch change {
        case .manifest(let app, let document): try setManifest(app, document)
        case .deleteManifest(let app):
            try deleteDraft(app, .manifest)
            try run("DELETE FROM manifest WHERE app = ?", .integer(apps.key(app)))
        case .strings(let app, let locale, let document): try setStrings(app, locale, document)
        case .deleteStrings(let app, let locale):
            try deleteDraft(app, .strings(locale: locale))
            try run("DELETE FROM strings WHERE app = ? AND locale = ?", .integer(apps.key(app)), .text(locale))
        case .draft(let app, let name, let document): try setDraft(app, name, document)
        case .recipe(let app, let recipe): try setRecipe(app, recipe)
        case .deleteRecipe(let app, let slug):
            try run("DELETE FROM recipe WHERE app = ? AND slug = ?", .integer(apps.key(app)), .text(slug))
        case .message(let app, let message): try keep(app, message)
        case .record(let app, let record): try setRecord(app, record)
        case .revision(let app, let revision):
            try run(
                "UPDATE app SET revision = ? WHERE key = ?", .integer(Int64(clamping: revision)),
                .integer(apps.key(app)))
        case .reply(let claim, let reply, let at): try IdempotencyRows(database).insert(reply, for: claim.key, at: at)
        }
    }

    private func setDraft(_ app: String, _ name: DocumentName, _ document: StoredDocument) throws {
        try run(
            """
            INSERT OR REPLACE INTO draft (app, locale, revision, source, text, published_at, author)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [.integer(apps.key(app)), .text(name.locale ?? "")] + document.values + [.text(document.author)])
    }

    private func deleteDraft(_ app: String, _ name: DocumentName) throws {
        try run(
            "DELETE FROM draft WHERE app = ? AND locale = ?", .integer(apps.key(app)), .text(name.locale ?? ""))
    }

    private func setManifest(_ app: String, _ document: StoredDocument) throws {
        try deleteDraft(app, .manifest)
        try run(
            "INSERT OR REPLACE INTO manifest (app, revision, source, text, published_at) VALUES (?, ?, ?, ?, ?)",
            [.integer(apps.key(app))] + document.values)
    }

    private func setStrings(_ app: String, _ locale: String, _ document: StoredDocument) throws {
        try deleteDraft(app, .strings(locale: locale))
        try run(
            """
            INSERT OR REPLACE INTO strings (app, locale, revision, source, text, published_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """, [.integer(apps.key(app)), .text(locale)] + document.values)
    }

    private func setRecipe(_ app: String, _ recipe: StoredRecipe) throws {
        let app = try apps.key(app)
        let document = recipe.document
        let known = try Prepared(
            database, "SELECT text FROM recipe_revision WHERE app = ? AND slug = ? AND revision = ?"
        ).first(.integer(app), .text(recipe.slug), .integer(Int64(document.revision))) { $0.bytes(0) }
        guard known == nil || known == document.text else {
            throw RowFault.revisionTaken(recipe.slug, document.revision)
        }
        if known == nil {
            try run(
                """
                INSERT INTO recipe_revision (app, slug, revision, source, text, published_at, author)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, [.integer(app), .text(recipe.slug)] + document.values + [.text(document.author)])
        }
        try run(
            """
            INSERT OR REPLACE INTO recipe (app, slug, state, revision, in_force, state_since)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            .integer(app), .text(recipe.slug), .text(recipe.state.rawValue), .integer(Int64(document.revision)),
            recipe.inForce.map { .integer(Int64($0.revision)) } ?? .null,
            recipe.stateSince.map { .integer($0.milliseconds) } ?? .null)
    }

    private func keep(_ app: String, _ message: StoredMessage) throws {
        let app = try apps.key(app)
        let known = try Prepared(database, "SELECT text FROM message WHERE app = ? AND key = ? AND revision = ?")
            .first(.integer(app), .text(message.key), .integer(Int64(message.revision))) { $0.bytes(0) }
        guard known == nil || known == message.text else {
            throw RowFault.revisionTaken(message.key, message.revision)
        }
        guard known == nil else { return }
        try run(
            "INSERT INTO message (app, key, revision, text) VALUES (?, ?, ?, ?)", .integer(app), .text(message.key),
            .integer(Int64(message.revision)), .utf8(message.text))
    }

    private func setRecord(_ app: String, _ record: StoredRecord) throws {
        let content: [SQLValue] =
            switch record.content {
            case .recipe(let slug, let revision, let isPaused):
                [.text(slug), .integer(Int64(revision)), .integer(isPaused ? 1 : 0)]
            case .deleted: [.null, .integer(0), .integer(0)]
            }
        try run(
            """
            INSERT OR REPLACE INTO record (app, collection, id, last_modified, slug, revision, paused)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(apps.key(app)), .text(record.collection), .text(record.id), .integer(record.lastModified),
            ] + content)
    }

    private func run(_ sql: String, _ values: SQLValue...) throws { try run(sql, values) }

    private func run(_ sql: String, _ values: [SQLValue]) throws { try Prepared(database, sql).run(values) }
}

extension StoredDocument {
    /// Columns revision, source, text, published_at.
    fileprivate var values: [SQLValue] {
        [.integer(Int64(revision)), .text(source.rawValue), .utf8(text), .integer(publishedAt.milliseconds)]
    }
}
