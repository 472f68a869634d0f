internal import Dispatch
public import HTTPWire
internal import Synchronization

/// Parks exchanges as a worker does. Outcomes may come from any thread; they are delivered on the thread that waits
/// here.
public final class InProcessParking: Parking {
    private final class Mailbox<Outcome: Sendable>: Sendable {
        private let outcome = Mutex<Outcome?>(nil)

        func put(_ value: Outcome) { outcome.withLock { $0 = $0 ?? value } }
        func take() -> Outcome? { outcome.withLock { $0 } }
    }

    /// Wakes the waiting thread. Any thread may call it.
    public let wake: @Sendable () -> Void
    private let arrived: DispatchSemaphore
    /// Each closure delivers its outcome, if it has arrived, and returns whether it did. The argument ends the wait
    /// without an outcome.
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
            guard let outcome = mailbox.take() ?? (endsWaits ? wait?.outcome(.drain) : nil),
                let exchange = parked.take()
            else {
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

    /// The streams that were opened, oldest first.
    public private(set) var streams: [RecordedStream] = []

    public func stream(_ response: Response, by writer: any StreamWriter, _ exchange: consuming Exchange) {
        let stream = RecordedStream(writer)
        streams.append(stream)
        exchange.reply(response)
        writer.streamBegins(stream)
    }

    /// Waits until another thread wakes this one, then delivers the outcomes that have arrived.
    public func deliverNext() {
        arrived.wait()
        settle(endsWaits: false)
    }

    public func settle(endsWaits: Bool) {
        var remaining: [(Bool) -> Bool] = []
        // Exchanges that park again are appended, and handled in the same loop.
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            if !next(endsWaits) { remaining.append(next) }
        }
        waiting = remaining
    }
}
