public import SQLiteWire
public import StoreTables

extension SQLiteConnection: SQLSession {
    public var dialect: Dialect { .sqlite }

    public func all<Value>(
        _ sql: String, _ values: [ColumnValue], isEnough: (Value) -> Bool, _ read: (SQLRow) throws -> Value
    ) throws -> [Value] {
        try Prepared(self, sql).all(values.map { SQLValue($0) }, read: read, isEnough: isEnough)
    }
}

extension SQLRow: ColumnReader {}

extension SQLValue {
    init(_ value: ColumnValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text), .app(let text): .text(text)
            case .bytes(let bytes): .blob(bytes)
            case .document(let bytes): .utf8(bytes)
            }
    }
}
