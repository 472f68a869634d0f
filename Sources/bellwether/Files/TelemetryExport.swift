internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Parquet

/// Writes the records of an app's log that were received in a range of time, page by page.
struct TelemetryExport {
    struct Refusal: Error {
        let message: String
    }

    private static let pageLimit = 10_000

    let archive: any DataReading
    let app: Identifier
    let received: Range<Timestamp>

    /// Throws before it writes if retention has deleted the whole range. Returns a refusal if retention has deleted the
    /// first part.
    func write(_ format: Export.Format, to output: ExportOutput) throws -> Refusal? {
        guard let bounds = try archive.bounds(of: app) else {
            throw Refusal(message: "nothing was ever stored of an app \"\(app)\"")
        }
        let deleted = bounds.expiredUntil.flatMap { $0 < received.lowerBound ? nil : $0 }
        if let deleted, deleted >= received.upperBound {
            throw Refusal(message: "retention has deleted the records of \(app) that were received \(range)")
        }
        var writer = RecordWriter(format, app)
        try eachPage(bounds) { row in
            writer.add(row)
        } then: {
            try output.write(&writer.output)
        }
        writer.finish()
        try output.write(&writer.output)
        return deleted.map { deleted in
            Refusal(
                message: """
                    retention has deleted the records of \(app) that were received \(range) up to \(deleted.rfc3339); \
                    only later ones are written
                    """)
        }
    }

    private var range: String { "from \(received.lowerBound.rfc3339) to \(received.upperBound.rfc3339)" }

    private func eachPage(
        _ bounds: LogBounds, _ body: (TelemetryRow) -> Void, then flush: () throws -> Void
    ) throws {
        var filter = TelemetryFilter()
        filter.received = received
        let progress = Progress("exporting \(app)", of: bounds.newest.number - bounds.after.number)
        defer { progress.finish() }
        var after = bounds.after
        // The export ends with the newest record at its start. Later records have today's date; a reader of the
        // current day reads the log.
        while after.number < bounds.newest.number {
            let page = try archive.readTelemetry(
                TelemetryQuery(app: app, after: after, limit: Self.pageLimit, filter: filter))
            guard page.fault == nil else {
                throw Refusal(message: "retention has deleted records of the app while they were exported")
            }
            for row in page.rows where row.cursor.number <= bounds.newest.number { body(row) }
            try flush()
            after = page.through
            progress.show(after.number - bounds.after.number)
            if page.isAtEnd { break }
        }
    }
}

/// Writes records in a format.
private struct RecordWriter {
    var output: [UInt8] = []
    private let format: Export.Format
    private var file: EventFile?

    init(_ format: Export.Format, _ app: Identifier) {
        self.format = format
        switch format {
        case .ndjson: break
        case .csv: TelemetryCSV.writeHeader(to: &output)
        case .parquet: file = EventFile(of: app, .ofProgram)
        }
    }

    mutating func add(_ row: TelemetryRow) {
        switch format {
        case .ndjson: row.write(to: &output)
        case .csv: TelemetryCSV.write(row, to: &output)
        case .parquet:
            file?.add(row)
            take()
        }
    }

    mutating func finish() {
        file?.finish()
        take()
    }

    private mutating func take() {
        guard let written = file?.output, !written.isEmpty else { return }
        output += written
        file?.output = []
    }
}
