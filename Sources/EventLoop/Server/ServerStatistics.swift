/// Counts over all workers since the start. Each is exact; they are not read at the same instant.
public struct ServerStatistics: Sendable, Hashable {
    public var openConnections = 0
    /// How many may be open.
    public var connectionLimit = 0
    public var acceptedConnections = 0
    /// Turned away with 503 because there were too many.
    public var refusedConnections = 0
    public var requests = 0
    /// Exchanges that wait for something now.
    public var parkedExchanges = 0
    /// Exchanges that a responder dropped: bugs.
    public var unansweredExchanges = 0
    public var bytesReceived = 0
    public var bytesSent = 0
    /// Requests that could not be read, and connections given up on, by reason: the names of `WireFault`, and
    /// `write_timeout`, `accept_failed`, `overload`.
    public var rejected: [String: Int] = [:]

    public init() {}
}
