public import BellwetherBase
internal import BellwetherCore

/// A pipeline's read of one app's log.
public struct TelemetryQuery: Sendable, Hashable {
    public let app: String
    /// Exclusive; the start reads from the first record that is kept on.
    public var after: TelemetryCursor
    /// In place of `after`: from so many records before the end on, whatever the filter passes over.
    public var last: Int?
    public let limit: Int
    public let filter: TelemetryFilter
    /// Records that a read with a filter looks at, so many at a time.
    public var scanBound = PersistenceSettings().scannedRecords
    static let scanPage = 1000

    public init(app: String, after: TelemetryCursor, limit: Int, filter: TelemetryFilter = TelemetryFilter()) {
        self.app = app
        self.after = after
        self.limit = limit
        self.filter = filter
    }
}

/// The records that a read found, and how far it looked: a filter passes over records, and a read looks at so many at
/// most.
public struct TelemetryPage: Sendable {
    public let rows: [TelemetryRow]
    /// The last record that was looked at: every one up to it is in the page or was not meant. The query's own cursor
    /// where there was none.
    public let through: TelemetryCursor
    /// The log had nothing after `through`.
    public let isAtEnd: Bool
    /// False: nothing was ever stored of the app.
    public private(set) var isAppKnown = true
    /// Why the query's cursor cannot be read from.
    public private(set) var fault: CursorFault?

    public init(rows: [TelemetryRow], through: TelemetryCursor, isAtEnd: Bool) {
        self.rows = rows
        self.through = through
        self.isAtEnd = isAtEnd
    }

    /// A page without records, where the query stands.
    public static func nothing(
        for query: TelemetryQuery, isAppKnown: Bool = true, _ fault: CursorFault? = nil
    ) -> TelemetryPage {
        var page = TelemetryPage(rows: [], through: query.after, isAtEnd: true)
        (page.isAppKnown, page.fault) = (isAppKnown, fault)
        return page
    }
}

/// A record as the log holds it; `extra` is its JSON text, spliced into the answer as it is.
public struct TelemetryRow: Sendable, Hashable {
    public let cursor: TelemetryCursor
    /// When the store received it, by its own clock.
    public let receivedAt: Timestamp
    public let at: Timestamp
    public let clientID: String
    public let category: String
    public let name: String
    public let extra: String
    public let experiment: String?
    public let branch: String?

    public init(
        cursor: TelemetryCursor, receivedAt: Timestamp, at: Timestamp, clientID: String, category: String, name: String,
        extra: String, experiment: String?, branch: String?
    ) {
        self.cursor = cursor
        self.receivedAt = receivedAt
        self.at = at
        self.clientID = clientID
        self.category = category
        self.name = name
        self.extra = extra
        self.experiment = experiment
        self.branch = branch
    }
}
