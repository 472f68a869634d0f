internal import Dispatch
internal import Synchronization

/// Does one thing after another on a thread of its own: what takes many milliseconds of a processor, as a publish does.
/// The thread lives while there is something to do.
public final class BackgroundQueue: Sendable {
    public typealias Job = @Sendable () -> Void
    /// Runs a body on a thread of its own; false when there is none to be had.
    public typealias ThreadStart = @Sendable (_ body: @escaping Job) -> Bool

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }

    private let startThread: ThreadStart
    private let state = Mutex(State())

    public init(startThread: @escaping ThreadStart) { self.startThread = startThread }

    /// On threads as others are.
    public convenience init() {
        self.init { body in
            DispatchQueue.global().async(execute: body)
            return true
        }
    }

    public func async(_ job: @escaping Job) {
        let isRunning = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return state.isRunning
        }
        guard !isRunning else { return }
        // Without a thread, whoever asks does it.
        if !startThread({ self.run() }) { run() }
    }

    private func run() {
        while let job = next() { job() }
    }

    private func next() -> Job? {
        state.withLock { state in
            state.isRunning = !state.jobs.isEmpty
            return state.isRunning ? state.jobs.removeFirst() : nil
        }
    }
}
