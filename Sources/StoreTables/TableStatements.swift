internal import BellwetherBase
internal import BellwetherJSON
public import BellwetherService

/// The statements that read and write one row of a table. Their parameters are the columns in the order of
/// `StoreTable`. The texts are made once.
public struct TableStatements: Sendable {
    public enum Action: Sendable {
        case insert
        /// Inserts a row, unless there is one with its key.
        case insertOnce
        /// Inserts a row, or sets all columns of the row with its key.
        case upsert
        /// Sets all columns of the row with a key; the key comes last.
        case update
        case delete
    }

    /// Reads the version and the value of the row with a key of names.
    public let select: String
    /// Reads the version of the row with a key of names.
    public let version: String
    private let writes: [Action: [String]]

    /// The statements of a write, which all have the same parameters.
    public subscript(_ action: Action) -> [String] { writes[action] ?? [] }

    private init(_ table: StoreTable, _ dialect: Dialect) {
        let names = table.columns.map(\.name)
        let keys = names.prefix(table.keyCount)
        let named = keys.enumerated().map { place, column in
            "t.\(column) = \(dialect.key(column, at: place + 1, of: table))"
        }.joined(separator: " AND ")
        let source = dialect.source(table)
        version = "SELECT \(table.version) FROM \(source) WHERE \(named)"
        select = """
            SELECT \(table.version), \(table.selection(dialect)) FROM \(source) \(table.joins(dialect)) WHERE \(named)
            """
        writes =
            table == .document && dialect == .sqlite
            ? [.upsert: Dialect.documentInsertions, .delete: Dialect.documentDeletions]
            : Self.writes(dialect.name(table), names, Array(keys), dialect)
    }

    private static func writes(
        _ table: String, _ names: [String], _ keys: [String], _ dialect: Dialect
    ) -> [Action: [String]] {
        let others = names.dropFirst(keys.count)
        let match = { (first: Int) in
            keys.enumerated().map { "\($1) = \(dialect.mark($0 + first))" }.joined(separator: " AND ")
        }
        let marks = names.indices.map { dialect.mark($0 + 1) }.joined(separator: ", ")
        let insert = "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        let excluded = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let settings = others.enumerated().map { "\($1) = \(dialect.mark($0 + 1))" }.joined(separator: ", ")
        return [
            .insert: [insert],
            .insertOnce: ["\(insert) ON CONFLICT DO NOTHING"],
            .upsert: ["\(insert) ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET \(excluded)"],
            .update: ["UPDATE \(table) SET \(settings) WHERE \(match(others.count + 1))"],
            .delete: ["DELETE FROM \(table) WHERE \(match(1))"],
        ]
    }

    private static func all(_ dialect: Dialect) -> [StoreTable: TableStatements] {
        Dictionary(uniqueKeysWithValues: StoreTable.allCases.map { ($0, TableStatements($0, dialect)) })
    }

    public static let sqlite = all(.sqlite)
    public static let postgres = all(.postgres)
}

extension Dialect {
    fileprivate func mark(_ place: Int) -> String { self == .sqlite ? "?\(place)" : "$\(place)" }

    /// The stored value of a column of a key, whose names are parameters 1, 2, ….
    fileprivate func key(_ column: String, at place: Int, of table: StoreTable) -> String {
        guard self == .sqlite else { return mark(place) }
        switch column {
        case "app" where table == .small:
            let kinds = SmallRow.kindsWithoutApp.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return "CASE WHEN ?1 IN (\(kinds)) THEN 0 ELSE (SELECT key FROM app WHERE name = ?\(place)) END"
        case "app": return "(SELECT key FROM app WHERE name = ?\(place))"
        case "client":
            return "(SELECT key FROM client WHERE app = (SELECT key FROM app WHERE name = ?1) AND id = ?\(place))"
        default: return "?\(place)"
        }
    }

    /// SQLite has two tables of documents in force, without their authors.
    fileprivate static let documentInsertions = [
        """
        INSERT OR REPLACE INTO manifest (app, revision, source, text, published_at)
        SELECT ?1, ?3, ?4, ?5, ?6 WHERE ?2 = '' AND ?7 IS NOT NULL
        """,
        """
        INSERT OR REPLACE INTO strings (app, locale, revision, source, text, published_at)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?2 <> '' AND ?7 IS NOT NULL
        """,
    ]
    fileprivate static let documentDeletions = [
        "DELETE FROM manifest WHERE app = ?1 AND ?2 = ''", "DELETE FROM strings WHERE app = ?1 AND locale = ?2",
    ]
}

/// One write of a row.
public struct TableWrite: Sendable {
    public let table: StoreTable
    public let action: TableStatements.Action
    public let values: [ColumnValue]

    public init(_ table: StoreTable, _ action: TableStatements.Action, _ values: [ColumnValue]) {
        (self.table, self.action, self.values) = (table, action, values)
    }
}

extension CatalogChange {
    /// The writes of the change. The app's revision and a reply are no such writes.
    public var writes: [TableWrite] {
        switch self {
        case .manifest(let app, let document): Self.setting(app, "", document)
        case .strings(let app, let locale, let document): Self.setting(app, locale, document)
        case .deleteManifest(let app): Self.deletion(app, "")
        case .deleteStrings(let app, let locale): Self.deletion(app, locale)
        case .draft(let app, let name, let document):
            [TableWrite(.draft, .upsert, [.app(app), .text(name.locale ?? "")] + document.columns)]
        case .recipe(let app, let recipe):
            [
                TableWrite(.revision, .insertOnce, [.app(app), .text(recipe.slug)] + recipe.document.columns),
                TableWrite(.recipe, .upsert, [.app(app), .text(recipe.slug)] + recipe.columns),
            ]
        case .approval(let app, let slug, let document):
            [TableWrite(.revision, .upsert, [.app(app), .text(slug)] + document.columns)]
        case .deleteRecipe(let app, let slug): [TableWrite(.recipe, .delete, [.app(app), .text(slug)])]
        case .message(let app, let message):
            [
                TableWrite(
                    .message, .insertOnce,
                    [.app(app), .text(message.key), .integer(Int64(message.revision)), .document(message.text)])
            ]
        case .record(let app, let record):
            [TableWrite(.record, .upsert, [.app(app), .text(record.collection), .text(record.id)] + record.columns)]
        case .revision, .periods, .definitions, .pause, .reply, .list, .notices: []
        }
    }

    private static func setting(_ app: Identifier, _ locale: Identifier, _ document: StoredDocument) -> [TableWrite] {
        let key: [ColumnValue] = [.app(app), .text(locale)]
        return [TableWrite(.draft, .delete, key), TableWrite(.document, .upsert, key + document.columns)]
    }

    private static func deletion(_ app: Identifier, _ locale: Identifier) -> [TableWrite] {
        [.draft, .document].map { TableWrite($0, .delete, [.app(app), .text(locale)]) }
    }
}
