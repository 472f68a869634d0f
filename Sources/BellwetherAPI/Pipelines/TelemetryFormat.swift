internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService

/// The format of a page of the log (docs/reference/http-api.md#formats). A page has the same records in every format,
/// so cursors agree.
enum TelemetryFormat: String, CaseIterable {
    /// One record on each line.
    case ndjson
    /// One Glean `events` ping on each line.
    case glean
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

    /// Writes pings if `pings` is given; else records.
    init(_ page: TelemetryPage, _ pings: GleanPings?, isGzipAccepted: Bool) {
        isAppKnown = page.isAppKnown
        fault = page.fault
        isEmpty = page.rows.isEmpty
        isAtEnd = page.isAtEnd
        through = page.through
        body = pings.map { Self.lines($0, page.rows) } ?? Self.lines(page.rows)
        let isWorthwhile = isGzipAccepted && body.count > Compression.minimumBytes
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
        output += cursor.text.utf8
        output += "\"".utf8
        output.append(member: "at", .string(at.rfc3339))
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
