/// The footer's description of a column in one row group.
struct ChunkDescription: Sendable {
    let column: ParquetColumn
    let codec: ParquetCompressor.Codec
    let rows: Int
    let nulls: Int
    var bounds: (min: [UInt8], max: [UInt8])?
    var dictionaryOffset: Int?
    var dataOffset = 0
    var compressedBytes = 0
    var uncompressedBytes = 0

    init(column: ParquetColumn, codec: ParquetCompressor.Codec, rows: Int, nulls: Int) {
        self.column = column
        self.codec = codec
        self.rows = rows
        self.nulls = nulls
    }

    var start: Int { dictionaryOffset ?? dataOffset }
}

/// The footer's description of a row group.
struct GroupDescription: Sendable {
    let rows: Int
    let chunks: [ChunkDescription]
}

/// The end of a file (FileMetaData of parquet.thrift): the schema, and where everything is.
struct Footer {
    /// No version: the same rows give the same bytes in each release.
    private static let creator = "bellwether version 1"

    let columns: [ParquetColumn]
    let groups: [GroupDescription]
    let metadata: [(key: String, value: String)]

    func encoded() -> [UInt8] {
        ThriftWriter.structure { writer in
            writer.field(1, Int32(1))
            writer.list(2, [nil] + columns, schemaElement)
            writer.field(3, Int64(groups.reduce(0) { $0 + $1.rows }))
            writer.list(4, groups, rowGroup)
            writer.list(5, metadata) { writer, entry in
                writer.field(1, entry.key.utf8)
                writer.field(2, entry.value.utf8)
            }
            writer.field(6, Self.creator.utf8)
            // The order of each type. Readers ignore bounds without it.
            writer.list(7, columns) { writer, _ in writer.emptyField(1) }
        }
    }

    /// A column; nil is the root.
    private func schemaElement(_ writer: inout ThriftWriter, _ column: ParquetColumn?) {
        guard let column else {
            writer.field(4, "schema".utf8)
            writer.field(5, Int32(columns.count))
            return
        }
        writer.field(1, column.type.code)
        writer.field(3, Int32(column.isRequired ? 0 : 1))
        writer.field(4, column.name.utf8)
        switch column.type {
        case .boolean, .int32, .int64, .double: break
        case .string:
            writer.field(6, Int32(0))
            writer.field(10) { $0.emptyField(1) }
        case .timestamp:
            writer.field(6, Int32(9))
            writer.field(10) {
                $0.field(8) {
                    // In UTC, in milliseconds.
                    $0.field(1, true)
                    $0.field(2) { $0.emptyField(1) }
                }
            }
        }
    }

    private func rowGroup(_ writer: inout ThriftWriter, _ group: GroupDescription) {
        writer.list(1, group.chunks, chunk)
        writer.field(2, Int64(group.chunks.reduce(0) { $0 + $1.uncompressedBytes }))
        writer.field(3, Int64(group.rows))
        writer.field(5, Int64(group.chunks.first?.start ?? 0))
        writer.field(6, Int64(group.chunks.reduce(0) { $0 + $1.compressedBytes }))
    }

    private func chunk(_ writer: inout ThriftWriter, _ chunk: ChunkDescription) {
        // The place of a copy of this description, which no file has any more.
        writer.field(2, Int64(0))
        writer.field(3) { writer in
            writer.field(1, chunk.column.type.code)
            let indexed = chunk.dictionaryOffset == nil ? [] : [Page.EncodingCode.dictionary]
            writer.list(2, [Page.EncodingCode.plain, Page.EncodingCode.runLength] + indexed)
            writer.list(3, [chunk.column.name])
            writer.field(4, chunk.codec.rawValue)
            writer.field(5, Int64(chunk.rows))
            writer.field(6, Int64(chunk.uncompressedBytes))
            writer.field(7, Int64(chunk.compressedBytes))
            writer.field(9, Int64(chunk.dataOffset))
            if let offset = chunk.dictionaryOffset { writer.field(11, Int64(offset)) }
            writer.field(12) { writer in
                writer.field(3, Int64(chunk.nulls))
                guard let bounds = chunk.bounds else { return }
                writer.field(5, bounds.max)
                writer.field(6, bounds.min)
            }
        }
    }
}

extension ParquetType {
    /// The format's number of the physical type.
    fileprivate var code: Int32 {
        switch self {
        case .boolean: return 0
        case .int32: return 1
        case .int64, .timestamp: return 2
        case .double: return 5
        case .string: return 6
        }
    }
}
