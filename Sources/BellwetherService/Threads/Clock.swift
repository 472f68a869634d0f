public import BellwetherBase
internal import BellwetherCore
internal import Glibc

/// The daemon's clock. It is a value, so that tests can set the time.
public struct Clock: Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z, in the machine's resolution. The clock may be set back.
    public let nanoseconds: @Sendable () -> Int64

    public init(nanoseconds: @escaping @Sendable () -> Int64) { self.nanoseconds = nanoseconds }

    public init(_ now: @escaping @Sendable () -> Timestamp) { nanoseconds = { now().nanoseconds } }

    public func now() -> Timestamp { Timestamp(nanoseconds: nanoseconds()) }

    public static let system = Clock(nanoseconds: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    })
}

extension Timestamp {
    /// Rounded down to the millisecond.
    public init(nanoseconds: Int64) {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(milliseconds: rest < 0 ? milliseconds - 1 : milliseconds)
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z. Times that 64 bits cannot hold (before 1678, after 2261) are clamped.
    public var nanoseconds: Int64 {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (milliseconds < 0 ? .min : .max) : product
    }
}
