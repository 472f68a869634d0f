internal import Glibc

/// A clock that never goes back, for durations. Its values mean nothing outside the process.
public enum MonotonicTime {
    public static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
