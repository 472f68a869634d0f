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

/// A page as it was read. Pings are made where the page was read: they take several times as long as records, which are
/// spliced, and no worker waits for them.
struct TelemetryReading: Sendable {
    let page: TelemetryPage
    /// Nil: records are asked for.
    let pings: [UInt8]?

    /// Reads with what is common to the pings of an app, where pings are asked for.
    init(_ page: TelemetryPage, _ pings: GleanPings?) {
        self.page = page
        guard var pings else {
            self.pings = nil
            return
        }
        for row in page.rows where GleanPings.takes(category: row.category) {
            pings.append(row.record, cursor: row.cursor)
        }
        var lines: [UInt8] = []
        pings.write(to: &lines)
        self.pings = lines
    }
}

extension TelemetryRow {
    fileprivate var record: TelemetryRecord {
        TelemetryRecord(
            at: at, clientID: clientID, category: category, name: name,
            extra: (try? JSONValue(parsing: extra))?.object ?? JSONObject(), experiment: experiment, branch: branch)
    }
}
