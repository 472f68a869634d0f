internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Parquet

/// A file of the table `events`, which is written while records are added.
///
/// The same records give the same bytes: the file has no time, host or version of the program.
public struct EventFile {
    /// The bytes that are written and not yet taken.
    public var output: [UInt8] = []

    private var writer: ParquetWriter
    private let app: Identifier
    private var first: TelemetryCursor?
    private var last: TelemetryCursor?

    public init(of app: Identifier, _ compressor: ParquetCompressor) {
        self.app = app
        writer = ParquetWriter(EventRow.columns.map(\.column.parquet), compressor: compressor)
    }

    /// The number of records.
    public var rows: Int { writer.rows }

    public mutating func add(_ record: TelemetryRow) {
        first = first ?? record.cursor
        last = record.cursor
        writer.add(EventRow(record, of: app), EventRow.columns, &output)
    }

    /// Writes the rest and the footer.
    public mutating func finish() {
        var metadata = DataFile.metadata(.events, of: app)
        if let first, let last {
            metadata += [(DataFile.firstKey, first.text), (DataFile.lastKey, last.text)]
        }
        writer.finish(metadata: metadata, &output)
    }
}

/// A file of the table `responses` or `answers`.
struct ResponseFile {
    var output: [UInt8] = []

    private var writer: ParquetWriter
    private let table: DataTable
    private let app: Identifier

    init(_ table: DataTable, of app: Identifier, _ compressor: ParquetCompressor) {
        (self.table, self.app) = (table, app)
        writer = ParquetWriter(table.columns.map(\.parquet), compressor: compressor)
    }

    var rows: Int { writer.rows }

    mutating func add(_ response: ResponseRow, _ words: inout AnswerTexts) {
        switch table {
        case .events: break
        case .responses: writer.add(response, ResponseRow.columns, &output)
        case .answers: for row in response.answers(&words) { writer.add(row, AnswerRow.columns, &output) }
        }
    }

    /// - Parameter digest: the digest of the rows, for a file that is written again when they change.
    mutating func finish(digest: String? = nil) {
        var metadata = DataFile.metadata(table, of: app)
        if let digest { metadata.append((DataFile.digestKey, digest)) }
        writer.finish(metadata: metadata, &output)
    }
}

/// The metadata of files.
enum DataFile {
    /// The cursors of the first and the last record of a file of events.
    static let firstKey = "bellwether.first"
    static let lastKey = "bellwether.last"
    static let digestKey = "bellwether.digest"

    static func metadata(_ table: DataTable, of app: Identifier) -> [(key: String, value: String)] {
        [
            ("bellwether.table", table.rawValue), ("bellwether.schema", String(DataTable.schema)),
            ("bellwether.app", app.text),
        ]
    }
}

extension ParquetWriter {
    fileprivate mutating func add<Row>(_ row: Row, _ fields: [DataField<Row>], _ output: inout [UInt8]) {
        for (index, field) in fields.enumerated() { field.value(row).set(index, in: &self) }
        endRow(&output)
    }
}
