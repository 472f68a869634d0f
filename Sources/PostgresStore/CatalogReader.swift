internal import BellwetherBase
internal import BellwetherService
internal import PostgresWire

/// Reads the whole catalog from one snapshot.
struct CatalogReader {
    private static let seconds = 30.0
    private static let statements = [
        "SELECT version FROM head WHERE name = 'catalog'",
        "SELECT name, revision FROM app ORDER BY name",
        "SELECT t.app, t.locale, \(RowTable.document("t")) FROM document t",
        "SELECT t.app, t.locale, \(RowTable.document("t")) FROM draft t",
        "SELECT t.app, t.slug, \(RowTable.recipe.columns) FROM recipe t \(RowTable.recipe.joins) ORDER BY t.app, t.slug",
        """
        SELECT t.app, t.slug, max(t.revision) FROM revision t
        LEFT JOIN recipe r ON r.app = t.app AND r.slug = t.slug GROUP BY t.app, t.slug
        HAVING max(t.revision) > coalesce(max(r.revision), 0)
        """,
        "SELECT app, key, revision, text FROM message ORDER BY app, key, revision",
        "SELECT app, collection, id, last_modified, slug, revision, paused FROM record ORDER BY app, collection, id",
    ]

    private var apps: [StoredApp] = []
    private var places: [[UInt8]: Int] = [:]

    static func load(_ connection: PostgresConnection) throws -> StoredCatalog {
        let answers = try RowReader(connection: connection, seconds: seconds)
            .snapshot(statements.map { PostgresStatement($0) })
        var reader = CatalogReader()
        reader.readApps(answers[1])
        try reader.readDocuments(answers[2], answers[3])
        try reader.readRecipes(answers[4], retired: answers[5])
        reader.readMessages(answers[6])
        reader.readRecords(answers[7])
        let revision = answers[0].first { UInt64(clamping: $0.integer(0)) } ?? 0
        return StoredCatalog(head: CatalogHead(revision: revision), apps: reader.apps.filter { !$0.isEmpty })
    }

    private mutating func readApps(_ rows: PostgresRows) {
        apps = rows.map { StoredApp(name: $0.text(0), revision: UInt64(clamping: $0.integer(1))) }
        for (place, app) in apps.enumerated() { places[Array(app.name.utf8)] = place }
    }

    /// Applies a change to the app of each row. The first column of a row is the app.
    private mutating func edit(
        _ rows: PostgresRows, _ change: (inout StoredApp, PostgresRow) throws -> Void
    ) rethrows {
        for index in 0..<rows.count {
            let row = rows[index]
            guard let place = places[Array(row.text(0).utf8)] else { continue }
            try change(&apps[place], row)
        }
    }

    private mutating func readDocuments(_ documents: PostgresRows, _ drafts: PostgresRows) throws {
        try edit(documents) { app, row in
            let document = try StoredDocument(row, at: 2)
            let locale = row.text(1)
            if locale.isEmpty { app.manifest = document } else { app.strings[locale] = document }
        }
        try edit(drafts) { app, row in
            app.drafts[DocumentName(storedLocale: row.text(1))] = try StoredDocument(row, at: 2)
        }
    }

    private mutating func readRecipes(_ recipes: PostgresRows, retired: PostgresRows) throws {
        try edit(recipes) { $0.recipes.append(try StoredRecipe($1, at: 2, slug: $1.text(1))) }
        edit(retired) { $0.retiredRevisions[$1.text(1)] = Int($1.integer(2)) }
    }

    private mutating func readMessages(_ messages: PostgresRows) {
        edit(messages) { app, row in
            app.messages.append(
                StoredMessage(key: row.text(1), revision: Int(row.integer(2)), text: row.bytes(3)))
        }
    }

    private mutating func readRecords(_ records: PostgresRows) {
        edit(records) { app, row in
            let content = row.optionalText(4).map { slug in
                StoredRecord.Content.recipe(slug: slug, revision: Int(row.integer(5)), isPaused: row.integer(6) != 0)
            }
            app.records.append(
                StoredRecord(
                    collection: row.text(1), id: row.text(2), lastModified: row.integer(3),
                    content: content ?? .deleted))
        }
    }
}

extension StoredApp {
    /// Whether nothing was ever published for the app. Clients may still have written data under its name.
    fileprivate var isEmpty: Bool {
        revision == 0 && manifest == nil && strings.isEmpty && drafts.isEmpty && recipes.isEmpty
            && retiredRevisions.isEmpty && messages.isEmpty
    }
}
