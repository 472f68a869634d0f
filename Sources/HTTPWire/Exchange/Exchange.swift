/// Where the answer to one exchange goes: a connection, or a recorder in a test.
///
/// Confined to the thread that made it.
open class ReplySlot {
    public init() {}

    /// Takes the answer. Called at most once for each exchange made of this slot.
    open func reply(_ response: Response) {}

    /// The exchange was dropped without an answer: a bug in the responder, answered with 500 and counted.
    open func abandon() {}
}

/// The right and the duty to answer one request, exactly once: `reply` consumes it.
///
/// Dropped unanswered it answers 500 and is counted as a bug. It is not consumed inside an escaping closure: put it
/// into a `ParkedExchange` for that. `discard` allows no class reference in it, hence the unmanaged one, which owns a
/// retain of its slot.
public struct Exchange: ~Copyable {
    private let slot: Unmanaged<ReplySlot>

    public init(_ slot: ReplySlot) { self.slot = Unmanaged.passRetained(slot) }

    public consuming func reply(_ response: Response) {
        let slot = self.slot
        discard self
        slot.takeRetainedValue().reply(response)
    }

    /// The slot, for the event loop to find the connection it belongs to.
    package var connection: ReplySlot { slot.takeUnretainedValue() }

    deinit { slot.takeRetainedValue().abandon() }
}

/// A box for an exchange that waits: no collection holds values that cannot be copied.
public final class ParkedExchange {
    public var exchange: Exchange?

    public init(_ exchange: consuming Exchange) { self.exchange = .some(exchange) }

    /// Answers, unless that has already been done.
    public func reply(_ response: Response) {
        guard let exchange = take() else { return }
        exchange.reply(response)
    }

    /// Takes the exchange out of the box.
    public func take() -> Exchange? {
        var taken: Exchange?
        swap(&taken, &exchange)
        return taken
    }
}
