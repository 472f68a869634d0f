import Foundation

/// The load generator's time, in nanoseconds. This clock stops while the machine runs something else in the generator's
/// place.
///
/// The generator never waits for the server, so the machine causes such an interruption, and the server never does. If
/// the time counted, the server would be charged with requests that were never sent. On a shared machine, kernel
/// threads alone interrupt the generator for milliseconds, several times a second. The clock does not stop while the
/// server stalls.
final class GeneratorClock {
    /// An upper bound, with a large margin, on the time of one send, one receive or one step of adverse load.
    private static let longestStep: Int64 = 250_000

    /// The last reading of the monotonic clock.
    private var looked: Int64
    /// The total time for which the generator was interrupted since the clock was made, and the number of
    /// interruptions.
    private(set) var away: Int64 = 0
    private(set) var absences = 0

    init() { looked = MonotonicClock.now }

    /// The current time. The generator reads it after each step that may take long.
    var now: Int64 {
        let time = MonotonicClock.now
        if time - looked > Self.longestStep {
            away += time - looked
            absences += 1
        }
        looked = time
        return time - away
    }

    /// Runs a body that waits on purpose: the time of the wait counts.
    func waiting<Result>(_ body: () -> Result) -> Result {
        _ = now
        defer { looked = MonotonicClock.now }
        return body()
    }
}

/// Time that only goes forward, in nanoseconds.
enum MonotonicClock {
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
