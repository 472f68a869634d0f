/// The values of one column in one row group: finished pages, and the page that takes values.
///
/// Values are indices into a dictionary as long as it has room, then they are written as they are (PLAIN). A page has
/// one form throughout. A page without values is PLAIN, since readers refuse a page of indices without a dictionary.
struct ColumnChunk: Sendable {
    /// A page ends when it has either.
    private static let pageValues = 20_000
    private static let pageBytes = 1 << 20

    private let column: ParquetColumn
    private let compressor: ParquetCompressor
    private var dictionary: ValueDictionary
    /// Whether values still go into the dictionary.
    private var usesDictionary: Bool
    private var bounds = ValueBounds()
    private var nulls = 0
    private var rows = 0

    // The page that takes values: `indices` or `plain` is empty.
    private var levels = RunLengthEncoder(bitWidth: 1)
    private var indices: [UInt32] = []
    /// The bytes of the values that `indices` stands for.
    private var indexedBytes = 0
    private var plain: [UInt8] = []
    private var values = 0
    private var firstRow = 0

    private var pages: [UInt8] = []
    private var uncompressedBytes = 0

    init(_ column: ParquetColumn, _ compressor: ParquetCompressor) {
        self.column = column
        self.compressor = compressor
        dictionary = ValueDictionary(isText: column.type == .string)
        usesDictionary = column.type != .boolean
    }

    /// Whether the row, counted from 0 in the group, has a value.
    func hasValue(row: Int) -> Bool { rows > row }

    mutating func append(_ value: Bool, row: Int) {
        begin(row)
        if values.isMultiple(of: 8) { plain.append(0) }
        if value { plain[plain.count - 1] |= 1 << UInt8(values % 8) }
        end()
    }

    mutating func append(_ value: Int64, row: Int) {
        begin(row)
        let isNew =
            column.type == .int32
            ? withUnsafeBytes(of: Int32(value).littleEndian) { store($0) }
            : withUnsafeBytes(of: value.littleEndian) { store($0) }
        if isNew, column.hasStatistics { bounds.include(value) }
        end()
    }

    mutating func append(_ value: Double, row: Int) {
        begin(row)
        let isNew = withUnsafeBytes(of: value.bitPattern.littleEndian) { store($0) }
        if isNew, column.hasStatistics { bounds.include(value) }
        end()
    }

    mutating func append(_ text: UnsafeRawBufferPointer, row: Int) {
        begin(row)
        if store(text), column.hasStatistics { bounds.include(text) }
        end()
    }

    /// Appends the chunk to the file, which is `offset` bytes longer than `output`, and describes it for the footer.
    mutating func finish(rows: Int, _ output: inout [UInt8], offset: Int) -> ChunkDescription {
        appendNulls(rows - self.rows)
        endPage()
        var description = ChunkDescription(column: column, codec: compressor.codec, rows: rows, nulls: nulls)
        description.bounds = bounds.encoded(as: column.type)
        let start = output.count
        if dictionary.count > 0 {
            description.dictionaryOffset = start + offset
            let page = Page(kind: .dictionary(count: dictionary.count), body: dictionary.bytes)
            uncompressedBytes += page.append(to: &output, compressor)
        }
        description.dataOffset = output.count + offset
        output += pages
        description.compressedBytes = output.count - start
        description.uncompressedBytes = uncompressedBytes
        return description
    }
}

/// The steps of a value.
extension ColumnChunk {
    /// The rows before this one that got no value are null.
    private mutating func begin(_ row: Int) { appendNulls(row - rows) }

    private mutating func appendNulls(_ count: Int) {
        guard count > 0 else { return }
        precondition(!column.isRequired, "a required column has no value")
        levels.append(0, count: count)
        nulls += count
        rows += count
    }

    /// Whether the value was not in the dictionary: the bounds include those that were.
    private mutating func store(_ value: UnsafeRawBufferPointer) -> Bool {
        if usesDictionary {
            let known = dictionary.count
            if let index = dictionary.index(of: value) {
                indices.append(index)
                indexedBytes += value.count
                return dictionary.count > known
            }
            leaveDictionary()
        }
        if column.type == .string { plain.append(littleEndian: UInt32(value.count)) }
        plain.append(contentsOf: value)
        return true
    }

    private mutating func end() {
        if !column.isRequired { levels.append(1) }
        rows += 1
        values += 1
        if values == Self.pageValues || plain.count >= Self.pageBytes { endPage() }
    }
}

/// Pages.
extension ColumnChunk {
    /// The dictionary has no room for a value, which begins a page without it.
    private mutating func leaveDictionary() {
        dropUselessDictionary()
        guard usesDictionary else { return }
        endPage()
        usesDictionary = false
    }

    /// Drops the dictionary if it does not halve the values of the first page.
    private mutating func dropUselessDictionary() {
        guard usesDictionary, pages.isEmpty, dictionary.bytes.count * 2 > indexedBytes else { return }
        dictionary.append(indices, to: &plain)
        indices = []
        dictionary = ValueDictionary(isText: column.type == .string)
        usesDictionary = false
    }

    private mutating func endPage() {
        guard rows > firstRow else { return }
        dropUselessDictionary()
        var body: [UInt8] = []
        if !column.isRequired {
            let levels = levels.finish()
            body.append(littleEndian: UInt32(levels.count))
            body += levels
        }
        let encoding: Page.Encoding = indices.isEmpty ? .plain : .dictionary
        switch encoding {
        case .plain: body += plain
        case .dictionary: body += encodedIndices()
        }
        let page = Page(kind: .data(rows: rows - firstRow, encoding), body: body)
        uncompressedBytes += page.append(to: &pages, compressor)
        indices.removeAll(keepingCapacity: true)
        plain.removeAll(keepingCapacity: true)
        values = 0
        indexedBytes = 0
        firstRow = rows
    }

    /// Each page states its own width, so that later pages can have more entries.
    private func encodedIndices() -> [UInt8] {
        let width = RunLengthEncoder.bitWidth(count: dictionary.count)
        var encoder = RunLengthEncoder(bitWidth: width)
        for index in indices { encoder.append(index) }
        return [UInt8(width)] + encoder.finish()
    }
}
