internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Writes the records of an app's log that were received in a range of time to standard output, page by page.
struct TelemetryExport {
    struct Refusal: Error {
        let message: String
    }

    private static let pageLimit = 10_000

    let archive: any LogArchive
    let app: Identifier
    let received: Range<Timestamp>

    /// Throws before it writes if retention has deleted the whole range; throws after it writes if retention has
    /// deleted the first part.
    func write(_ format: Export.Format) throws {
        guard let bounds = try archive.bounds(of: app) else {
            throw Refusal(message: "nothing was ever stored of an app \"\(app)\"")
        }
        let deleted = bounds.expiredUntil.flatMap { $0 < received.lowerBound ? nil : $0 }
        if let deleted, deleted >= received.upperBound {
            throw Refusal(message: "retention has deleted the records of \(app) that were received \(range)")
        }
        try write(format, bounds)
        if let deleted {
            throw Refusal(
                message: """
                    retention has deleted the records of \(app) that were received \(range) up to \(deleted.rfc3339); \
                    only later ones are written
                    """)
        }
    }

    private var range: String { "from \(received.lowerBound.rfc3339) to \(received.upperBound.rfc3339)" }

    private func write(_ format: Export.Format, _ bounds: LogBounds) throws {
        var filter = TelemetryFilter()
        filter.received = received
        let progress = Progress("exporting \(app)", of: bounds.newest.number - bounds.after.number)
        defer { progress.finish() }
        var after = bounds.after
        var output: [UInt8] = []
        if format == .csv { TelemetryCSV.writeHeader(to: &output) }
        // The export ends with the newest record at its start. Later records have today's date; a reader of the
        // current day reads the log.
        while after.number < bounds.newest.number {
            let page = try archive.page(
                TelemetryQuery(app: app, after: after, limit: Self.pageLimit, filter: filter))
            guard page.fault == nil else {
                throw Refusal(message: "retention has deleted records of the app while they were exported")
            }
            for row in page.rows where row.cursor.number <= bounds.newest.number { format.write(row, to: &output) }
            try StandardOutput.write(&output, .data)
            after = page.through
            progress.show(after.number - bounds.after.number)
            if page.isAtEnd { break }
        }
        try StandardOutput.write(&output, .data)
    }
}

extension Export.Format {
    fileprivate func write(_ row: TelemetryRow, to output: inout [UInt8]) {
        switch self {
        case .ndjson: row.write(to: &output)
        case .csv: TelemetryCSV.write(row, to: &output)
        }
    }
}
