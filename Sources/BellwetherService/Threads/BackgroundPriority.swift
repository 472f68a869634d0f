internal import Glibc

/// How threads whose work may wait leave the processor to those that answer requests.
public enum BackgroundPriority {
    /// As `nice` counts: a tenth of a processor that other threads want too, all of an idle one.
    static let niceness: Int32 = 10

    /// SCHED_BATCH of sched(7), which headers declare for GNU's own programs only.
    static let batchClass: Int32 = 3

    /// The thread that calls gives way to all others of the process for as long as it lives, and does not interrupt
    /// them when it wakes up. It costs next to nothing where it does already; a thread of another class than the usual
    /// is left as it is.
    public static func enter() {
        // On Linux 0 is the thread that calls.
        // Dispatch may give a thread of this class another niceness when it uses the thread again.
        guard [SCHED_OTHER, batchClass].contains(sched_getscheduler(0)) else { return }
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(thread, 0) < niceness { setpriority(thread, 0, niceness) }
        var parameter = sched_param()
        parameter.sched_priority = 0
        sched_setscheduler(0, batchClass, &parameter)
    }

    /// For between two parts of something long: the system's own turns can be as long as some milliseconds. It costs
    /// next to nothing where no thread waits.
    static func yield() { sched_yield() }
}
