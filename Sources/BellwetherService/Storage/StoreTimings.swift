/// The durations of a store's writes since it was opened.
public struct StoreTimings: Sendable, Hashable {
    /// The bounds in seconds. An fsync takes 100 µs on a fast disk, and 10 s on a disk that hangs.
    private static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The seconds of COMMIT, in which the log is written and the disk confirms it.
    public var commitSeconds = Histogram(bounds: bounds)
    /// The seconds of a whole transaction, from BEGIN to COMMIT.
    public var batchSeconds = Histogram(bounds: bounds)

    public init() {}
}
