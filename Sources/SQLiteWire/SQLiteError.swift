internal import CSQLite

/// A failure that SQLite reports (sqlite.org/rescode.html).
public struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code.
    public let code: Int32
    /// SQLite's sentence. It never has the values of a statement.
    public let message: String
    public let sql: String?

    public init(code: Int32, message: String, sql: String? = nil) {
        (self.code, self.message, self.sql) = (code, message, sql)
    }

    /// The primary result code.
    public var primary: Primary? { Primary(rawValue: code & 0xFF) }

    /// The primary codes that callers tell apart.
    public enum Primary: Int32, Sendable {
        case busy = 5
        case interrupted = 9
        case corrupt = 11
        case full = 13
        case tooBig = 18
        case constraint = 19
        case mismatch = 20
        case notADatabase = 26
    }

    public var description: String { "SQLite \(code): \(message)" + (sql.map { " in \($0)" } ?? "") }
}
