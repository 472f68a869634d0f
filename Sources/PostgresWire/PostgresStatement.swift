/// One statement with its parameters: `$1`, `$2`, …
///
/// It has no name at the server. So it also works through a connection pooler that uses another server connection for
/// each transaction.
public struct PostgresStatement: Sendable {
    public let sql: String
    public let values: [PostgresValue]

    public init(_ sql: String, _ values: [PostgresValue] = []) { (self.sql, self.values) = (sql, values) }

    public init(_ sql: String, _ values: PostgresValue...) { self.init(sql, values) }
}
