/// How long a store's writes took, since it was opened.
public struct StoreTimings: Sendable, Hashable {
    /// Seconds: 100 µs is a fast disk's fsync, 10 s is one that hangs.
    private static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// Seconds that COMMIT took: to write the log and have the disk say that it is there.
    public var commitSeconds = Histogram(bounds: bounds)
    /// Seconds of a whole transaction, from BEGIN to COMMIT.
    public var batchSeconds = Histogram(bounds: bounds)

    public init() {}
}
