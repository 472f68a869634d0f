/// The difference between the process's clock and the clock of a shared store
/// (docs/reference/http-api.md#several-nodes).
public struct ClockDifference: Sendable, Hashable {
    public enum Level: Sendable {
        case small
        /// The difference is noted in the log.
        case noted
        /// The daemon is not ready.
        case tooLarge
    }

    public static let none = ClockDifference(nanoseconds: 0)
    private static let notedNanoseconds: Int64 = 1_000_000_000
    private static let largestNanoseconds: Int64 = 5_000_000_000

    /// The nanoseconds by which the store's clock is ahead of the process's clock.
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public var level: Level {
        let size = nanoseconds.magnitude
        return size > Self.largestNanoseconds.magnitude
            ? .tooLarge : size > Self.notedNanoseconds.magnitude ? .noted : .small
    }

    public var seconds: Double { Double(nanoseconds) / 1e9 }

    public var sentence: String {
        let direction = nanoseconds > 0 ? "behind" : "ahead of"
        let tenths = (nanoseconds.magnitude + 50_000_000) / 100_000_000
        return "this machine's clock is \(tenths / 10).\(tenths % 10) s \(direction) the database's"
            + (level == .tooLarge ? "; a node whose clock is more than 5 s off is not ready" : "")
    }
}
