public import BellwetherJSON

/// A query to the event store. It names an event, and either a counter with a range of buckets
/// (docs/reference/events.md#event-queries) or a condition on the event's newest time
/// (docs/reference/events.md#order-in-time).
public struct EventQuery: Sendable, Hashable {
    public let event: Identifier
    public let kind: Kind
    public let scope: Scope

    /// The part of an event that the query reads.
    public enum Scope: Sendable, Hashable {
        /// Some buckets of a counter. `count` is `Int.max` for `eventLastSeen`, which reads all remaining buckets;
        /// `start` is the first bucket, 0 the current one.
        case buckets(EventInterval, count: Int, start: Int)
        /// The seconds since the newest event: at least `from`, and less than `to`.
        case seconds(from: Double, to: Double)
        /// The newest time, compared with that of another event.
        case since(Identifier)
    }

    package init(event: Identifier, kind: Kind, scope: Scope) {
        (self.event, self.kind, self.scope) = (event, kind, scope)
    }

    /// A query of buckets.
    public init(event: Identifier, kind: Kind, interval: EventInterval, count: Int, start: Int) {
        self.init(event: event, kind: kind, scope: .buckets(interval, count: count, start: start))
    }

    /// The transform of the query.
    public enum Kind: String, Sendable, CaseIterable, BitwiseCopyable {
        case eventSum
        case eventCountNonZero
        case eventAveragePerInterval
        case eventAveragePerNonZeroInterval
        case eventLastSeen
        case eventAgo
        case eventAfter

        /// Whether the result is true (1) or false (0), not a number.
        public var isBoolean: Bool { self == .eventAgo || self == .eventAfter }

        /// The value in an expression. A number that is not finite becomes null.
        package func value(of result: Double) -> JSONValue { isBoolean ? .bool(result != 0) : .finite(result) }
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
