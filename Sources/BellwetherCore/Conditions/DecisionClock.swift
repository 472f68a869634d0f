public import BellwetherBase

/// The clock of one decision. Each read states until when its result holds, so a decision's `validUntil` follows from
/// what its gates read. It belongs to one decision.
public final class DecisionClock {
    private let now: Timestamp
    /// Exclusive: before this time the same question of the same state has the same answer.
    public private(set) var validUntil = Timestamp.distantFuture

    public init(at now: Timestamp) { self.now = now }

    /// The time itself: it holds for this moment only.
    public func time() -> Timestamp {
        limit(to: now)
        return now
    }

    /// Whether a time has come. A no holds until that time, a yes for ever.
    public func hasReached(_ time: Timestamp) -> Bool {
        guard now < time else { return true }
        limit(to: time)
        return false
    }

    /// A value that follows from the time, with the time at which it may change.
    public func read<Value>(_ value: (Timestamp) -> (value: Value, end: Timestamp)) -> Value {
        let reading = value(now)
        limit(to: reading.end)
        return reading.value
    }

    /// Notes that a value which an earlier decision read holds until this time.
    func holds(until time: Timestamp) { limit(to: time) }

    private func limit(to time: Timestamp) { if time < validUntil { validUntil = time } }
}
