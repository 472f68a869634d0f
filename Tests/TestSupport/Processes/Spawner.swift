internal import Foundation
internal import Synchronization

/// Starts all children from one thread that lives as long as the process.
///
/// A child ends with the thread that started it (`setpriv --pdeathsig`), so that no child is left behind when a test
/// run is killed. A thread of a pool would not do, because it may end at any time.
final class Spawner: Sendable {
    static let shared = Spawner()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                jobs.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs the closure on that thread, and returns when it has run.
    func run(_ work: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        jobs.withLock {
            $0.append {
                work()
                done.signal()
            }
        }
        waiting.signal()
        done.wait()
    }
}
