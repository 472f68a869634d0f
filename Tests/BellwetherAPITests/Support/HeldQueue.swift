import BellwetherService
import Synchronization

/// A background queue whose thread begins when the test says so.
final class HeldQueue: Sendable {
    private let bodies = Mutex<[BackgroundQueue.Job]>([])

    func make(requests: Int = 64) -> BackgroundQueue {
        BackgroundQueue(requests: requests) { [self] body in
            bodies.withLock { $0.append(body) }
            return true
        }
    }

    /// Runs the waiting jobs, and those that they add, on this thread.
    func run() {
        for body in bodies.withLock({ bodies in
            defer { bodies = [] }
            return bodies
        }) { body() }
    }
}

extension BackgroundQueue {
    /// Runs each job on the thread that adds it.
    static var inPlace: BackgroundQueue {
        BackgroundQueue { body in
            body()
            return true
        }
    }
}
