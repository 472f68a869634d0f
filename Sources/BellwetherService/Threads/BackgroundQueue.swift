internal import Dispatch
internal import Synchronization

/// Does one thing after another on a thread of its own: what takes many milliseconds of a processor, as a publish does.
/// The thread lives while there is something to do.
public final class BackgroundQueue: Sendable {
    public typealias Job = @Sendable () -> Void
    /// Runs a body on a thread of its own; false when there is none to be had.
    public typealias ThreadStart = @Sendable (_ body: @escaping Job) -> Bool

    private struct State {
        var jobs: [(job: Job, bytes: Int)] = []
        /// The bytes of all jobs that wait.
        var bytes = 0
        var isRunning = false
    }

    private enum Admission { case waiting, first, full }

    /// Bytes that the jobs of requests may keep while they wait.
    public static let defaultBound = 128 << 20

    private let startThread: ThreadStart
    private let bound: Int
    private let state = Mutex(State())

    public init(bound: Int = BackgroundQueue.defaultBound, startThread: @escaping ThreadStart) {
        (self.bound, self.startThread) = (bound, startThread)
    }

    /// On threads as others are.
    public convenience init() {
        self.init { body in
            DispatchQueue.global().async(execute: body)
            return true
        }
    }

    /// Adds a job of the daemon's own.
    public func async(_ job: @escaping Job) { _ = add(job, bytes: 0) }

    /// For a request, whose job keeps so many bytes while it waits. False: too much waits, and it is not done. A job
    /// before which nothing waits is always let in.
    public func async(keeping bytes: Int, _ job: @escaping Job) -> Bool {
        add(job, bytes: bytes + Self.overhead) != .full
    }

    /// The bytes of a job beside the values that it keeps.
    private static let overhead = 1024

    private func add(_ job: @escaping Job, bytes: Int) -> Admission {
        let admission = state.withLock { state -> Admission in
            guard bytes == 0 || state.bytes == 0 || state.bytes + bytes <= bound else { return .full }
            state.jobs.append((job, bytes))
            state.bytes += bytes
            defer { state.isRunning = true }
            return state.isRunning ? .waiting : .first
        }
        // Without a thread the job runs on the calling one.
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
