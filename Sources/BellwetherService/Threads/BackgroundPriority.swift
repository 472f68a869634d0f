internal import Glibc

/// The priority of threads whose work may wait, so that threads that serve requests get the processor first.
public enum BackgroundPriority {
    /// The nice value. The thread gets a tenth of a processor that other threads want, too, and all of an idle one.
    static let niceness: Int32 = 10

    /// SCHED_BATCH of sched(7), which headers declare only with `_GNU_SOURCE`.
    static let batchClass: Int32 = 3

    /// Lowers the priority of the calling thread for as long as it lives. It yields to all other threads of the
    /// process, and does not preempt them when it wakes up. A repeated call costs almost nothing. A thread of another
    /// scheduling class stays as it is.
    public static func enter() {
        // On Linux 0 means the calling thread.
        // Dispatch may give a thread of this class another niceness when it uses the thread again.
        guard [SCHED_OTHER, batchClass].contains(sched_getscheduler(0)) else { return }
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(thread, 0) < niceness { setpriority(thread, 0, niceness) }
        var parameter = sched_param()
        parameter.sched_priority = 0
        sched_setscheduler(0, batchClass, &parameter)
    }

    /// Yields between two parts of a long task, because the system's own time slices can last some milliseconds. It
    /// costs almost nothing if no thread waits.
    static func yield() { sched_yield() }
}
