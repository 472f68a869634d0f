/// Until when a decision holds if nothing happens to its client: the next rotation of a counter that it read
/// (architecture.md 2, "A poll's cost"). Belongs to one decision.
public final class Validity {
    /// Exclusive.
    public private(set) var end = Timestamp.distantFuture

    public init() {}

    public func limit(to time: Timestamp) { if time < end { end = time } }
}
