internal import BellwetherBase
import BellwetherJSON
internal import BellwetherService
internal import PostgresWire

extension CatalogChange {
    /// The app that the change belongs to; nil if it belongs to none.
    var app: Identifier? {
        switch self {
        case .manifest(let app, _), .deleteManifest(let app), .strings(let app, _, _), .deleteStrings(let app, _),
            .draft(let app, _, _), .recipe(let app, _), .approval(let app, _, _), .deleteRecipe(let app, _),
            .message(let app, _), .record(let app, _), .revision(let app, _), .periods(let app, _, _),
            .definitions(let app, _),
            .pause(let app, _, _, _), .list(let app, _):
            app
        case .reply, .notices: nil
        }
    }
}

extension PostgresStatement {
    /// Inserts messages. A message that exists already is not written again.
    static func insertion(of messages: [(app: Identifier, message: StoredMessage)]) -> PostgresStatement {
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
    private typealias Version = (app: Identifier, name: Identifier, revision: Int, text: [UInt8])

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
