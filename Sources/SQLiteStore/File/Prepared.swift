import GRDB
import GRDBSQLite

/// A value bound to a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    /// Text that is available as bytes.
    case utf8([UInt8])
    case blob([UInt8])

    static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    /// The version of a row.
    static func version(_ version: UInt64) -> SQLValue { .integer(Int64(bitPattern: version)) }
}

/// One statement from GRDB's cache, bound and stepped through SQLite's own interface.
///
/// GRDB binds a text only up to its first NUL, so two ids could become one. GRDB's arguments also cost more than the
/// insert of a small row. The statement is valid as long as the access to the database that made it.
struct Prepared {
    private let database: Database
    private let statement: Statement

    init(_ database: Database, _ sql: String) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
    }

    /// Runs the statement to the end and returns how many rows changed.
    @discardableResult
    func run(_ values: SQLValue...) throws -> Int { try run(values) }

    @discardableResult
    func run(_ values: [SQLValue]) throws -> Int {
        defer { reset() }
        try bind(values)
        while try step() {}
        return Int(sqlite3_changes(database.sqliteConnection))
    }

    /// The first row, if there is one.
    func first<Value>(_ values: SQLValue..., read: (SQLRow) throws -> Value) throws -> Value? {
        defer { reset() }
        try bind(values)
        return try step() ? read(SQLRow(statement: statement.sqliteStatement)) : nil
    }

    /// Every row, in order, up to the first row for which `isEnough` is true.
    func all<Value>(
        _ values: SQLValue..., read: (SQLRow) throws -> Value, isEnough: (Value) -> Bool = { _ in false }
    ) throws -> [Value] { try all(values, read: read, isEnough: isEnough) }

    func all<Value>(
        _ values: [SQLValue], read: (SQLRow) throws -> Value, isEnough: (Value) -> Bool = { _ in false }
    ) throws -> [Value] {
        defer { reset() }
        try bind(values)
        var found: [Value] = []
        while try step() {
            let value = try read(SQLRow(statement: statement.sqliteStatement))
            found.append(value)
            if isEnough(value) { break }
        }
        return found
    }

    private func step() throws -> Bool {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    private func bind(_ values: [SQLValue]) throws {
        for (position, value) in values.enumerated() {
            let code = value.bind(to: statement.sqliteStatement, at: Int32(position + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// Resets the statement, and frees SQLite's copies of the bound values.
    private func reset() {
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: statement.sql)
    }
}

/// The current row of a statement. Columns count from 0.
struct SQLRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// The version of a row.
    func version(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : integer(column)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(statement, column)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func text(_ column: Int32) -> String {
        let start = sqlite3_column_blob(statement, column)
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : text(column)
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
