import Foundation

/// Processor time of the calling thread. It excludes the time of other threads and processes.
enum ThreadClock {
    static var nanoseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000_000_000 + Double(time.tv_nsec)
    }

    /// Repeats a piece of work for about half a second and returns the nanoseconds of one repetition.
    /// - Parameter work: does the work once and returns a value that depends on it, so that the compiler cannot remove
    ///   it.
    static func time(_ work: () throws -> Int) rethrows -> Double {
        let start = nanoseconds
        var (repetitions, sum, end) = (0.0, 0, start)
        while end - start < 500_000_000 {
            for _ in 0..<64 { sum &+= try work() }
            repetitions += 64
            end = nanoseconds
        }
        Self.sink = sum
        return (end - start) / repetitions
    }

    /// A variable for results, so that the compiler must compute them. Only the main thread measures.
    nonisolated(unsafe) private static var sink = 0
}
