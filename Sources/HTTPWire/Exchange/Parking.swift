/// The interface of a worker for a responder. It parks exchanges that wait for an event on another thread.
public protocol Parking: AnyObject {
    /// Keeps the exchange until the ticket is completed (from any thread), the deadline passes or the drain begins. It
    /// then calls `resume` on this worker's thread. The outcome is the ticket's, or `wait`'s on deadline or drain.
    ///
    /// Without `wait`, only the ticket ends the parking. Such a wait must be short and must end (a commit); a drain
    /// waits for it. If the client's connection breaks, the ticket has no effect and `resume` is never called. A client
    /// that has only finished sending may still read. With `wait` it gets `wait`'s outcome at once, and without `wait`
    /// the ticket's outcome.
    func park<Outcome: Sendable>(
        _ exchange: consuming Exchange, wait: ParkWait<Outcome>?,
        resume: @escaping (Outcome, consuming Exchange) -> Void
    ) -> Ticket<Outcome>

    /// Begins a response whose content the writer sends piece by piece. The response has no content of its own. The
    /// connection is closed after it, and reads no further request.
    func stream(_ response: Response, by writer: any StreamWriter, _ exchange: consuming Exchange)
}

/// The event that ended a wait before its ticket was used.
public enum ParkEnd: Sendable {
    case deadline, drain
    /// The client has finished sending, and may have gone.
    case clientFinished
}

/// The maximum time for which an exchange waits, and the outcome if the ticket is not completed.
public struct ParkWait<Outcome: Sendable>: Sendable {
    public let milliseconds: Int
    public let outcome: @Sendable (ParkEnd) -> Outcome

    public init(milliseconds: Int, outcome: Outcome) { self.init(milliseconds: milliseconds) { _ in outcome } }

    /// - Parameter outcome: The outcome for each end.
    public init(milliseconds: Int, outcome: @escaping @Sendable (ParkEnd) -> Outcome) {
        self.milliseconds = milliseconds
        self.outcome = outcome
    }
}

/// A handle of one parked exchange, usable on any thread. Only the first completion has an effect. A completion after
/// the client has disconnected is harmless.
public struct Ticket<Outcome: Sendable>: Sendable {
    private let deliver: @Sendable (Outcome) -> Void

    /// `deliver` must be callable from any thread and ignore all calls but the first.
    public init(_ deliver: @escaping @Sendable (Outcome) -> Void) { self.deliver = deliver }

    public func complete(_ outcome: Outcome) { deliver(outcome) }
}
