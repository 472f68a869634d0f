internal import HTTPWire

/// The limits on the bytes, time and connections that clients may use (docs/reference/http-api.md#limits).
public struct Limits: Sendable, Hashable {
    public var headBytes = 16_384
    public var headerCount = 100
    public var targetBytes = 8_192

    /// The limit over all workers. Further connections are answered 503 and closed. It is lowered to the number of
    /// files that the process may open.
    public var connections = 50_000

    /// The maximum time that a connection may stay open without a request.
    public var idleSeconds = 60.0
    /// The maximum time from the first byte of a head to its last.
    public var headSeconds = 10.0
    /// The maximum time from the start of an encrypted connection to the end of its handshake.
    public var handshakeSeconds = 10.0
    /// The number of handshakes that a worker has in progress at most; each takes some 50 KB. Further connections are
    /// closed when they begin theirs.
    public var handshakes = 512
    /// The maximum time from the head to the last byte of the content. The time for the content's size at
    /// `bytesPerSecond` is added.
    public var contentSeconds = 10.0
    /// The maximum time in which a client must read a response. The time for its size at `bytesPerSecond` is added.
    public var writeSeconds = 10.0
    /// The maximum time in which the reader of a stream must take its next bytes.
    public var streamWriteSeconds = 30.0
    /// The lowest accepted rate. 16 KiB/s is a slow mobile connection.
    public var bytesPerSecond = 16_384
    /// The time for which a connection is still read after its last response, so that the client gets the response
    /// before a reset.
    public var lingerSeconds = 2.0
    /// The maximum duration of a drain.
    public var drainSeconds = 10.0
    /// The time after which a drain closes an idle connection, counted from its last request or its start. The next
    /// request may be on its way.
    public var drainIdleSeconds = 1.0

    /// The maximum size of responses that wait for one connection. Above it, no further request of that connection is
    /// read until the client has read the responses. A single larger response is still sent.
    public var backlogBytes = 262_144
    /// The limit over all workers for contents that are arriving or being processed, and for unread responses. Above
    /// it, each worker that keeps more than an equal share closes the connections that have kept their bytes longest.
    /// Content is answered 503, and a client that does not read its response is disconnected. The total is at most
    /// twice this limit.
    public var bufferedBytes = 268_435_456

    public init() {}

    var wire: WireLimits {
        var limits = WireLimits()
        limits.headBytes = headBytes
        limits.headerCount = headerCount
        limits.targetBytes = targetBytes
        return limits
    }

    /// The time in milliseconds that a number of bytes may take.
    func transferMilliseconds(_ bytes: Int) -> Int64 { Int64(bytes / max(bytesPerSecond, 1)) * 1000 }
}

extension Double {
    /// Seconds as milliseconds, at least 1 and at most a year.
    var milliseconds: Int64 { Int64(Swift.min(Swift.max(self, 0.001), 31_536_000) * 1000) }
}
