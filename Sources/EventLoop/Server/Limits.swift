internal import HTTPWire

/// Bounds on what one client may use: bytes, time and connections (docs/reference/http-api.md#limits).
public struct Limits: Sendable, Hashable {
    public var headBytes = 16_384
    public var headerCount = 100
    public var targetBytes = 8_192

    /// Over all workers; further ones are answered 503 and closed. Lowered to what the process may open.
    public var connections = 50_000

    /// How long a connection may stay with no request on it.
    public var idleSeconds = 60.0
    /// From the first byte of a head to its last.
    public var headSeconds = 10.0
    /// From the head to the last byte of the content, to which its size at `bytesPerSecond` is added.
    public var contentSeconds = 10.0
    /// For a client to take a response, to which its size at `bytesPerSecond` is added.
    public var writeSeconds = 10.0
    /// The lowest rate that is accepted: 16 KiB/s is a slow mobile connection.
    public var bytesPerSecond = 16_384
    /// How long a connection that is closed is read, so that the client gets the last response before a reset.
    public var lingerSeconds = 2.0
    /// How long a drain may take.
    public var drainSeconds = 10.0
    /// How long after its last request, or after it was made, a connection is idle before a drain closes it: the next
    /// request may be on its way.
    public var drainIdleSeconds = 1.0

    /// Responses waiting for one connection. Beyond it no further request of that connection is read until it has taken
    /// them; a single larger response is still sent.
    public var backlogBytes = 262_144
    /// Over all workers: contents that are still coming or in work, and answers not taken yet. Above it each worker
    /// that keeps more than an equal share closes the connections that have kept their bytes longest: content is
    /// answered 503, and a connection that does not read its response is cut off. So the total is at most twice this.
    public var bufferedBytes = 268_435_456

    public init() {}

    var wire: WireLimits {
        var limits = WireLimits()
        limits.headBytes = headBytes
        limits.headerCount = headerCount
        limits.targetBytes = targetBytes
        return limits
    }

    /// Milliseconds for so many bytes.
    func transferMilliseconds(_ bytes: Int) -> Int64 { Int64(bytes / max(bytesPerSecond, 1)) * 1000 }
}

extension Double {
    /// Seconds as milliseconds, at least 1 and at most a year.
    var milliseconds: Int64 { Int64(Swift.min(Swift.max(self, 0.001), 31_536_000) * 1000) }
}
