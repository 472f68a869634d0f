/// Bounds on an expression and on its evaluation; beyond them: error `limit`.
public struct JEXLLimits: Sendable, Hashable {
    /// UTF-8 bytes of the text. Never more than `maximumSourceBytes`, whatever is asked.
    public var sourceBytes: Int
    /// Parentheses, brackets and braces inside one another. Never more than `maximumDepth`, whatever is asked.
    public var depth: Int
    /// Work of one evaluation: about one a node, one an item searched or filtered, one for 64 bytes of text.
    public var steps: Int

    public static let standard = JEXLLimits()

    /// Nodes refer to one another in 32 bits.
    static let maximumSourceBytes = 1 << 24

    /// Parser and evaluator recurse once a level; this stays far below any thread's stack.
    static let maximumDepth = 256

    public init(sourceBytes: Int = 10_000, depth: Int = 64, steps: Int = 100_000) {
        self.sourceBytes = sourceBytes
        self.depth = depth
        self.steps = steps
    }
}
