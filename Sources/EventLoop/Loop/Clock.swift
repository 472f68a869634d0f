internal import Glibc

/// The two clocks of a worker. They use the kernel's coarse resolution (a timer tick, 1 to 4 ms) and cost no system
/// call.
enum Clock {
    /// Milliseconds since an arbitrary start. The value never decreases.
    static var milliseconds: Int64 {
        let time = read(CLOCK_MONOTONIC_COARSE)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Whole seconds since 1970-01-01T00:00:00Z.
    static var epochSeconds: Int64 { Int64(read(CLOCK_REALTIME_COARSE).tv_sec) }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
