internal import CPostgres

/// The rows that a statement returned. libpq owns their memory.
public final class PostgresRows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    public var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement changed or found.
    public var changed: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    public subscript(_ index: Int) -> PostgresRow { PostgresRow(rows: self, index: Int32(index)) }

    public func map<Value, Failure: Error>(
        _ read: (PostgresRow) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count { values.append(try read(self[index])) }
        return values
    }

    public func first<Value, Failure: Error>(
        _ read: (PostgresRow) throws(Failure) -> Value
    ) throws(Failure) -> Value? { count > 0 ? try read(self[0]) : nil }

    fileprivate func value<Value>(
        _ row: Int32, _ column: Int32, _ read: (UnsafeRawBufferPointer) -> Value
    ) -> Value? {
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        let count = Int(PQgetlength(result, row, column))
        return read(UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count))
    }
}

/// A row of a result; its columns are numbered from 0. A NULL is read as 0 or empty.
public struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let index: Int32

    public func isNull(_ column: Int) -> Bool { rows.value(index, Int32(column)) { _ in true } == nil }

    public func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }

    /// The value of a boolean, or of an integer of any size.
    public func optionalInteger(_ column: Int) -> Int64? {
        rows.value(index, Int32(column)) { bytes in
            let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return switch bytes.count {
            case 2: Int64(Int16(truncatingIfNeeded: number))
            case 4: Int64(Int32(truncatingIfNeeded: number))
            default: Int64(bitPattern: number)
            }
        }
    }

    public func text(_ column: Int) -> String { optionalText(column) ?? "" }

    public func optionalText(_ column: Int) -> String? {
        rows.value(index, Int32(column), PostgresText.decode)
    }

    public func bytes(_ column: Int) -> [UInt8] { rows.value(index, Int32(column)) { Array($0) } ?? [] }
}
