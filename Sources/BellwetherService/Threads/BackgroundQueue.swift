internal import Dispatch
internal import Synchronization

/// Runs one job after another on a thread of its own. The jobs take many milliseconds of a processor, such as a
/// publish. The thread lives while there are jobs.
public final class BackgroundQueue: Sendable {
    public typealias Job = @Sendable () -> Void
    /// Runs a body on a thread of its own; returns false if no thread can be started.
    public typealias ThreadStart = @Sendable (_ body: @escaping Job) -> Bool

    private struct State {
        var jobs: [(job: Job, bytes: Int)] = []
        /// The bytes of all jobs that wait.
        var bytes = 0
        var isRunning = false
    }

    private enum Admission { case waiting, first, full }

    /// The maximum bytes that waiting jobs of requests may keep.
    public static let defaultBound = 128 << 20

    private let startThread: ThreadStart
    private let bound: Int
    private let state = Mutex(State())

    public init(bound: Int = BackgroundQueue.defaultBound, startThread: @escaping ThreadStart) {
        (self.bound, self.startThread) = (bound, startThread)
    }

    /// A queue on the usual threads of Dispatch.
    public convenience init() {
        self.init { body in
            DispatchQueue.global().async(execute: body)
            return true
        }
    }

    /// Adds a job of the daemon itself.
    public func async(_ job: @escaping Job) { _ = add(job, bytes: 0) }

    /// Adds the job of a request, which keeps this number of bytes while it waits. Returns false if too many bytes
    /// wait; then the job does not run. A job is always accepted if no other job's bytes wait.
    public func async(keeping bytes: Int, _ job: @escaping Job) -> Bool {
        add(job, bytes: bytes + Self.overhead) != .full
    }

    /// The bytes of a job besides the values that it keeps.
    private static let overhead = 1024

    private func add(_ job: @escaping Job, bytes: Int) -> Admission {
        let admission = state.withLock { state -> Admission in
            guard bytes == 0 || state.bytes == 0 || state.bytes + bytes <= bound else { return .full }
            state.jobs.append((job, bytes))
            state.bytes += bytes
            defer { state.isRunning = true }
            return state.isRunning ? .waiting : .first
        }
        // If no thread can be started, the job runs on the calling thread.
        if admission == .first, !startThread({ self.run() }) { run() }
        return admission
    }

    private func run() {
        while let job = next() { job() }
    }

    private func next() -> Job? {
        state.withLock { state in
            state.isRunning = !state.jobs.isEmpty
            guard state.isRunning else { return nil }
            let next = state.jobs.removeFirst()
            state.bytes -= next.bytes
            return next.job
        }
    }
}
