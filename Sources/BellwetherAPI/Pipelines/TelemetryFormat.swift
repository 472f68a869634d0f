internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
internal import Parquet

/// The format of a page of the log (docs/reference/http-api.md#formats). A page has the same records in every format,
/// so cursors agree.
enum TelemetryFormat: String, CaseIterable {
    /// One record on each line.
    case ndjson
    /// One Glean `events` ping on each line.
    case glean
    /// A file of Parquet (docs/reference/data.md).
    case parquet
}

/// The form in which a page is written, with what the form needs.
enum TelemetryForm: Sendable {
    case records
    case pings(GleanPings)
    case file(app: Identifier, ParquetCompressor)

    var mediaType: String {
        switch self {
        case .records, .pings: "application/x-ndjson"
        case .file: TelemetryForm.parquet
        }
    }

    static let parquet = "application/vnd.apache.parquet"
}

/// A page, read and written. The reading thread also writes it, and compresses it if the client accepts gzip: a page
/// may have megabytes, and no worker waits for it.
struct TelemetryReading: Sendable {
    let isAppKnown: Bool
    let fault: CursorFault?
    let isEmpty: Bool
    let isAtEnd: Bool
    let through: TelemetryCursor
    let body: [UInt8]
    /// The body as gzip, if the client accepts it and the body is long enough.
    let compressed: [UInt8]?

    init(_ page: TelemetryPage, _ form: TelemetryForm, isGzipAccepted: Bool) {
        isAppKnown = page.isAppKnown
        fault = page.fault
        isEmpty = page.rows.isEmpty
        isAtEnd = page.isAtEnd
        through = page.through
        var isCompressed = false
        switch form {
        case .records: body = Self.lines(page.rows)
        case .pings(let pings): body = Self.lines(pings, page.rows)
        case .file(let app, let compressor):
            var file = EventFile(of: app, compressor)
            for row in page.rows { file.add(row) }
            file.finish()
            (body, isCompressed) = (file.output, true)
        }
        let isWorthwhile = isGzipAccepted && !isCompressed && body.count > Compression.minimumBytes
        compressed = isWorthwhile ? Compression.gzip(body) : nil
    }

    private static func lines(_ pings: GleanPings, _ rows: [TelemetryRow]) -> [UInt8] {
        var pings = pings
        for row in rows where GleanPings.takes(category: row.category) {
            pings.append(row.record, cursor: row.cursor.number)
        }
        var lines: [UInt8] = []
        pings.write(to: &lines)
        return lines
    }

    private static func lines(_ rows: [TelemetryRow]) -> [UInt8] {
        var lines: [UInt8] = []
        for row in rows { row.write(to: &lines) }
        return lines
    }
}

extension TelemetryRow {
    /// One line of NDJSON.
    public func write(to output: inout [UInt8]) {
        output += "{\"cursor\":\"".utf8
        cursor.write(to: &output)
        output += "\",\"at\":\"".utf8
        at.write(rfc3339To: &output)
        output += "\"".utf8
        output.append(member: "client_id", .string(clientID))
        output.append(member: "category", .string(category))
        output.append(member: "name", .string(name))
        output += ",\"extra\":".utf8
        output += extra.utf8
        if let experiment { output.append(member: "experiment", .string(experiment)) }
        if let branch { output.append(member: "branch", .string(branch)) }
        output += "}\n".utf8
    }

    fileprivate var record: TelemetryRecord {
        TelemetryRecord(
            at: at, clientID: clientID, category: category, name: name, extra: members, experiment: experiment,
            branch: branch)
    }

    /// The members of `extra`.
    var members: JSONObject { (try? JSONValue(parsing: extra, limits: .kept))?.object ?? JSONObject() }
}
