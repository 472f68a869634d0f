internal import BellwetherJSON
internal import BellwetherService
public import PostgresWire
public import StoreTables

/// Statements on a connection, each of which has to end within some seconds.
struct PostgresSession: SQLSession {
    let connection: PostgresConnection
    let seconds: Double

    var dialect: Dialect { .postgres }

    func all<Value>(
        _ sql: String, _ values: [ColumnValue], isEnough: (Value) -> Bool, _ read: (PostgresRow) throws -> Value
    ) throws -> [Value] {
        let rows = try run(.numbering(sql, values.map { PostgresValue($0) }))
        var found: [Value] = []
        found.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let value = try read(rows[index])
            found.append(value)
            if isEnough(value) { break }
        }
        return found
    }

    /// Runs a body whose statements read one snapshot.
    func snapshot<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
        _ = try run(PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        do {
            let value = try body(self)
            _ = try run(PostgresStatement("COMMIT"))
            return value
        } catch {
            if connection.isInTransaction { _ = try? run(PostgresStatement("ROLLBACK")) }
            throw error
        }
    }

    private func run(_ statement: PostgresStatement) throws -> PostgresRows {
        try connection.run([statement], seconds: seconds)[0]
    }

    /// The rows of an index, with the versions that callers know.
    func findRows(_ index: RowIndex, limit: Int) throws -> [FoundRow] {
        try find(index, limit: limit).map { row in
            let mark = VersionMark(connection, RowAddress(row.name).table)
            return FoundRow(name: row.name, version: mark.told(row.version), value: row.value)
        }
    }
}

extension PostgresRow: ColumnReader {}

extension PostgresValue {
    static func text(_ id: Identifier) -> PostgresValue { .text(id.text) }
    static func text(_ id: Identifier?) -> PostgresValue { .text(id?.text) }
    static func texts(_ ids: [Identifier]) -> PostgresValue { .texts(ids.map(\.text)) }
    static func texts(_ ids: [Identifier?]) -> PostgresValue { .texts(ids.map { $0?.text }) }

    init(_ value: ColumnValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .text(let text): .text(text)
            case .app(let name): .text(name)
            case .bytes(let bytes), .document(let bytes): .bytes(bytes)
            }
    }
}

extension PostgresStatement {
    /// The statements of a write of one row.
    static func writing(_ write: TableWrite) -> [PostgresStatement] {
        let values = write.values.map { PostgresValue($0) }
        return (TableStatements.postgres[write.table]?[write.action] ?? []).map { PostgresStatement($0, values) }
    }

    /// A statement whose text has `?` for each parameter, in order.
    static func numbering(_ sql: String, _ values: [PostgresValue] = []) -> PostgresStatement {
        var number = 0
        var text = ""
        text.reserveCapacity(sql.utf8.count + 16)
        for character in sql.unicodeScalars {
            if character == "?" {
                number += 1
                text += "$\(number)"
            } else {
                text.unicodeScalars.append(character)
            }
        }
        return PostgresStatement(text, values)
    }

    static func numbering(_ sql: String, _ values: PostgresValue...) -> PostgresStatement { numbering(sql, values) }
}
