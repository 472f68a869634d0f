/// Responds to requests. Each worker has one, which is created and used only on the worker's thread.
public protocol Responder: AnyObject {
    /// The maximum size of this request's content in bytes. It is called once the head of a request with content is
    /// complete, before `100 Continue` and before any byte of the content is kept. Larger content is refused with 413.
    func bodyLimit(for request: Request) -> Int

    /// Responds now, or parks the exchange. It never blocks.
    func respond(to request: Request, _ exchange: consuming Exchange)

    /// Whether a client may begin a TLS handshake now. A refused connection is closed.
    func admitsHandshake(from peer: PeerAddress) -> Bool

    /// Receives a message that was broadcast to all workers.
    func receive(_ message: any Sendable)
}

extension Responder {
    public func admitsHandshake(from peer: PeerAddress) -> Bool { true }
}
