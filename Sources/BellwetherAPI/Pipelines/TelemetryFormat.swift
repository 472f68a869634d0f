internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// What a page of the log is written as (api.md 4). Pages hold the same records in each, so that cursors agree.
enum TelemetryFormat: String, CaseIterable {
    /// One record a line.
    case ndjson
    /// One Glean `events` ping a line.
    case glean
}

/// A page as it was read and written. It is written, and compressed for those who accept that, where it was read: a
/// page may be megabytes, and no worker waits for it.
struct TelemetryReading: Sendable {
    let standing: TelemetryPage.Standing
    let isEmpty: Bool
    let isAtEnd: Bool
    let through: Int64
    let body: [UInt8]
    /// The body as gzip, where it pays and is accepted.
    let compressed: [UInt8]?

    /// With what is common to the pings of an app, pings are written; else records.
    init(_ page: TelemetryPage, _ pings: GleanPings?, isGzipAccepted: Bool) {
        standing = page.standing
        isEmpty = page.rows.isEmpty
        isAtEnd = page.isAtEnd
        through = page.through
        body = pings.map { Self.lines($0, page.rows) } ?? Self.lines(page.rows)
        let isWorthwhile = isGzipAccepted && body.count > Compression.minimumBytes
        compressed = isWorthwhile ? Compression.gzip(body) : nil
    }

    private static func lines(_ pings: GleanPings, _ rows: [TelemetryRow]) -> [UInt8] {
        var pings = pings
        for row in rows where GleanPings.takes(category: row.category) { pings.append(row.record, cursor: row.cursor) }
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
    fileprivate var record: TelemetryRecord {
        TelemetryRecord(
            at: at, clientID: clientID, category: category, name: name, extra: members, experiment: experiment,
            branch: branch)
    }

    /// The members of `extra`.
    var members: JSONObject { (try? JSONValue(parsing: extra, limits: .kept))?.object ?? JSONObject() }
}
