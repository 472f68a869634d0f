public import BellwetherCore

/// A pipeline's read of one app's log.
public struct TelemetryQuery: Sendable, Hashable {
    public let app: String
    /// Exclusive; 0 reads from the start of what is kept.
    public let after: Int64
    public let limit: Int

    public init(app: String, after: Int64, limit: Int) {
        self.app = app
        self.after = after
        self.limit = limit
    }
}

public struct TelemetryPage: Sendable {
    public let rows: [TelemetryRow]
    /// Records after the asked cursor were deleted by retention before they were read.
    public let isExpired: Bool

    public init(rows: [TelemetryRow], isExpired: Bool) {
        self.rows = rows
        self.isExpired = isExpired
    }
}

/// A record as the log holds it; `extra` is its JSON text, spliced into the answer as it is.
public struct TelemetryRow: Sendable, Hashable {
    public let cursor: Int64
    public let at: Timestamp
    public let clientID: String
    public let category: String
    public let name: String
    public let extra: String
    public let experiment: String?
    public let branch: String?

    public init(
        cursor: Int64, at: Timestamp, clientID: String, category: String, name: String, extra: String,
        experiment: String?, branch: String?
    ) {
        self.cursor = cursor
        self.at = at
        self.clientID = clientID
        self.category = category
        self.name = name
        self.extra = extra
        self.experiment = experiment
        self.branch = branch
    }
}
