internal import HTTPWire

/// An exchange that waits for its ticket, with an outcome of any type.
class Parked {
    /// Nil for an exchange that does not belong to a connection of this worker.
    let connection: Connection?
    var exchange: Exchange?

    init(_ exchange: consuming Exchange) {
        connection = exchange.connection as? Connection
        self.exchange = .some(exchange)
    }

    /// Resumes the exchange with the outcome of a ticket.
    func complete(_ box: any AnyObject & Sendable) {}

    /// Resumes the exchange with the outcome for a wait that ended without a ticket.
    func expire(_ end: ParkEnd) {}

    var hasWait: Bool { false }

    /// Removes the exchange and returns it.
    func take() -> Exchange? {
        var taken: Exchange?
        swap(&taken, &exchange)
        return taken
    }
}

final class ParkedWith<Outcome: Sendable>: Parked {
    private let wait: ParkWait<Outcome>?
    private let resume: (Outcome, consuming Exchange) -> Void

    init(
        _ exchange: consuming Exchange, _ wait: ParkWait<Outcome>?,
        _ resume: @escaping (Outcome, consuming Exchange) -> Void
    ) {
        self.wait = wait
        self.resume = resume
        super.init(exchange)
    }

    override var hasWait: Bool { wait != nil }

    override func complete(_ box: any AnyObject & Sendable) {
        guard let box = box as? OutcomeBox<Outcome> else { return }
        proceed(box.outcome)
    }

    override func expire(_ end: ParkEnd) {
        guard let wait else { return }
        proceed(wait.outcome(end))
    }

    private func proceed(_ outcome: Outcome) {
        guard let exchange = take() else { return }
        resume(outcome, exchange)
    }
}
