internal import BellwetherBase
public import BellwetherJSON
public import BellwetherService

/// A value that a statement binds.
public enum ColumnValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    /// The name of an app, which SQLite stores as a number.
    case app(Identifier)
    case bytes([UInt8])
    /// A text that is available as bytes.
    case document([UInt8])

    public static func text(_ text: String?) -> ColumnValue { text.map { .text($0) } ?? .null }
    public static func text(_ id: Identifier) -> ColumnValue { .text(id.text) }
    public static func text(_ id: Identifier?) -> ColumnValue { .text(id?.text) }
    static func integer(_ number: Int64?) -> ColumnValue { number.map { .integer($0) } ?? .null }
    static func time(_ time: Timestamp?) -> ColumnValue { .integer(time?.milliseconds) }
    public static func version(_ version: UInt64) -> ColumnValue { .integer(Int64(bitPattern: version)) }
}

/// A row of a result. Columns count from 0; a NULL is read as 0 or empty.
public protocol ColumnReader {
    func integer(_ column: Int) -> Int64
    func optionalInteger(_ column: Int) -> Int64?
    func text(_ column: Int) -> String
    func optionalText(_ column: Int) -> String?
    func bytes(_ column: Int) -> [UInt8]
}

extension ColumnReader {
    /// The version of a row.
    public func version(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func time(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }

    public func identifier(_ column: Int) -> Identifier { Identifier(text(column)) }
    public func optionalIdentifier(_ column: Int) -> Identifier? { optionalText(column).map { Identifier($0) } }

    func optionalTime(_ column: Int) -> Timestamp? {
        optionalInteger(column).map { Timestamp(milliseconds: $0) }
    }
}

/// A connection that runs statements with `?` for each parameter, in one state of the store.
public protocol SQLSession {
    associatedtype Row: ColumnReader

    var dialect: Dialect { get }

    /// All rows, or those up to the first one for which `isEnough` is true.
    func all<Value>(
        _ sql: String, _ values: [ColumnValue], isEnough: (Value) -> Bool, _ read: (Row) throws -> Value
    ) throws -> [Value]
}

extension SQLSession {
    func all<Value>(_ sql: String, _ values: ColumnValue..., read: (Row) throws -> Value) throws -> [Value] {
        try all(sql, values, read: read)
    }

    func all<Value>(_ sql: String, _ values: [ColumnValue], read: (Row) throws -> Value) throws -> [Value] {
        let isEnough = { (_: Value) in false }
        return try all(sql, values, isEnough: isEnough, read)
    }
}

/// The SQL of one of the two stores, where they differ.
///
/// In PostgreSQL rows have the names of their app and client. In SQLite they have numbers, by which tables `app` and
/// `client` are joined.
public enum Dialect: Sendable {
    case sqlite, postgres

    /// The value that a column `app` has for the app of one parameter.
    var app: String { self == .sqlite ? "(SELECT key FROM app WHERE name = ?)" : "?" }

    /// The value that a column `client` has for a client, and its parameters.
    func client(_ client: ClientReference) -> (sql: String, values: [ColumnValue]) {
        switch self {
        case .sqlite:
            ("(SELECT key FROM client WHERE app = \(app) AND id = ?)", [.text(client.app), .text(client.id)])
        case .postgres: ("?", [.text(client.id)])
        }
    }

    /// A column of `t` as callers name its value.
    public func expression(_ column: String, of table: StoreTable) -> String {
        guard self == .sqlite else { return "t.\(column)" }
        switch column {
        case "app" where table == .small: return "coalesce((SELECT name FROM app WHERE key = t.app), '')"
        case "app": return "(SELECT name FROM app WHERE key = t.app)"
        case "client" where table == .answer: return "(SELECT id FROM client WHERE key = t.client)"
        default: return "t.\(column)"
        }
    }

    /// The name of a table.
    public func name(_ table: StoreTable) -> String {
        switch (table, self) {
        case (.user, .postgres): "app_user"
        case (.answer, .sqlite): "response"
        case (.reply, .sqlite): "idempotency"
        case (.small, .sqlite): "shared"
        case (.revision, .sqlite): "recipe_revision"
        case (.event, _): "event_id"
        case (.webhook, _): "outbox"
        case (.currentRun, _): "current_run"
        case (.runFile, _): "run_file"
        case (.range, _): "cursor_range"
        default: table.rawValue
        }
    }

    /// The source from which statements read a table, as `t`. SQLite has two tables of documents in force, without
    /// their authors.
    public func source(_ table: StoreTable) -> String {
        guard self == .sqlite, table == .document else { return "\(name(table)) t" }
        return """
            (SELECT app, '' AS locale, revision, source, text, published_at, '' AS author FROM manifest
            UNION ALL SELECT app, locale, revision, source, text, published_at, '' FROM strings) t
            """
    }
}

extension StoreTable {
    /// The order of the rows, for tables that number them.
    public var order: String {
        switch self {
        case .reply, .webhook, .range: "ORDER BY key"
        case .telemetry: "ORDER BY cursor"
        case .audit: "ORDER BY sequence"
        default: ""
        }
    }
}

/// A row with content that this program does not write.
public struct RowFault: Error {
    public let message: String

    public init(_ message: String) { self.message = message }
}
