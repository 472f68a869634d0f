internal import Dispatch
public import HTTPWire
internal import Synchronization

/// Parks exchanges as a worker does: outcomes come from any thread, and are delivered on the thread that waits here.
public final class InProcessParking: Parking {
    private final class Mailbox<Outcome: Sendable>: Sendable {
        private let outcome = Mutex<Outcome?>(nil)

        func put(_ value: Outcome) { outcome.withLock { $0 = $0 ?? value } }
        func take() -> Outcome? { outcome.withLock { $0 } }
    }

    /// Wakes the thread that waits, from any thread.
    public let wake: @Sendable () -> Void
    private let arrived: DispatchSemaphore
    /// Each delivers its outcome and says so; the argument ends a wait without one.
    private var waiting: [(Bool) -> Bool] = []

    public init() {
        let arrived = DispatchSemaphore(value: 0)
        self.arrived = arrived
        wake = { arrived.signal() }
    }

    public func park<Outcome: Sendable>(
        _ exchange: consuming Exchange, wait: ParkWait<Outcome>?,
        resume: @escaping (Outcome, consuming Exchange) -> Void
    ) -> Ticket<Outcome> {
        let mailbox = Mailbox<Outcome>()
        let parked = ParkedExchange(exchange)
        waiting.append { endsWaits in
            guard let outcome = mailbox.take() ?? (endsWaits ? wait?.outcome : nil), let exchange = parked.take() else {
                return false
            }
            resume(outcome, exchange)
            return true
        }
        return Ticket { [wake] in
            mailbox.put($0)
            wake()
        }
    }

    /// Waits until something comes from another thread, then delivers what there is.
    public func deliverNext() {
        arrived.wait()
        settle(endsWaits: false)
    }

    public func settle(endsWaits: Bool) {
        var remaining: [(Bool) -> Bool] = []
        // Those that park again meanwhile are appended, and looked at in their turn.
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            if !next(endsWaits) { remaining.append(next) }
        }
        waiting = remaining
    }
}
