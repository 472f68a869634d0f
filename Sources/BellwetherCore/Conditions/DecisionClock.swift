public import BellwetherBase
internal import JEXL

/// The clock of one decision. Each read states the time until which its result holds. The decision's `validUntil` is
/// the earliest of these times. A clock belongs to one decision.
public final class DecisionClock {
    private let now: Timestamp
    /// Exclusive: before this time the same query of the same state has the same result.
    public private(set) var validUntil = Timestamp.distantFuture
    /// The earliest time at which an order in time turns; a client should poll then
    /// (docs/reference/events.md#order-in-time).
    public private(set) var nextTurn = Timestamp.distantFuture

    public init(at now: Timestamp) { self.now = now }

    /// The time until which what was read may be remembered without its turns.
    var settledUntil: Timestamp { nextTurn == .distantFuture ? validUntil : now }

    /// The current time. A result that depends on it holds for this moment only.
    public func time() -> Timestamp {
        limit(to: now)
        return now
    }

    /// Whether a time has come. False holds until that time, and true holds for ever.
    public func hasReached(_ time: Timestamp) -> Bool {
        guard now < time else { return true }
        limit(to: time)
        return false
    }

    /// A value that depends on the time; `end` is the time at which it may change.
    public func read<Value>(_ value: (Timestamp) -> (value: Value, end: Timestamp)) -> Value {
        let reading = value(now)
        limit(to: reading.end)
        return reading.value
    }

    /// The result of an event query.
    func result(of query: EventQuery, in behavior: BehaviorHistory, _ events: DerivedEvents) -> Double {
        let reading = behavior.value(to: query, at: now, of: events)
        limit(to: reading.end)
        if let turn = reading.turn, turn < nextTurn { nextTurn = turn }
        return reading.value
    }

    /// Records that a value which an earlier decision read holds until this time.
    func holds(until time: Timestamp) { limit(to: time) }

    private func limit(to time: Timestamp) { if time < validUntil { validUntil = time } }
}
