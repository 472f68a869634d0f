internal import CSQLite

/// A value bound to a statement.
public enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    /// Text that is available as bytes.
    case utf8([UInt8])
    case blob([UInt8])

    public static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    /// The version of a row.
    public static func version(_ version: UInt64) -> SQLValue { .integer(Int64(bitPattern: version)) }
}

/// A statement of a connection, which prepares each text once. It is valid as long as the connection is open.
///
/// Texts are bound with their length, so that a NUL does not end them.
public struct Prepared {
    private let connection: SQLiteConnection
    private let statement: OpaquePointer
    private let sql: String

    public init(_ connection: SQLiteConnection, _ sql: String) throws {
        self.connection = connection
        self.sql = sql
        statement = try connection.statement(sql)
    }

    /// Runs the statement to the end and returns how many rows changed.
    @discardableResult
    public func run(_ values: SQLValue...) throws -> Int { try run(values) }

    @discardableResult
    public func run(_ values: [SQLValue]) throws -> Int {
        defer { reset() }
        try bind(values)
        while try step() {}
        return connection.changes
    }

    /// The first row, if there is one.
    public func first<Value>(_ values: SQLValue..., read: (SQLRow) throws -> Value) throws -> Value? {
        try first(values, read: read)
    }

    public func first<Value>(_ values: [SQLValue], read: (SQLRow) throws -> Value) throws -> Value? {
        defer { reset() }
        try bind(values)
        return try step() ? read(SQLRow(statement: statement)) : nil
    }

    /// Every row, in order, up to the first row for which `isEnough` is true.
    public func all<Value>(
        _ values: SQLValue..., read: (SQLRow) throws -> Value, isEnough: (Value) -> Bool = { _ in false }
    ) throws -> [Value] { try all(values, read: read, isEnough: isEnough) }

    public func all<Value>(
        _ values: [SQLValue], read: (SQLRow) throws -> Value, isEnough: (Value) -> Bool = { _ in false }
    ) throws -> [Value] {
        defer { reset() }
        try bind(values)
        var found: [Value] = []
        while try step() {
            let value = try read(SQLRow(statement: statement))
            found.append(value)
            if isEnough(value) { break }
        }
        return found
    }

    private func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    private func bind(_ values: [SQLValue]) throws {
        for (position, value) in values.enumerated() {
            let code = value.bind(to: statement, at: Int32(position + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// Resets the statement, and frees SQLite's copies of the bound values.
    private func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    private func failure(_ code: Int32) -> SQLiteError { connection.failure(code, sql) }
}

/// The current row of a statement. Columns count from 0.
public struct SQLRow {
    fileprivate let statement: OpaquePointer

    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    public func optionalInteger(_ column: Int) -> Int64? {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL ? nil : integer(column)
    }

    public func bytes(_ column: Int) -> [UInt8] {
        let start = sqlite3_column_blob(statement, Int32(column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    }

    public func text(_ column: Int) -> String {
        let start = sqlite3_column_blob(statement, Int32(column))
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
        return String(decoding: bytes, as: UTF8.self)
    }

    public func optionalText(_ column: Int) -> String? {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL ? nil : text(column)
    }
}

extension SQLValue {
    /// Makes SQLite copy the bound value before the call returns.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .text(var text):
            return text.withUTF8 { Self.bindText($0, to: statement, at: index) }
        case .utf8(let bytes):
            return bytes.withUnsafeBufferPointer { Self.bindText($0, to: statement, at: index) }
        case .blob(let bytes):
            // A null pointer would bind NULL.
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), Self.transient)
        }
    }

    private static func bindText(
        _ bytes: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: Int32
    ) -> Int32 {
        guard !bytes.isEmpty else { return sqlite3_bind_text(statement, index, "", 0, transient) }
        return bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text64(statement, index, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
    }
}
