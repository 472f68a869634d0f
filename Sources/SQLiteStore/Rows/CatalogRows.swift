internal import BellwetherBase
import BellwetherCore
import BellwetherService
import SQLiteWire

/// Tables `manifest`, `strings`, `draft`, `recipe`, `recipe_revision`, `message` and `record`: the published catalog,
/// its drafts and its history.
///
/// A revision never changes. To publish it again with the same text changes nothing; with another text, it is a fault.
struct CatalogRows {
    private let database: SQLiteConnection
    private let apps: AppRows

    init(_ database: SQLiteConnection) throws {
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
        // A reply has its own row.
        case .reply: break
        }
    }

    /// A document, a draft, a recipe or a revision.
    func find(_ name: RowName) throws -> RowValue? {
        switch name {
        case .document(let app, let name):
            guard let app = try apps.find(app) else { return nil }
            guard let locale = name.locale else {
                return try Self.manifest(of: app, database).map { .document($0) }
            }
            return try Self.strings(of: app, database)[locale].map { .document($0) }
        case .draft(let app, let name):
            return try apps.find(app).flatMap { try Self.drafts(of: $0, database)[name] }.map { .document($0) }
        case .recipe(let app, let slug):
            return try apps.find(app).flatMap { try Self.recipes(of: $0, slug, database).first }.map { .recipe($0) }
        case .revision(let app, let slug, let number):
            guard let app = try apps.find(app) else { return nil }
            return try Self.revision(Int64(number), of: slug, app, database).map { .document($0) }
        default: return nil
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

/// The whole catalog, read in one transaction at the start.
extension CatalogRows {
    static func load(_ database: SQLiteConnection) throws -> StoredCatalog {
        let apps = try Prepared(database, "SELECT key, name, revision FROM app ORDER BY name").all { row in
            (key: row.integer(0), app: StoredApp(name: row.text(1), revision: UInt64(clamping: row.integer(2))))
        }
        let stored = try apps.map { key, app in
            var app = app
            app.manifest = try manifest(of: key, database)
            app.strings = try strings(of: key, database)
            app.drafts = try drafts(of: key, database)
            app.recipes = try recipes(of: key, nil, database)
            app.retiredRevisions = try retiredRevisions(of: key, database)
            app.messages = try messages(of: key, database)
            app.records = try records(of: key, database)
            return app
        }
        return StoredCatalog(head: try CounterRows(database).catalogHead(), apps: stored.filter { !$0.isEmpty })
    }

    private static func manifest(of app: Int64, _ database: SQLiteConnection) throws -> StoredDocument? {
        try Prepared(database, "SELECT revision, source, text, published_at FROM manifest WHERE app = ?")
            .first(.integer(app)) { try StoredDocument($0, from: 0) }
    }

    private static func strings(of app: Int64, _ database: SQLiteConnection) throws -> [String: StoredDocument] {
        let rows = try Prepared(
            database, "SELECT locale, revision, source, text, published_at FROM strings WHERE app = ?"
        ).all(.integer(app)) { ($0.text(0), try StoredDocument($0, from: 1)) }
        return Dictionary(rows) { _, last in last }
    }

    private static func drafts(of app: Int64, _ database: SQLiteConnection) throws -> [DocumentName: StoredDocument] {
        let rows = try Prepared(database, "SELECT locale, \(revisionColumns) FROM draft WHERE app = ?")
            .all(.integer(app)) { row in
                let locale = row.text(0)
                let name = locale.isEmpty ? DocumentName.manifest : .strings(locale: locale)
                return (name, try StoredDocument(row, from: 1, hasAuthor: true))
            }
        return Dictionary(rows) { _, last in last }
    }

    /// - Parameter slug: The recipe; nil for all.
    private static func recipes(of app: Int64, _ slug: String?, _ database: SQLiteConnection) throws -> [StoredRecipe] {
        let rows = try Prepared(
            database,
            """
            SELECT slug, state, revision, in_force, state_since FROM recipe
            WHERE app = ? \(slug == nil ? "" : "AND slug = ?") ORDER BY slug
            """
        ).all([.integer(app)] + (slug.map { [.text($0)] } ?? [])) { row in
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

    static let revisionColumns = "revision, source, text, published_at, author"

    private static func revision(
        _ number: Int64, of slug: String, _ app: Int64, _ database: SQLiteConnection
    ) throws -> StoredDocument? {
        try Prepared(
            database,
            "SELECT \(revisionColumns) FROM recipe_revision WHERE app = ? AND slug = ? AND revision = ?"
        ).first(.integer(app), .text(slug), .integer(number)) { try StoredDocument($0, from: 0, hasAuthor: true) }
    }

    private static func retiredRevisions(of app: Int64, _ database: SQLiteConnection) throws -> [String: Int] {
        let rows = try Prepared(
            database,
            """
            SELECT history.slug, max(history.revision) FROM recipe_revision AS history
            LEFT JOIN recipe ON recipe.app = history.app AND recipe.slug = history.slug WHERE history.app = ?
            GROUP BY history.slug HAVING max(history.revision) > coalesce(max(recipe.revision), 0)
            """
        ).all(.integer(app)) { ($0.text(0), Int($0.integer(1))) }
        return Dictionary(rows) { _, last in last }
    }

    private static func messages(of app: Int64, _ database: SQLiteConnection) throws -> [StoredMessage] {
        try Prepared(database, "SELECT key, revision, text FROM message WHERE app = ? ORDER BY key, revision")
            .all(.integer(app)) { StoredMessage(key: $0.text(0), revision: Int($0.integer(1)), text: $0.bytes(2)) }
    }

    private static func records(of app: Int64, _ database: SQLiteConnection) throws -> [StoredRecord] {
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
    /// Whether clients wrote under this name, but the catalog never had a document of it.
    fileprivate var isEmpty: Bool {
        revision == 0 && manifest == nil && strings.isEmpty && drafts.isEmpty && recipes.isEmpty
            && retiredRevisions.isEmpty
            && messages.isEmpty
    }
}

extension StoredDocument {
    /// Reads columns revision, source, text, published_at from an index on, and the author after them.
    init(_ row: SQLRow, from column: Int32, hasAuthor: Bool = false) throws {
        guard let source = DocumentSource(rawValue: row.text(column + 1)) else {
            throw RowFault.unreadable("the source of a document")
        }
        self.init(
            revision: Int(row.integer(column)), source: source, text: row.bytes(column + 2),
            publishedAt: Timestamp(milliseconds: row.integer(column + 3)),
            author: hasAuthor ? row.text(column + 4) : "")
    }
}
