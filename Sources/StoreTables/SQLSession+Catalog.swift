internal import BellwetherBase
internal import BellwetherJSON
public import BellwetherService

extension SQLSession {
    /// Reads the whole catalog.
    public func loadCatalog() throws -> StoredCatalog {
        var apps = try all("SELECT name, revision FROM app ORDER BY name") { row in
            StoredApp(name: row.identifier(0), revision: UInt64(clamping: row.integer(1)))
        }
        let places = Dictionary(uniqueKeysWithValues: apps.enumerated().map { ($1.name, $0) })
        /// Applies a change to the app of each row. The first column of a row is the app.
        func edit(
            _ table: StoreTable, _ columns: String, _ rest: String = "",
            _ change: (inout StoredApp, Row) throws -> Void
        ) throws {
            let app = dialect.expression("app", of: table)
            _ = try all("SELECT \(app), \(columns) FROM \(dialect.source(table)) \(rest)") { row in
                guard let place = places[row.identifier(0)] else { return }
                try change(&apps[place], row)
            }
        }
        let document = StoreTable.document("t")
        try edit(.document, "t.locale, \(document)") { app, row in
            let document = try StoredDocument(row, at: 2)
            let locale = row.identifier(1)
            if locale.isEmpty { app.manifest = document } else { app.strings[locale] = document }
        }
        try edit(.draft, "t.locale, \(document)") { app, row in
            app.drafts[DocumentName(storedLocale: row.identifier(1))] = try StoredDocument(row, at: 2)
        }
        let recipes = StoreTable.recipe
        try edit(.recipe, "t.slug, \(recipes.selection(dialect))", "\(recipes.joins(dialect)) ORDER BY t.slug") {
            $0.recipes.append(try StoredRecipe($1, at: 2, slug: $1.identifier(1)))
        }
        let retired = """
            LEFT JOIN recipe r ON r.app = t.app AND r.slug = t.slug GROUP BY t.app, t.slug
            HAVING max(t.revision) > coalesce(max(r.revision), 0)
            """
        try edit(.revision, "t.slug, max(t.revision)", retired) {
            $0.retiredRevisions[$1.identifier(1)] = Int($1.integer(2))
        }
        try edit(.message, "t.key, t.revision, t.text", "ORDER BY t.key, t.revision") { app, row in
            app.messages.append(
                StoredMessage(key: row.identifier(1), revision: Int(row.integer(2)), text: row.bytes(3)))
        }
        let record = "t.collection, t.id, t.last_modified, t.slug, t.revision, t.paused"
        try edit(.record, record, "ORDER BY t.collection, t.id") { $0.records.append(StoredRecord($1, at: 1)) }
        let revision = try all(dialect.catalogHead) { UInt64(clamping: $0.integer(0)) }.first ?? 0
        return StoredCatalog(head: CatalogHead(revision: revision), apps: apps.filter { !$0.isEmpty })
    }
}

extension Dialect {
    fileprivate var catalogHead: String {
        switch self {
        case .sqlite: "SELECT value FROM counter WHERE name = 'catalog'"
        case .postgres: "SELECT version FROM head WHERE name = 'catalog'"
        }
    }
}

extension DocumentName {
    init(storedLocale: Identifier) { self = storedLocale.isEmpty ? .manifest : .strings(locale: storedLocale) }
}

extension StoredApp {
    /// Whether nothing was ever published for the app. Clients may still have written data under its name.
    fileprivate var isEmpty: Bool {
        revision == 0 && manifest == nil && strings.isEmpty && drafts.isEmpty && recipes.isEmpty
            && retiredRevisions.isEmpty && messages.isEmpty
    }
}
