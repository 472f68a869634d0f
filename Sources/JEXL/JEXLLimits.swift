/// The limits for an expression and its evaluation. Exceeding one is the error `limit`.
public struct JEXLLimits: Sendable, Hashable {
    /// The maximum length of the text in UTF-8 bytes. It is never more than `maximumSourceBytes`, whatever value is
    /// set.
    public var sourceBytes: Int
    /// The maximum nesting of parentheses, brackets and braces. It is never more than `maximumDepth`, whatever value is
    /// set.
    public var depth: Int
    /// The maximum work of one evaluation: about one step for each node, for each item searched or filtered, and for 64
    /// bytes of text.
    public var steps: Int

    public static let standard = JEXLLimits()

    /// Nodes refer to one another by 32-bit indices.
    static let maximumSourceBytes = 1 << 24

    /// The parser and the evaluator recurse once per level. This limit stays far below any thread's stack.
    static let maximumDepth = 256

    public init(sourceBytes: Int = 10_000, depth: Int = 64, steps: Int = 100_000) {
        self.sourceBytes = sourceBytes
        self.depth = depth
        self.steps = steps
    }
}
