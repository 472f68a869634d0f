public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A read of one app's log by a pipeline.
public struct TelemetryQuery: Sendable, Hashable {
    public let app: Identifier
    /// The cursor after which records are read. The start means the first record that is kept.
    public var after: TelemetryCursor
    /// The number of records before the end at which the read begins, in place of `after`. The filter does not affect
    /// it.
    public var last: Int?
    public let limit: Int
    public let filter: TelemetryFilter
    /// The maximum number of records that a read with a filter examines, in pages of `scanPage`.
    public var scanBound = PersistenceSettings().scannedRecords
    static let scanPage = 1000

    public init(app: Identifier, after: TelemetryCursor, limit: Int, filter: TelemetryFilter = TelemetryFilter()) {
        self.app = app
        self.after = after
        self.limit = limit
        self.filter = filter
    }
}

/// The records that a read found, and the position that it reached. A filter skips records, and a read examines a
/// bounded number of them.
public struct TelemetryPage: Sendable {
    public let rows: [TelemetryRow]
    /// The last record that was examined. Every record up to it is in the page, or does not match. If no record was
    /// examined, it is the query's own cursor.
    public let through: TelemetryCursor
    /// Whether the log had no record after `through`.
    public let isAtEnd: Bool
    /// Whether anything was ever stored for the app.
    public private(set) var isAppKnown = true
    /// The reason why nothing can be read after the query's cursor.
    public private(set) var fault: CursorFault?

    public init(rows: [TelemetryRow], through: TelemetryCursor, isAtEnd: Bool) {
        self.rows = rows
        self.through = through
        self.isAtEnd = isAtEnd
    }

    /// A page without records, at the query's own position.
    public static func nothing(
        for query: TelemetryQuery, isAppKnown: Bool = true, _ fault: CursorFault? = nil
    ) -> TelemetryPage {
        var page = TelemetryPage(rows: [], through: query.after, isAtEnd: true)
        (page.isAppKnown, page.fault) = (isAppKnown, fault)
        return page
    }
}

/// A record in the log; `extra` is its JSON text, which is copied into the response unchanged.
public struct TelemetryRow: Sendable, Hashable {
    public let cursor: TelemetryCursor
    /// The time at which the store received it, by its own clock.
    public let receivedAt: Timestamp
    public let at: Timestamp
    public let clientID: Identifier
    public let category: Identifier
    public let name: Identifier
    public let extra: String
    public let experiment: Identifier?
    public let branch: Identifier?

    public init(
        cursor: TelemetryCursor, receivedAt: Timestamp, at: Timestamp, clientID: Identifier, category: Identifier,
        name: Identifier,
        extra: String, experiment: Identifier?, branch: Identifier?
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
