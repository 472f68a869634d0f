internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// The whole catalog, read in one transaction at the start.
extension CatalogRows {
    static func load(_ database: Database) throws -> StoredCatalog {
        let apps = try Prepared(database, "SELECT key, name, revision FROM app ORDER BY name").all { row in
            (key: row.integer(0), app: StoredApp(name: row.text(1), revision: UInt64(clamping: row.integer(2))))
        }
        let stored = try apps.map { key, app in
            var app = app
            app.manifest = try manifest(of: key, database)
            app.strings = try strings(of: key, database)
            app.drafts = try drafts(of: key, database)
            app.recipes = try recipes(of: key, database)
            app.retiredRevisions = try retiredRevisions(of: key, database)
            app.messages = try messages(of: key, database)
            app.records = try records(of: key, database)
            return app
        }
        return StoredCatalog(head: try CounterRows(database).catalogHead(), apps: stored.filter { !$0.isEmpty })
    }

    private static func manifest(of app: Int64, _ database: Database) throws -> StoredDocument? {
        try Prepared(database, "SELECT revision, source, text, published_at FROM manifest WHERE app = ?")
            .first(.integer(app)) { try StoredDocument($0, from: 0) }
    }

    private static func strings(of app: Int64, _ database: Database) throws -> [String: StoredDocument] {
        let rows = try Prepared(
            database, "SELECT locale, revision, source, text, published_at FROM strings WHERE app = ?"
        ).all(.integer(app)) { ($0.text(0), try StoredDocument($0, from: 1)) }
        return Dictionary(rows) { _, last in last }
    }

    private static func drafts(of app: Int64, _ database: Database) throws -> [DocumentName: StoredDocument] {
        let rows = try Prepared(database, "SELECT locale, \(revisionColumns) FROM draft WHERE app = ?")
            .all(.integer(app)) { row in
                let locale = row.text(0)
                let name = locale.isEmpty ? DocumentName.manifest : .strings(locale: locale)
                return (name, try StoredDocument(row, from: 1, hasAuthor: true))
            }
        return Dictionary(rows) { _, last in last }
    }

    private static func recipes(of app: Int64, _ database: Database) throws -> [StoredRecipe] {
        let rows = try Prepared(
            database, "SELECT slug, state, revision, in_force, state_since FROM recipe WHERE app = ? ORDER BY slug"
        ).all(.integer(app)) { row in
            (
                slug: row.text(0), state: row.text(1), newest: row.integer(2), inForce: row.optionalInteger(3),
                since: row.optionalInteger(4).map { Timestamp(milliseconds: $0) }
            )
        }
        return try rows.map { row in
            guard let state = RecipeState(rawValue: row.state),
                let newest = try revision(row.newest, of: row.slug, app, database)
            else { throw RowFault.unreadable("recipe \(row.slug)") }
            let inForce = try row.inForce.flatMap { try revision($0, of: row.slug, app, database) }
            return StoredRecipe(
                slug: row.slug, state: state, document: newest, inForce: inForce, stateSince: row.since)
        }
    }

    private static let revisionColumns = "revision, source, text, published_at, author"

    private static func revision(
        _ number: Int64, of slug: String, _ app: Int64, _ database: Database
    ) throws -> StoredDocument? {
        try Prepared(
            database,
            "SELECT \(revisionColumns) FROM recipe_revision WHERE app = ? AND slug = ? AND revision = ?"
        ).first(.integer(app), .text(slug), .integer(number)) { try StoredDocument($0, from: 0, hasAuthor: true) }
    }

    /// All revisions of a recipe, oldest first.
    static func revisions(of slug: String, in app: String, _ database: Database) throws -> [StoredDocument] {
        try Prepared(
            database,
            """
            SELECT \(revisionColumns) FROM recipe_revision
            WHERE app = (SELECT key FROM app WHERE name = ?) AND slug = ? ORDER BY revision
            """
        ).all(.text(app), .text(slug)) { try StoredDocument($0, from: 0, hasAuthor: true) }
    }

    private static func retiredRevisions(of app: Int64, _ database: Database) throws -> [String: Int] {
        let rows = try Prepared(
            database,
            """
            SELECT slug, max(revision) FROM recipe_revision AS history
            WHERE app = ? AND NOT EXISTS (SELECT 1 FROM recipe WHERE app = history.app AND slug = history.slug)
            GROUP BY slug
            """
        ).all(.integer(app)) { ($0.text(0), Int($0.integer(1))) }
        return Dictionary(rows) { _, last in last }
    }

    private static func messages(of app: Int64, _ database: Database) throws -> [StoredMessage] {
        try Prepared(database, "SELECT key, revision, text FROM message WHERE app = ? ORDER BY key, revision")
            .all(.integer(app)) { StoredMessage(key: $0.text(0), revision: Int($0.integer(1)), text: $0.bytes(2)) }
    }

    private static func records(of app: Int64, _ database: Database) throws -> [StoredRecord] {
        try Prepared(
            database, "SELECT collection, id, last_modified, slug, revision, paused FROM record WHERE app = ?"
        ).all(.integer(app)) { row in
            let content = row.optionalText(3).map { slug in
                StoredRecord.Content.recipe(
                    slug: slug, revision: Int(row.integer(4)), isPaused: row.integer(5) != 0)
            }
            return StoredRecord(
                collection: row.text(0), id: row.text(1), lastModified: row.integer(2), content: content ?? .deleted)
        }
    }
}

extension StoredApp {
    /// Clients have written under the name, and nothing was ever published.
    fileprivate var isEmpty: Bool {
        revision == 0 && manifest == nil && strings.isEmpty && drafts.isEmpty && recipes.isEmpty
            && retiredRevisions.isEmpty
            && messages.isEmpty
    }
}

extension StoredDocument {
    /// Columns revision, source, text, published_at from a place on, and the author behind them.
    fileprivate init(_ row: SQLRow, from column: Int32, hasAuthor: Bool = false) throws {
        guard let source = DocumentSource(rawValue: row.text(column + 1)) else {
            throw RowFault.unreadable("the source of a document")
        }
        self.init(
            revision: Int(row.integer(column)), source: source, text: row.bytes(column + 2),
            publishedAt: Timestamp(milliseconds: row.integer(column + 3)),
            author: hasAuthor ? row.text(column + 4) : "")
    }
}
