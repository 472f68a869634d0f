/// The destination of one exchange's response: a connection, or a recorder in a test.
///
/// Confined to the thread that made it.
open class ResponseSlot {
    public init() {}

    /// Receives the response. Called at most once for each exchange of this slot.
    open func reply(_ response: Response) {}

    /// The exchange was dropped without a response: a bug in the responder, answered with 500 and counted.
    open func abandon() {}
}

/// The right and the duty to answer one request, exactly once: `reply` consumes it.
///
/// If it is dropped without a response, the response is 500, and the bug is counted. An escaping closure cannot consume
/// it, and no collection holds it: a box that it is taken out of does for both, as the event loop's `Parked` does.
/// `discard` allows no class reference in it, hence the unmanaged one, which owns a retain of its slot.
public struct Exchange: ~Copyable {
    private let slot: Unmanaged<ResponseSlot>

    public init(_ slot: ResponseSlot) { self.slot = Unmanaged.passRetained(slot) }

    public consuming func reply(_ response: Response) {
        let slot = self.slot
        discard self
        slot.takeRetainedValue().reply(response)
    }

    /// The slot, for the event loop to find the connection it belongs to.
    package var connection: ResponseSlot { slot.takeUnretainedValue() }

    deinit { slot.takeRetainedValue().abandon() }
}
