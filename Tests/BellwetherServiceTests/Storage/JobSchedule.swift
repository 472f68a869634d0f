import StoreSupport
import Synchronization
import TestSupport

@testable import BellwetherService

/// Runs the jobs of several nodes one at a time, in an order that a seed determines. Each thread of a node keeps the
/// order of its own jobs.
final class JobSchedule: Sendable {
    private typealias Job = @Sendable () -> Void

    private let queues = Mutex<[[Job]]>([])

    /// The threads of one more node.
    func threads() -> StorageThreads {
        StorageThreads(writer: executor(), loader: executor(), logs: executor(), results: executor())
    }

    private func executor() -> StorageThreads.Executor {
        let index = queues.withLock { queues in
            queues.append([])
            return queues.count - 1
        }
        return { job in self.queues.withLock { $0[index].append(job) } }
    }

    /// Runs one waiting job. Returns false if none waits.
    @discardableResult
    func runOne(using random: inout SeededGenerator) -> Bool {
        let job = queues.withLock { queues -> Job? in
            let waiting = queues.indices.filter { !queues[$0].isEmpty }
            guard let index = waiting.randomElement(using: &random) else { return nil }
            return queues[index].removeFirst()
        }
        job?()
        return job != nil
    }

    func runAll(using random: inout SeededGenerator) { while runOne(using: &random) {} }
}
