/// The destination of one exchange's response: a connection, or a recorder in a test.
///
/// It is used only on the thread that created it.
open class ResponseSlot {
    public init() {}

    /// Receives the response. It is called at most once for each exchange of this slot.
    open func reply(_ response: Response) {}

    /// Called if the exchange was dropped without a response. That is a bug in the responder; the response is 500, and
    /// the bug is counted.
    open func abandon() {}
}

/// The right and the duty to respond to one request exactly once: `reply` consumes it.
///
/// If it is dropped without a response, the response is 500, and the bug is counted. An escaping closure cannot consume
/// it, and no collection can contain it. A box from which it is taken solves both, as the event loop's `Parked` does.
/// `discard` does not allow a class reference in it, so the reference is unmanaged and owns a retain of its slot.
public struct Exchange: ~Copyable {
    private let slot: Unmanaged<ResponseSlot>

    public init(_ slot: ResponseSlot) { self.slot = Unmanaged.passRetained(slot) }

    public consuming func reply(_ response: Response) {
        let slot = self.slot
        discard self
        slot.takeRetainedValue().reply(response)
    }

    /// Takes the slot out of the exchange, for a response that is sent piece by piece.
    package consuming func take() -> ResponseSlot {
        let slot = self.slot
        discard self
        return slot.takeRetainedValue()
    }

    /// The slot, from which the event loop gets the connection.
    package var connection: ResponseSlot { slot.takeUnretainedValue() }

    deinit { slot.takeRetainedValue().abandon() }
}
