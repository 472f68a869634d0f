/// How much of a message is read before it is refused.
public struct WireLimits: Sendable, Hashable {
    /// Request line, field lines and the empty line; also all trailers of one message. More is 431.
    public var headBytes = 16_384
    /// Field lines, trailers included. More is 431.
    public var headerCount = 100
    /// More is 414.
    public var targetBytes = 8_192
    /// One line with the size and the extensions of a chunk.
    public var chunkLineBytes = 256
    /// All chunk extensions of one message together: no client needs them, and parsing them is work.
    public var chunkExtensionBytes = 4_096

    public init() {}

    /// The request line without its target: a method, two spaces, the version and CRLF. No method is longer than
    /// `UPDATEREDIRECTREF`; the rest is room for methods to come.
    var requestLineBytes: Int { min(targetBytes + 64, headBytes) }
}
