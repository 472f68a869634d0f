internal import CLibevent

/// Short turns on the processor for threads that answer.
///
/// Since Linux 6.12 a thread that asks for shorter turns than the one that runs interrupts it when it wakes up, which
/// it does otherwise after that one's turn, milliseconds later. Whoever computes for long asks for nothing.
enum ShortTurns {
    /// The shortest that the system grants, in nanoseconds; a poll takes a third of it.
    static let length: UInt64 = 100_000

    /// SCHED_FLAG_RESET_ON_FORK of sched_setattr(2): threads that this one starts have turns as others have. What a
    /// worker hands to a queue may be the first that needs a thread of the pool.
    private static let resetOnFork: UInt64 = 1

    /// For the thread that calls. It is no fault where the system knows of no such thing, or where the thread is of a
    /// class that has no turns.
    static func ask() {
        var scheduling = bellwether_sched_attr()
        guard bellwether_get_scheduling(&scheduling) == 0, scheduling.policy == 0 else { return }
        scheduling.runtime = length
        scheduling.flags |= resetOnFork
        _ = bellwether_set_scheduling(&scheduling)
    }
}
