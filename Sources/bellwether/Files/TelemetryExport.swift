internal import BellwetherAPI
internal import BellwetherService
internal import SQLiteStore

/// What an app's log holds that a filter means, written to standard output page by page.
struct TelemetryExport {
    struct Refusal: Error {
        let message: String
    }

    private static let pageLimit = 10_000

    let archive: TelemetryArchive
    let app: String
    let filter: TelemetryFilter

    func write(_ format: Export.Format) throws {
        guard let bounds = try archive.bounds(of: app) else {
            throw Refusal(message: "nothing was ever stored of an app \"\(app)\"")
        }
        let progress = Progress("exporting \(app)", of: bounds.newest - bounds.after)
        defer { progress.finish() }
        var after = bounds.after
        var output: [UInt8] = []
        if format == .csv { TelemetryCSV.writeHeader(to: &output) }
        // What comes while this runs was received today; to follow a day that is not over, one reads the log.
        while after < bounds.newest {
            let page = try archive.page(
                TelemetryQuery(app: app, after: after, limit: Self.pageLimit, filter: filter))
            guard page.standing == .kept else {
                throw Refusal(message: "retention has deleted records of the app while they were exported")
            }
            for row in page.rows where row.cursor <= bounds.newest { format.write(row, to: &output) }
            try StandardOutput.write(&output)
            after = page.through
            progress.show(after - bounds.after)
            if page.isAtEnd { break }
        }
        try StandardOutput.write(&output)
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
