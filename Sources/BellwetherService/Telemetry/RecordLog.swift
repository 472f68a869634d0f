public import BellwetherBase
internal import BellwetherCore

/// Which database gave which numbers of the log.
///
/// A range is a database's identity, and the number after which it began to give numbers; it ends where the next
/// begins. The last is the store's own. The others are its originals': databases that it was copied from, and that may
/// have gone on after it was. Numbers up to the first range's were given before there were identities.
public struct CursorRanges: Sendable {
    private let ranges: [(start: Int64, database: Int32)]
    /// The highest number ever given; 0 for a log that never had a record.
    public let newest: Int64

    public init(_ ranges: [(start: Int64, database: Int32)], newest: Int64) {
        (self.ranges, self.newest) = (ranges, newest)
    }

    /// The cursor of a number that was given here, or in an original.
    public func cursor(_ number: Int64) -> TelemetryCursor {
        TelemetryCursor(number: number, database: ranges.last { $0.start < number }?.database)
    }

    /// Why a cursor is none of this log; nil where it is, be its record kept or not.
    public func fault(of cursor: TelemetryCursor) -> CursorFault? {
        guard cursor != .start else { return nil }
        guard let database = cursor.database else {
            return cursor.number <= ranges.first?.start ?? newest ? nil : .foreign
        }
        guard let index = ranges.firstIndex(where: { $0.database == database }), cursor.number > ranges[index].start
        else { return .foreign }
        let end = index + 1 < ranges.count ? ranges[index + 1].start : newest
        return cursor.number <= end ? nil : .beyondEnd
    }
}

/// A query of logs of records.
public struct LogQuery: Sendable {
    /// Nil: of all apps.
    public var app: String?
    /// Where the last so many records begin.
    public var last = 0
    /// How many records follow each of these numbers, counted up to `TelemetryConsumer.lagBound`.
    public var countedAfter: [Int64] = []

    public init(app: String?, last: Int = 0, countedAfter: [Int64] = []) {
        (self.app, self.last, self.countedAfter) = (app, last, countedAfter)
    }
}

/// The state of a store's logs, out of one snapshot.
public struct RecordLogs: Sendable {
    public let ranges: CursorRanges
    /// By app. An app of which nothing was ever stored has none.
    public let logs: [RecordLog]

    public init(ranges: CursorRanges, logs: [RecordLog]) { (self.ranges, self.logs) = (ranges, logs) }

    /// Why nothing of a log can be read after a cursor. From the start, a pipeline begins with what is kept.
    func fault(of cursor: TelemetryCursor, in log: RecordLog) -> CursorFault? {
        if let fault = ranges.fault(of: cursor) { return fault }
        return cursor == .start || cursor.number >= log.expired ? nil : .expired
    }
}

/// An app's log of records.
public struct RecordLog: Sendable {
    public let app: String
    /// The highest number that was given to a record of the app.
    public let newest: Int64
    /// The highest number that was deleted.
    public let expired: Int64
    /// Records that were received up to this time may have been deleted, later ones were not; nil where none was. In a
    /// log of an earlier version it is the time at which the first record that is left was received.
    public let expiredUntil: Timestamp?
    /// The number after which the last records follow; see `LogQuery.last`.
    public var start: Int64 = 0
    /// See `LogQuery.countedAfter`.
    public var counts: [Int] = []

    public init(app: String, newest: Int64, expired: Int64, expiredUntil: Timestamp?) {
        (self.app, self.newest, self.expired, self.expiredUntil) = (app, newest, expired, expiredUntil)
    }
}

/// Records of an app's log, oldest first.
public struct RecordRange: Sendable {
    public let app: String
    /// Exclusive.
    public let after: Int64
    public let limit: Int

    public init(app: String, after: Int64, limit: Int) { (self.app, self.after, self.limit) = (app, after, limit) }
}

/// Records, with what was deleted when they were read.
public struct RecordPage: Sendable {
    /// A page ends with the record that reaches this with its `extra`: pings that are kept whole may be large.
    public static let bytes = 8 << 20

    public let rows: [TelemetryRow]
    /// See `RecordLog.expired`.
    public let expired: Int64
    /// No record follows.
    public let isAtEnd: Bool

    public init(rows: [TelemetryRow], expired: Int64, isAtEnd: Bool) {
        (self.rows, self.expired, self.isAtEnd) = (rows, expired, isAtEnd)
    }
}

/// A source of logs of records: a store, or the files of one that another process may be using.
public protocol RecordReading {
    func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs

    /// A page of records; empty for an app of which nothing was ever stored.
    func records(_ range: RecordRange) throws(StoreError) -> RecordPage
}

extension RecordReading {
    /// Records of one app after a cursor, oldest first, that the query's filter means.
    ///
    /// A cursor skips no record (docs/decisions/0013-a-telemetry-cursor-never-skips-a-record.md). A query with a filter
    /// looks at a bounded number of records and says how far it came: a filter that means few records makes no request
    /// long.
    public func readTelemetry(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage {
        let logs = try logs(LogQuery(app: query.app, last: query.last ?? 0))
        guard let log = logs.logs.first else {
            return .nothing(for: query, isAppKnown: false, logs.ranges.fault(of: query.after))
        }
        if let fault = logs.fault(of: query.after, in: log) { return .nothing(for: query, fault) }
        var query = query
        if query.last != nil { query.after = logs.ranges.cursor(log.start) }
        guard query.limit > 0 else { return .nothing(for: query) }
        return query.filter.isEmpty ? try page(query) : try filteredPage(query)
    }

    private func page(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage {
        let page = try records(RecordRange(app: query.app, after: query.after.number, limit: query.limit))
        if page.hasGap(after: query.after) { return .nothing(for: query, .expired) }
        guard let last = page.rows.last else { return .nothing(for: query) }
        return TelemetryPage(rows: page.rows, through: last.cursor, isAtEnd: false)
    }

    private func filteredPage(_ query: TelemetryQuery) throws(StoreError) -> TelemetryPage {
        var (through, left) = (query.after, max(1, query.scanBound))
        var (found, bytes): ([TelemetryRow], Int) = ([], 0)
        while left > 0 {
            let size = min(left, TelemetryQuery.scanPage)
            let page = try records(RecordRange(app: query.app, after: through.number, limit: size))
            if page.hasGap(after: through) { return .nothing(for: query, .expired) }
            for row in page.rows {
                through = row.cursor
                guard query.filter.means(row) else { continue }
                found.append(row)
                bytes += row.extra.utf8.count
                guard found.count < query.limit, bytes < RecordPage.bytes else {
                    return TelemetryPage(rows: found, through: through, isAtEnd: false)
                }
            }
            left -= page.rows.count
            if page.isAtEnd, left > 0 { return TelemetryPage(rows: found, through: through, isAtEnd: true) }
        }
        return TelemetryPage(rows: found, through: through, isAtEnd: false)
    }
}

extension RecordPage {
    /// Whether records after the cursor were deleted since its log was looked at.
    fileprivate func hasGap(after cursor: TelemetryCursor) -> Bool {
        cursor != .start && cursor.number < expired
    }
}
