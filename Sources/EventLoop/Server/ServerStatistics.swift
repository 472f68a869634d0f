/// Counts over all workers since the start. Each count is exact, but they are not read at the same instant.
public struct ServerStatistics: Sendable, Hashable {
    public var openConnections = 0
    /// The maximum number of open connections.
    public var connectionLimit = 0
    public var acceptedConnections = 0
    /// The number of connections that were answered 503 because there were too many.
    public var refusedConnections = 0
    public var requests = 0
    /// The number of exchanges that are parked now.
    public var parkedExchanges = 0
    /// The number of exchanges that a responder dropped. Each is a bug.
    public var unansweredExchanges = 0
    public var bytesReceived = 0
    public var bytesSent = 0
    /// The number of unreadable requests and of connections that were closed, by reason: the names of `WireFault`, and
    /// `write_timeout`, `accept_failed`, `overload`.
    public var rejected: [String: Int] = [:]

    public init() {}
}
