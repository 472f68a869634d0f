public import BellwetherCore
internal import Glibc

/// The daemon's clock. A value, so that tests drive time by hand.
public struct Clock: Sendable {
    public let now: @Sendable () -> Timestamp

    public init(_ now: @escaping @Sendable () -> Timestamp) { self.now = now }

    public static let system = Clock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
