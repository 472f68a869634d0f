/// Responds to requests. Each worker has one, which is made and used on the worker's thread only.
public protocol Responder: AnyObject {
    /// How many bytes of content this request may bring. Called once the head of a request with content is complete,
    /// before `100 Continue` and before any byte of the content is kept. More content than the result is refused with
    /// 413.
    func bodyLimit(for request: Request) -> Int

    /// Responds now, or parks the exchange. Never blocks.
    func respond(to request: Request, _ exchange: consuming Exchange)

    /// Receives a message that was broadcast to all workers.
    func receive(_ message: any Sendable)
}
