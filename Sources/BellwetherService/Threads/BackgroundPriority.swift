internal import CScheduling
internal import Glibc

/// The priority of threads whose work may wait, so that threads that serve requests get the processor first.
public enum BackgroundPriority {
    /// The nice value. The thread gets a tenth of a processor that other threads want, too, and all of an idle one.
    static let niceness: Int32 = 10

    /// SCHED_BATCH of sched(7), which headers declare only with `_GNU_SOURCE`.
    static let batchClass: Int32 = 3

    /// The time slice in nanoseconds. A thread that wakes up with a shorter slice, such as the usual one of 3 ms, runs
    /// at once, and not when the slice of this thread is over
    /// (docs/decisions/archive/0135-background-threads-have-a-long-time-slice.md).
    private static let slice: UInt64 = 20_000_000

    /// Lowers the priority of the calling thread for as long as it lives. All other threads of the process preempt it,
    /// and it does not preempt them when it wakes up. A repeated call costs almost nothing. A thread of another
    /// scheduling class stays as it is.
    public static func enter() {
        // On Linux 0 means the calling thread.
        // Dispatch may give a thread of this class another niceness when it uses the thread again.
        guard [SCHED_OTHER, batchClass].contains(sched_getscheduler(0)) else { return }
        let current = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        _ = bellwether_set_scheduling(UInt32(batchClass), max(current, niceness), slice)
    }
}
