/// A response that is open: its content follows piece by piece. It belongs to its worker's thread.
public protocol ResponseStream: AnyObject {
    /// Whether bytes wait because the client does not read. After `Limits.streamWriteSeconds` the connection is closed.
    var isBlocked: Bool { get }

    /// Sends a piece of the content.
    func send(_ piece: [UInt8])

    /// Calls `streamIsDue` once, after this time. A later call replaces an earlier one.
    func wake(afterMilliseconds milliseconds: Int64)

    /// Ends the content and the connection. If bytes wait, they are dropped.
    func finish()
}

/// The part of a responder that writes the content of one stream.
public protocol StreamWriter: AnyObject {
    /// The head of the response is sent. Not called if the client has gone before.
    func streamBegins(_ stream: any ResponseStream)

    /// The time of `wake` has come.
    func streamIsDue()

    /// The drain of the server begins. The stream has to be finished at once, because the drain does not wait for it.
    func serverDrains()

    /// The connection has ended, or the stream was finished. Called once, last.
    func streamEnded()
}
