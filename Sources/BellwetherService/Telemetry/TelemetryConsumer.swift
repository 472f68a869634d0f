public import BellwetherBase
internal import BellwetherCore

/// A pipeline's position in an app's log: everything up to the cursor is acknowledged, and no longer kept for it
/// (docs/reference/http-api.md#consumers).
public struct TelemetryConsumer: Sendable, Hashable {
    /// How many consumers an app may have.
    public static let countBound = 100
    /// A lag is counted up to here.
    public static let lagBound = 100_000

    public let name: String
    public let cursor: TelemetryCursor
    public let updatedAt: Timestamp
    /// Records after the cursor, counted up to the bound.
    public let lag: Int
    /// Records after the cursor were deleted unacknowledged, for they were held as long as the policy holds any.
    public let isExpired: Bool

    public init(name: String, cursor: TelemetryCursor, updatedAt: Timestamp, lag: Int, isExpired: Bool) {
        self.name = name
        self.cursor = cursor
        self.updatedAt = updatedAt
        self.lag = lag
        self.isExpired = isExpired
    }
}

/// The outcome of keeping a consumer's position.
public enum ConsumerOutcome: Sendable, Hashable {
    case kept(TelemetryConsumer, isNew: Bool)
    /// Nothing was ever stored of the app.
    case unknownApp
    /// Nothing can be read after the cursor.
    case refused(CursorFault)
    /// The app has as many consumers as it may have.
    case tooMany
}
