internal import BellwetherBase
internal import BellwetherService
internal import PostgresWire

extension CatalogChange {
    /// The app that the change belongs to; nil if it belongs to none.
    var app: String? {
        switch self {
        case .manifest(let app, _), .deleteManifest(let app), .strings(let app, _, _), .deleteStrings(let app, _),
            .draft(let app, _, _), .recipe(let app, _), .deleteRecipe(let app, _), .message(let app, _),
            .record(let app, _), .revision(let app, _):
            app
        case .reply: nil
        }
    }

    /// The statements for the change. There are none for messages, which are written together, and for replies, which
    /// are separate rows.
    var statements: [PostgresStatement] {
        switch self {
        case .manifest(let app, let document): Self.setting(app, "", document)
        case .strings(let app, let locale, let document): Self.setting(app, locale, document)
        case .deleteManifest(let app): Self.deletion(app, "", from: ["draft", "document"])
        case .deleteStrings(let app, let locale): Self.deletion(app, locale, from: ["draft", "document"])
        case .draft(let app, let name, let document): [Self.upsert("draft", app, name.locale ?? "", document)]
        case .recipe(let app, let recipe): Self.setting(app, recipe)
        case .deleteRecipe(let app, let slug):
            [.numbering("DELETE FROM recipe WHERE app = ? AND slug = ?", .text(app), .text(slug))]
        case .record(let app, let record): [Self.setting(app, record)]
        case .revision(let app, let revision):
            [
                .numbering(
                    "UPDATE app SET revision = ? WHERE name = ?", .integer(Int64(clamping: revision)), .text(app))
            ]
        case .message, .reply: []
        }
    }

    private static func setting(
        _ app: String, _ locale: String, _ document: StoredDocument
    ) -> [PostgresStatement] {
        deletion(app, locale, from: ["draft"]) + [upsert("document", app, locale, document)]
    }

    private static func deletion(_ app: String, _ locale: String, from tables: [String]) -> [PostgresStatement] {
        tables.map { .numbering("DELETE FROM \($0) WHERE app = ? AND locale = ?", .text(app), .text(locale)) }
    }

    private static func upsert(
        _ table: String, _ app: String, _ locale: String, _ document: StoredDocument
    ) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO \(table) (app, locale, revision, source, text, published_at, author)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, locale) DO UPDATE SET revision = excluded.revision, source = excluded.source,
                text = excluded.text, published_at = excluded.published_at, author = excluded.author
            """, [.text(app), .text(locale)] + document.values)
    }

    private static func setting(_ app: String, _ recipe: StoredRecipe) -> [PostgresStatement] {
        let revision = PostgresStatement.numbering(
            """
            INSERT INTO revision (app, slug, revision, source, text, published_at, author)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, [.text(app), .text(recipe.slug)] + recipe.document.values)
        let row = PostgresStatement.numbering(
            """
            INSERT INTO recipe (app, slug, state, revision, in_force, state_since) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, slug) DO UPDATE SET state = excluded.state, revision = excluded.revision,
                in_force = excluded.in_force, state_since = excluded.state_since
            """, .text(app), .text(recipe.slug), .text(recipe.state.rawValue),
            .integer(Int64(recipe.document.revision)), .integer(recipe.inForce.map { Int64($0.revision) }),
            .integer(recipe.stateSince?.milliseconds))
        return [revision, row]
    }

    private static func setting(_ app: String, _ record: StoredRecord) -> PostgresStatement {
        let content: [PostgresValue] =
            switch record.content {
            case .recipe(let slug, let revision, let isPaused):
                [.text(slug), .integer(Int64(revision)), .integer(isPaused ? 1 : 0)]
            case .deleted: [.null, .integer(0), .integer(0)]
            }
        return .numbering(
            """
            INSERT INTO record (app, collection, id, last_modified, slug, revision, paused)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, collection, id) DO UPDATE SET last_modified = excluded.last_modified,
                slug = excluded.slug, revision = excluded.revision, paused = excluded.paused
            """,
            [.text(app), .text(record.collection), .text(record.id), .integer(record.lastModified)] + content)
    }
}

extension PostgresStatement {
    /// Inserts messages. A message that exists already is not written again.
    static func insertion(of messages: [(app: String, message: StoredMessage)]) -> PostgresStatement {
        .numbering(
            """
            INSERT INTO message (app, key, revision, text)
                SELECT * FROM unnest(?::text[], ?::text[], ?::int8[], ?::bytea[]) ON CONFLICT DO NOTHING
            """, .texts(messages.map(\.app)), .texts(messages.map(\.message.key)),
            .integers(messages.map { Int64($0.message.revision) }), .byteArrays(messages.map(\.message.text)))
    }
}

/// The rows of a publish that never change: revisions of recipes, and messages.
struct CatalogHistory {
    private typealias Version = (app: String, name: String, revision: Int, text: [UInt8])

    private var revisions: [Version] = []
    private var messages: [Version] = []

    init(_ changes: [CatalogChange]) {
        for change in changes {
            switch change {
            case .recipe(let app, let recipe):
                revisions.append((app, recipe.slug, recipe.document.revision, recipe.document.text))
            case .message(let app, let message):
                messages.append((app, message.key, message.revision, message.text))
            default: break
            }
        }
    }

    /// Each statement returns the name of a stored version whose text differs, if there is one.
    var conflicts: [PostgresStatement] {
        [(revisions, "revision", "slug"), (messages, "message", "key")].compactMap { versions, table, name in
            guard !versions.isEmpty else { return nil }
            return .numbering(
                """
                SELECT 'revision ' || t.revision || ' of ' || t.\(name)
                FROM unnest(?::text[], ?::text[], ?::int8[], ?::bytea[]) u(app, name, revision, text)
                JOIN \(table) t ON t.app = u.app AND t.\(name) = u.name AND t.revision = u.revision
                WHERE t.text <> u.text LIMIT 1
                """, .texts(versions.map(\.app)), .texts(versions.map(\.name)),
                .integers(versions.map { Int64($0.revision) }), .byteArrays(versions.map(\.text)))
        }
    }
}
