internal import Glibc
internal import Synchronization

/// Does one thing after another on a thread of its own, which gives way to all others of the process: what takes many
/// milliseconds of a processor, as a publish does, takes them from nobody's request. The thread lives while there is
/// something to do.
final class BackgroundQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }

    /// As `nice` counts: a tenth of a processor that others want too, all of one that nobody wants.
    private static let niceness: Int32 = 10

    private let state = Mutex(State())

    func async(_ job: @escaping Job) {
        let isRunning = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return state.isRunning
        }
        guard !isRunning else { return }
        // Without a thread to be had, whoever asks does it.
        if !start() { run() }
    }

    /// For between two parts of something long: the system's own turns can be as long as some milliseconds. It costs next to
    /// nothing where nobody waits.
    static func giveWay() { sched_yield() }

    private func run() {
        while let job = next() { job() }
    }

    private func next() -> Job? {
        state.withLock { state in
            state.isRunning = !state.jobs.isEmpty
            return state.isRunning ? state.jobs.removeFirst() : nil
        }
    }

    /// Signals are not delivered to the new thread: they belong to the loop of the program.
    private func start() -> Bool {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                // 0 is the thread that calls.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, BackgroundQueue.niceness)
                if let context { Unmanaged<BackgroundQueue>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
