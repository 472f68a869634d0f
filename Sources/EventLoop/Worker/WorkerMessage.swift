internal import HTTPWire
internal import Synchronization

/// Messages that other threads may post to a worker.
enum WorkerMessage: Sendable {
    /// A ticket was completed. The outcome, in an `OutcomeBox`, belongs to the parked exchange with this number.
    case completed(UInt64, any AnyObject & Sendable)
    /// A wait has ended without its ticket.
    case expired(UInt64, ParkEnd)
    case broadcast(any Sendable, Acknowledgement)
    case drain
}

/// A value whose type only its parked exchange knows. It is a class, because casts of existentials unwrap optionals.
final class OutcomeBox<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    init(_ outcome: Outcome) { self.outcome = outcome }
}

/// Calls a closure once when every worker has acknowledged.
final class Acknowledgement: Sendable {
    private let missing: Atomic<Int>
    private let completion: @Sendable () -> Void

    init(from count: Int, _ completion: @escaping @Sendable () -> Void) {
        missing = Atomic(count)
        self.completion = completion
    }

    func acknowledge() {
        if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { completion() }
    }
}
