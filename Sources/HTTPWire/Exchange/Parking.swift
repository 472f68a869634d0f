/// The worker, as a responder sees it: parks exchanges that wait for something on another thread.
public protocol Parking: AnyObject {
    /// Keeps the exchange until the ticket is completed (from any thread), the deadline passes or the drain begins,
    /// then calls `resume` on this worker's thread with the outcome: the ticket's, or `wait`'s on deadline or drain.
    ///
    /// Without `wait` only the ticket ends it. So the wait must be short and must end (a commit); a drain waits for it.
    /// A client whose connection broke frees the ticket: `resume` is never called. One that only finished sending may
    /// still be reading: with `wait` it is answered at once with `wait`'s outcome, without it when the ticket is
    /// completed.
    func park<Outcome: Sendable>(
        _ exchange: consuming Exchange, wait: ParkWait<Outcome>?,
        resume: @escaping (Outcome, consuming Exchange) -> Void
    ) -> Ticket<Outcome>
}

/// How long an exchange may wait, and its outcome if nothing arrives.
public struct ParkWait<Outcome: Sendable>: Sendable {
    public let milliseconds: Int
    public let outcome: Outcome

    public init(milliseconds: Int, outcome: Outcome) {
        self.milliseconds = milliseconds
        self.outcome = outcome
    }
}

/// A handle of one parked exchange, usable on any thread. Only the first completion counts; one after the client hung
/// up is harmless.
public struct Ticket<Outcome: Sendable>: Sendable {
    private let deliver: @Sendable (Outcome) -> Void

    /// `deliver` must be callable from any thread and ignore all calls but the first.
    public init(_ deliver: @escaping @Sendable (Outcome) -> Void) { self.deliver = deliver }

    public func complete(_ outcome: Outcome) { deliver(outcome) }
}
