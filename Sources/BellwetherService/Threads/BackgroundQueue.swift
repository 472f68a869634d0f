public import BellwetherJSON
internal import Dispatch
internal import Synchronization

/// Runs one job after another on a thread of its own. The jobs take many milliseconds of a processor, such as a
/// publish. The thread lives while there are jobs.
public final class BackgroundQueue: Sendable {
    public typealias Job = @Sendable () -> Void
    /// Runs a body on a thread of its own; returns false if no thread can be started.
    public typealias ThreadStart = @Sendable (_ body: @escaping Job) -> Bool

    private struct State {
        var jobs: [Waiting] = []
        /// The bytes of all jobs that wait.
        var bytes = 0
        var isRunning = false
        /// The askers that had a job in the present round.
        var served: Set<Identifier> = []

        /// The oldest job of an asker who had none in this round. So one who asks much holds up others by one job.
        mutating func takeNext() -> Waiting? {
            func isDue(_ waiting: Waiting) -> Bool { waiting.asker.map { !served.contains($0) } ?? true }
            var index = jobs.firstIndex(where: isDue)
            if index == nil {
                served = []
                index = jobs.indices.first
            }
            guard let index else { return nil }
            let next = jobs.remove(at: index)
            if let asker = next.asker { served.insert(asker) }
            bytes -= next.bytes
            return next
        }
    }

    private struct Waiting {
        let job: Job
        let bytes: Int
        /// The asker of the job; nil for a job of the daemon itself.
        let asker: Identifier?
    }

    private enum Admission { case waiting, first, full }

    /// The maximum bytes that waiting jobs of requests may keep.
    public static let defaultBound = 128 << 20

    private let startThread: ThreadStart
    private let bound: Int
    private let requests: Int
    private let state = Mutex(State())

    /// - Parameter requests: The maximum number of waiting jobs of requests. One asker may have a quarter of them.
    public init(
        bound: Int = BackgroundQueue.defaultBound, requests: Int = .max, startThread: @escaping ThreadStart
    ) {
        (self.bound, self.requests, self.startThread) = (bound, requests, startThread)
    }

    /// A queue on the usual threads of Dispatch.
    public convenience init(requests: Int = .max) {
        self.init(requests: requests) { body in
            DispatchQueue.global().async(execute: body)
            return true
        }
    }

    /// Adds a job of the daemon itself.
    public func async(_ job: @escaping Job) { _ = add(Waiting(job: job, bytes: 0, asker: nil)) }

    /// Adds the job of a request, which keeps this number of bytes while it waits. Returns false if too many bytes or
    /// requests wait; then the job does not run. A job is always accepted if no other job's bytes wait.
    ///
    /// - Parameter asker: The jobs of different askers take turns. Jobs without one run in the order of their arrival.
    public func async(keeping bytes: Int, for asker: Identifier? = nil, _ job: @escaping Job) -> Bool {
        add(Waiting(job: job, bytes: bytes + Self.overhead, asker: asker)) != .full
    }

    /// The bytes of a job besides the values that it keeps.
    private static let overhead = 1024

    private func add(_ added: Waiting) -> Admission {
        let admission = state.withLock { state -> Admission in
            guard added.bytes == 0 || state.bytes == 0 || hasRoom(for: added, in: state) else { return .full }
            state.jobs.append(added)
            state.bytes += added.bytes
            defer { state.isRunning = true }
            return state.isRunning ? .waiting : .first
        }
        // If no thread can be started, the job runs on the calling thread.
        if admission == .first, !startThread({ self.run() }) { run() }
        return admission
    }

    private func hasRoom(for added: Waiting, in state: borrowing State) -> Bool {
        guard state.bytes + added.bytes <= bound, state.jobs.count < requests else { return false }
        guard let asker = added.asker, requests < .max else { return true }
        return state.jobs.count { $0.asker == asker } < max(1, requests / 4)
    }

    private func run() {
        while let job = next() { job() }
    }

    private func next() -> Job? {
        state.withLock { state in
            let next = state.takeNext()
            state.isRunning = next != nil
            return next?.job
        }
    }
}
