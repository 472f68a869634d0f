/// The limits for a document. A document that exceeds one is refused before it uses memory or stack
/// (docs/reference/http-api.md#limits).
public struct JSONLimits: Sendable, Hashable {
    /// The maximum nesting of arrays and objects. It is never more than `maximumDepth`, whatever value is set.
    public var depth: Int
    /// The maximum size of the document in bytes.
    public var bytes: Int
    /// The maximum number of values in the document. Every array, object and scalar counts as one; keys do not count.
    public var values: Int

    public static let standard = JSONLimits()

    /// The limits for documents that were accepted before, and for documents that the daemon wrote. They can be read
    /// whatever the current setting is.
    public static let kept = JSONLimits(depth: 512, bytes: .max, values: .max)

    /// The parser recurses once per level. With about 300 bytes per frame, this stays far below any thread's stack.
    static let maximumDepth = 1_024

    public init(depth: Int = 64, bytes: Int = 16 << 20, values: Int = 1_000_000) {
        self.depth = depth
        self.bytes = bytes
        self.values = values
    }
}
