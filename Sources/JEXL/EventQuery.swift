/// A question to the event store: over which buckets of which counter of an event
/// (docs/reference/events.md#event-queries).
public struct EventQuery: Sendable, Hashable {
    public let event: String
    public let kind: Kind
    public let interval: EventInterval
    /// How many buckets; `Int.max` for `eventLastSeen`, which looks at all that remain.
    public let count: Int
    /// The first bucket, 0 for the current one.
    public let start: Int

    public init(event: String, kind: Kind, interval: EventInterval, count: Int, start: Int) {
        self.event = event
        self.kind = kind
        self.interval = interval
        self.count = count
        self.start = start
    }

    /// The transform that asks.
    public enum Kind: String, Sendable, CaseIterable, BitwiseCopyable {
        case eventSum
        case eventCountNonZero
        case eventAveragePerInterval
        case eventAveragePerNonZeroInterval
        case eventLastSeen
    }
}

/// A counter's unit, spelled as expressions spell it; another spelling or case is an error.
public enum EventInterval: String, Sendable, CaseIterable {
    case minutes = "Minutes"
    case hours = "Hours"
    case days = "Days"
    case weeks = "Weeks"
    case months = "Months"
    case years = "Years"
}
