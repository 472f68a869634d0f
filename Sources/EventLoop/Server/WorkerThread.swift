internal import Glibc

/// Starts threads that run until their body returns.
public enum WorkerThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// As `nice` counts: a tenth of a processor that others want too, all of one that nobody wants.
    private static let givingWay: Int32 = 10

    /// A thread that gives way to all others of the process. False when the system gives none.
    public static func startGivingWay(_ body: @escaping @Sendable () -> Void) -> Bool {
        start {
            // On Linux 0 is the thread that calls.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, givingWay)
            body()
        }
    }

    /// Signals are not delivered to the new thread: they belong to the loop of the program. False when the system
    /// gives no thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let context = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
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
