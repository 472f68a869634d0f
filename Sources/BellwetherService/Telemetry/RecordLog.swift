public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The databases that issued the numbers of the log.
///
/// A range is a database's identity, and the number after which it began to issue numbers. It ends where the next range
/// begins. The last range is the store's own. The others belong to its originals: databases that it was copied from,
/// and that may have continued after the copy. Numbers up to the start of the first range have no identity.
public struct CursorRanges: Sendable {
    private let ranges: [(start: Int64, database: Int32)]
    /// The highest number that was ever issued; 0 for a log that never had a record.
    public let newest: Int64

    public init(_ ranges: [(start: Int64, database: Int32)], newest: Int64) {
        (self.ranges, self.newest) = (ranges, newest)
    }

    /// The cursor of a number that this database or an original issued.
    public func cursor(_ number: Int64) -> TelemetryCursor {
        TelemetryCursor(number: number, database: ranges.last { $0.start < number }?.database)
    }

    /// The reason why a cursor does not belong to this log; nil if it does, whether its record is kept or not.
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
    /// Nil means all apps.
    public var app: Identifier?
    /// The number of last records whose start is queried.
    public var last = 0
    /// The numbers after which records are counted, each up to `TelemetryConsumer.lagBound`.
    public var countedAfter: [Int64] = []

    public init(app: Identifier?, last: Int = 0, countedAfter: [Int64] = []) {
        (self.app, self.last, self.countedAfter) = (app, last, countedAfter)
    }
}

/// The state of a store's logs, from one snapshot.
public struct RecordLogs: Sendable {
    public let ranges: CursorRanges
    /// The logs by app. An app for which nothing was ever stored has none.
    public let logs: [RecordLog]

    public init(ranges: CursorRanges, logs: [RecordLog]) { (self.ranges, self.logs) = (ranges, logs) }

    /// The reason why nothing of a log can be read after a cursor. From the start, a pipeline reads the records that
    /// are kept.
    func fault(of cursor: TelemetryCursor, in log: RecordLog) -> CursorFault? {
        if let fault = ranges.fault(of: cursor) { return fault }
        return cursor == .start || cursor.number >= log.expired ? nil : .expired
    }
}

/// An app's log of records.
public struct RecordLog: Sendable {
    public let app: Identifier
    /// The highest number that was given to a record of the app.
    public let newest: Int64
    /// The highest number that was deleted.
    public let expired: Int64
    /// Records that were received up to this time may have been deleted, later ones were not; nil if none was deleted.
    /// In a log of an earlier version it is the time at which the first remaining record was received.
    public let expiredUntil: Timestamp?
    /// The number after which the last records follow; see `LogQuery.last`.
    public var start: Int64 = 0
    /// See `LogQuery.countedAfter`.
    public var counts: [Int] = []

    public init(app: Identifier, newest: Int64, expired: Int64, expiredUntil: Timestamp?) {
        (self.app, self.newest, self.expired, self.expiredUntil) = (app, newest, expired, expiredUntil)
    }
}

/// A query for records of an app's log, oldest first.
public struct RecordRange: Sendable {
    public let app: Identifier
    /// The records begin after this number.
    public let after: Int64
    public let limit: Int

    public init(app: Identifier, after: Int64, limit: Int) { (self.app, self.after, self.limit) = (app, after, limit) }
}

/// A page of records, and the highest number that was deleted when they were read.
public struct RecordPage: Sendable {
    /// The bytes of `extra` at which a page ends. Pings that are kept completely may be large.
    public static let bytes = 8 << 20

    public let rows: [TelemetryRow]
    /// See `RecordLog.expired`.
    public let expired: Int64
    /// Whether no record follows.
    public let isAtEnd: Bool

    public init(rows: [TelemetryRow], expired: Int64, isAtEnd: Bool) {
        (self.rows, self.expired, self.isAtEnd) = (rows, expired, isAtEnd)
    }
}

/// A source of logs of records: a store, or the files of a store that another process may use.
public protocol RecordReading: Sendable {
    func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs

    /// A page of records; empty for an app for which nothing was ever stored.
    func records(_ range: RecordRange) throws(StoreError) -> RecordPage
}

extension RecordReading {
    /// The bounds of an app's log; nil if nothing was ever stored for the app.
    public func bounds(of app: Identifier) throws(StoreError) -> LogBounds? {
        let logs = try logs(LogQuery(app: app))
        return logs.logs.first.map { log in
            LogBounds(
                after: logs.ranges.cursor(log.expired), newest: logs.ranges.cursor(log.newest),
                expiredUntil: log.expiredUntil)
        }
    }

    /// Records of one app after a cursor, oldest first, that match the query's filter.
    ///
    /// A cursor skips no record (docs/decisions/0013-a-telemetry-cursor-never-skips-a-record.md). A query with a filter
    /// examines a bounded number of records and reports the last one. So a filter that matches few records makes no
    /// request long.
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
    /// Whether records after the cursor were deleted since the read of the log's state.
    fileprivate func hasGap(after cursor: TelemetryCursor) -> Bool {
        cursor != .start && cursor.number < expired
    }
}
