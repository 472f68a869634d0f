/// What answers requests. There is one for each worker, made and used on the worker's thread, which it never leaves.
public protocol Responder: AnyObject {
    /// How many bytes of content this request may bring. Asked once the head of a request with content is complete,
    /// before `100 Continue` and before any byte of the content is kept; more is refused with 413.
    func bodyLimit(for request: Request) -> Int

    /// Answers now, or parks the exchange. Never blocks.
    func respond(to request: Request, _ exchange: consuming Exchange)

    /// Takes what was broadcast to all workers.
    func receive(_ message: any Sendable)
}
