/// Writes rows as a file of Apache Parquet from its first byte to its last. It never goes back, so that the output can
/// be a pipe. It holds one row group, and what the footer says of those before it.
///
/// A file is flat: no lists, maps or repeated values. The same rows and metadata give the same bytes.
public struct ParquetWriter: Sendable {
    /// A row group ends when its values have this many bytes before compression.
    public static let groupBytes = 64 << 20
    private static let magic = Array("PAR1".utf8)

    private let columns: [ParquetColumn]
    private let compressor: ParquetCompressor
    private let rowsPerGroup: Int
    private var chunks: [ColumnChunk]
    private var groups: [GroupDescription] = []
    /// The bytes put out so far.
    private var written = 0
    private var writtenRows = 0
    private var groupRows = 0
    private var heldBytes = 0

    /// The names of the columns must differ.
    public init(_ columns: [ParquetColumn], compressor: ParquetCompressor, rowsPerGroup: Int = 100_000) {
        precondition(!columns.isEmpty && rowsPerGroup > 0, "a file needs columns, and groups need rows")
        self.columns = columns
        self.compressor = compressor
        self.rowsPerGroup = rowsPerGroup
        chunks = columns.map { ColumnChunk($0, compressor) }
    }

    /// The rows so far.
    public var rows: Int { writtenRows + groupRows }

    /// Ends the row, in which a column without a value is null. A full row group is appended to `output`.
    public mutating func endRow(_ output: inout [UInt8]) {
        groupRows += 1
        if groupRows == rowsPerGroup || heldBytes >= Self.groupBytes { endGroup(&output) }
    }

    /// Appends the last row group and the footer to `output`. The writer cannot be used afterwards.
    public mutating func finish(metadata: [(key: String, value: String)], _ output: inout [UInt8]) {
        if groupRows > 0 { endGroup(&output) }
        if written == 0 { output += Self.magic }
        let footer = Footer(columns: columns, groups: groups, metadata: metadata).encoded()
        output += footer
        output.append(littleEndian: UInt32(footer.count))
        output += Self.magic
    }

    private mutating func endGroup(_ output: inout [UInt8]) {
        // The file is longer than the output by what the caller has taken away already.
        let offset = written - output.count
        if written == 0 { output += Self.magic }
        var descriptions: [ChunkDescription] = []
        for index in chunks.indices {
            descriptions.append(chunks[index].finish(rows: groupRows, &output, offset: offset))
            chunks[index] = ColumnChunk(columns[index], compressor)
        }
        groups.append(GroupDescription(rows: groupRows, chunks: descriptions))
        written = output.count + offset
        writtenRows += groupRows
        groupRows = 0
        heldBytes = 0
    }
}

/// The values of the current row, each of its column's type.
///
/// A column that gets none is null. The first value of a column in a row counts, and later ones are ignored. A value of
/// another type ends the process, and so does a required column without a value, when the column goes on or ends.
extension ParquetWriter {
    public mutating func set(_ column: Int, _ value: Bool) {
        guard takes(column, columns[column].type == .boolean) else { return }
        chunks[column].append(value, row: groupRows)
        heldBytes += 1
    }

    /// A value of an int32, int64 or timestamp column. One that an int32 cannot represent is null.
    public mutating func set(_ column: Int, _ value: Int64) {
        guard takes(column, columns[column].type.isInteger) else { return }
        if columns[column].type == .int32, Int32(exactly: value) == nil { return }
        chunks[column].append(value, row: groupRows)
        heldBytes += 8
    }

    public mutating func set(_ column: Int, _ value: Double) {
        guard takes(column, columns[column].type == .double) else { return }
        chunks[column].append(value, row: groupRows)
        heldBytes += 8
    }

    public mutating func set(_ column: Int, _ text: String) {
        var text = text
        text.withUTF8 { set(column, $0) }
    }

    /// A text as valid UTF-8, which is not checked here: readers refuse a file with other bytes.
    public mutating func set(_ column: Int, _ text: ArraySlice<UInt8>) {
        text.withUnsafeBufferPointer { set(column, $0) }
    }

    /// A text as valid UTF-8, as with a slice of an array.
    public mutating func set(_ column: Int, _ text: UnsafeBufferPointer<UInt8>) {
        guard takes(column, columns[column].type == .string) else { return }
        chunks[column].append(UnsafeRawBufferPointer(text), row: groupRows)
        heldBytes += text.count + 4
    }

    private func takes(_ column: Int, _ isOfItsType: Bool) -> Bool {
        precondition(isOfItsType, "a value of another type than its column's")
        return !chunks[column].hasValue(row: groupRows)
    }
}

extension ParquetType {
    fileprivate var isInteger: Bool { self == .int32 || self == .int64 || self == .timestamp }
}
