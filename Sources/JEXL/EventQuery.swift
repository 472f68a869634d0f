public import BellwetherJSON

/// A query to the event store. It names an event, a counter and a range of buckets
/// (docs/reference/events.md#event-queries).
public struct EventQuery: Sendable, Hashable {
    public let event: Identifier
    public let kind: Kind
    public let interval: EventInterval
    /// The number of buckets. It is `Int.max` for `eventLastSeen`, which reads all remaining buckets.
    public let count: Int
    /// The first bucket; 0 is the current one.
    public let start: Int

    public init(event: Identifier, kind: Kind, interval: EventInterval, count: Int, start: Int) {
        self.event = event
        self.kind = kind
        self.interval = interval
        self.count = count
        self.start = start
    }

    /// The transform of the query.
    public enum Kind: String, Sendable, CaseIterable, BitwiseCopyable {
        case eventSum
        case eventCountNonZero
        case eventAveragePerInterval
        case eventAveragePerNonZeroInterval
        case eventLastSeen
    }
}

/// A counter's unit, as expressions spell it. Another spelling or case is an error.
public enum EventInterval: String, Sendable, CaseIterable {
    case minutes = "Minutes"
    case hours = "Hours"
    case days = "Days"
    case weeks = "Weeks"
    case months = "Months"
    case years = "Years"
}
