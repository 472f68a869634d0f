internal import BellwetherJSON
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
    static func text(_ id: Identifier) -> SQLValue { .text(id.text) }
    static func text(_ id: Identifier?) -> SQLValue { .text(id?.text) }

    init(_ value: ColumnValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .app(let name): .text(name)
            case .bytes(let bytes): .blob(bytes)
            case .document(let bytes): .utf8(bytes)
            }
    }
}
