/// The limits on the parts of a message. A message that exceeds one is refused.
public struct WireLimits: Sendable, Hashable {
    /// The maximum size of the request line, the field lines and the empty line. It also limits all trailers of one
    /// message. The fault is 431.
    public var headBytes = 16_384
    /// The maximum number of field lines, including trailers. The fault is 431.
    public var headerCount = 100
    /// The maximum size of the target. The fault is 414.
    public var targetBytes = 8_192
    /// The maximum size of a line with the size and the extensions of a chunk.
    public var chunkLineBytes = 256
    /// The maximum size of all chunk extensions of one message. Clients do not need them, and parsing them costs work.
    public var chunkExtensionBytes = 4_096

    public init() {}

    /// The maximum size of the request line: the target, and room for a method, two spaces, the version and CRLF. The
    /// longest method is `UPDATEREDIRECTREF`; the remaining room is for future methods.
    var requestLineBytes: Int { min(targetBytes + 64, headBytes) }
}
