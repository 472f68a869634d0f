/// Bounds on a document. A document beyond one is refused before it uses memory or stack
/// (docs/reference/http-api.md#limits).
public struct JSONLimits: Sendable, Hashable {
    /// Arrays and objects inside one another. Never more than `maximumDepth`, whatever limit is asked for.
    public var depth: Int
    /// Bytes of the whole document.
    public var bytes: Int
    /// Values of the whole document: every array, object and scalar counts one, keys count nothing.
    public var values: Int

    public static let standard = JSONLimits()

    /// The limit for documents that were accepted before, and for those that the daemon wrote: they are read whatever
    /// the setting is now.
    public static let kept = JSONLimits(depth: 512, bytes: .max, values: .max)

    /// The parser recurses once a level; at about 300 bytes a frame this stays far below any thread's stack.
    static let maximumDepth = 1_024

    public init(depth: Int = 64, bytes: Int = 16 << 20, values: Int = 1_000_000) {
        self.depth = depth
        self.bytes = bytes
        self.values = values
    }
}
