import Dispatch
import Glibc
import Synchronization
import Testing

@testable import BellwetherService

/// One thing after another, behind everything else.
@Suite struct BackgroundQueueTests {
    private final class Notes: Sendable {
        let numbers = Mutex<[Int]>([])
        let ended = DispatchSemaphore(value: 0)
    }

    @Test func everythingIsDoneInOrder() {
        let queue = BackgroundQueue()
        let notes = Notes()
        // Again, when the first thread has gone.
        for turn in 0..<3 {
            for number in 0..<500 { queue.async { notes.numbers.withLock { $0.append(turn * 500 + number) } } }
            queue.async { notes.ended.signal() }
            notes.ended.wait()
        }
        #expect(notes.numbers.withLock { $0 } == Array(0..<1_500))
    }

    @Test func jobsMayAddJobs() {
        let queue = BackgroundQueue()
        let notes = Notes()
        queue.async {
            notes.numbers.withLock { $0.append(1) }
            queue.async {
                notes.numbers.withLock { $0.append(2) }
                notes.ended.signal()
            }
        }
        notes.ended.wait()
        #expect(notes.numbers.withLock { $0 } == [1, 2])
    }

    @Test func itGivesWay() {
        @Sendable func niceness() -> Int { Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)) }
        let own = niceness()
        let queue = BackgroundQueue()
        let notes = Notes()
        queue.async {
            notes.numbers.withLock { $0.append(niceness()) }
            notes.ended.signal()
        }
        notes.ended.wait()
        #expect(notes.numbers.withLock { $0 } == [max(own, 10)])
        #expect(niceness() == own, "nobody else does")
    }
}
