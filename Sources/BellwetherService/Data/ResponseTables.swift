public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
public import Parquet

/// The rows of the tables `responses` and `answers` of one app, and the words of its answers.
///
/// A value is used on one thread.
public struct ResponseTables {
    private let source: any DataReading
    private let app: Identifier
    private let compressor: ParquetCompressor
    private var words: AnswerTexts

    /// - Parameter snapshot: the published app; nil if it is not published.
    public init(
        of app: Identifier, _ snapshot: AppSnapshot?, in source: any DataReading, _ compressor: ParquetCompressor
    ) {
        (self.app, self.source, self.compressor) = (app, source, compressor)
        words = AnswerTexts(snapshot) { slug in
            (try? source.definitions(of: slug, in: app)) ?? RunDefinitions([], slug: slug)
        }
    }

    /// Reads the published app from the store.
    public init(
        stored app: Identifier, in source: any DataReading, at now: Timestamp, _ compressor: ParquetCompressor
    ) throws(StoreError) {
        var failures: [String] = []
        let catalog = PublishedCatalog.load(try source.loadCatalog(), at: now, failures: &failures)
        self.init(of: app, catalog.snapshots[app], in: source, compressor)
    }

    /// Reads the responses that began in a range of time.
    func each(in range: Range<Timestamp>, _ body: (ResponseRow) throws(StoreError) -> Void) throws(StoreError) {
        try source.eachResponse(of: app, in: range, body)
    }

    private func file(of table: DataTable) -> ResponseFile { ResponseFile(table, of: app, compressor) }

    /// A page of one table as a file, and the position of the next page.
    public mutating func page(
        of table: DataTable, in range: Range<Timestamp>, after cursor: ResponseCursor?, limit: Int
    ) throws(StoreError) -> (file: [UInt8], next: ResponseCursor?) {
        let page = try source.responses(of: app, in: range, after: cursor, limit: limit)
        var file = file(of: table)
        for row in page.rows { file.add(row, &words) }
        file.finish()
        return (file.output, page.next)
    }

    /// Writes one table as a file.
    ///
    /// - Parameters:
    ///   - isDigested: whether the metadata of the file have the digest of its rows.
    ///   - take: takes the bytes that are written, and empties them.
    @discardableResult
    public mutating func write(
        _ table: DataTable, in range: Range<Timestamp>, isDigested: Bool = false,
        to take: (inout [UInt8]) throws -> Void
    ) throws -> (rows: Int, digest: RowDigest) {
        var (file, digest) = (file(of: table), RowDigest())
        var words = words
        var failure: (any Error)?
        try each(in: range) { row throws(StoreError) in
            guard failure == nil else { return }
            file.add(row, &words)
            digest.add(row)
            guard !file.output.isEmpty else { return }
            do { try take(&file.output) } catch { failure = error }
        }
        self.words = words
        if let failure { throw failure }
        file.finish(digest: isDigested ? digest.text : nil)
        try take(&file.output)
        return (file.rows, digest)
    }
}
