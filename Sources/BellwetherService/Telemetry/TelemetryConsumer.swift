public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A pipeline's position in an app's log. Everything up to the cursor is acknowledged, and no longer kept for this
/// consumer (docs/reference/http-api.md#consumers).
public struct TelemetryConsumer: Sendable, Hashable {
    /// The maximum number of consumers of an app.
    public static let countBound = 100
    /// The number up to which a lag is counted.
    public static let lagBound = 100_000
    /// The consumers of sinks have names that begin with this.
    public static let sinkPrefix = "sink:"

    public let name: Identifier
    public let cursor: TelemetryCursor
    public let updatedAt: Timestamp
    /// The number of records after the cursor, counted up to the bound.
    public let lag: Int
    /// Whether records after the cursor were deleted without acknowledgement, because the hold time of the policy was
    /// over.
    public let isExpired: Bool

    public init(name: Identifier, cursor: TelemetryCursor, updatedAt: Timestamp, lag: Int, isExpired: Bool) {
        self.name = name
        self.cursor = cursor
        self.updatedAt = updatedAt
        self.lag = lag
        self.isExpired = isExpired
    }
}

/// The outcome of storing a consumer's position.
public enum ConsumerOutcome: Sendable, Hashable {
    case kept(TelemetryConsumer, isNew: Bool)
    /// Nothing was ever stored for the app.
    case unknownApp
    /// No record can be read after the cursor.
    case refused(CursorFault)
    /// The consumer belongs to a sink, whose cursor has not expired.
    case inUse
    /// The app has the maximum number of consumers.
    case tooMany
}
