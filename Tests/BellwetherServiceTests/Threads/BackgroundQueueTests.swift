import BellwetherJSON
import Dispatch
import Synchronization
import Testing

@testable import BellwetherService

/// The queue runs one job after another.
@Suite struct BackgroundQueueTests {
    private final class Notes: Sendable {
        let numbers = Mutex<[Int]>([])
        let ended = DispatchSemaphore(value: 0)
    }

    @Test func everythingIsDoneInOrder() {
        let queue = BackgroundQueue()
        let notes = Notes()
        // Each turn begins when the jobs of the one before are done.
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

    @Test func whatWaitsIsBoundedInBytes() {
        // No thread ever runs the jobs.
        let queue = BackgroundQueue(bound: 10_000) { _ in true }
        #expect(queue.async(keeping: 50_000) {}, "one that waits alone is let in")
        #expect(!queue.async(keeping: 0) {})
        let other = BackgroundQueue(bound: 10_000) { _ in true }
        #expect((0..<20).count { _ in other.async(keeping: 1000) {} } == 4)
        other.async {}
        #expect(!other.async(keeping: 4000) {})
    }

    private final class Held: Sendable {
        let body = Mutex<BackgroundQueue.Job?>(nil)
    }

    @Test func askersTakeTurns() {
        let (held, notes) = (Held(), Notes())
        let queue = BackgroundQueue(requests: 12) { body in
            held.body.withLock { $0 = body }
            return true
        }
        func add(_ asker: String, _ number: Int) -> Bool {
            queue.async(keeping: 0, for: Identifier(asker)) { notes.numbers.withLock { $0.append(number) } }
        }
        #expect(add("a", 1) && add("a", 2) && add("a", 3))
        #expect(!add("a", 4), "one has a quarter of the places")
        #expect(add("b", 11) && add("c", 21) && add("b", 12))
        held.body.withLock(\.self)?()
        #expect(notes.numbers.withLock { $0 } == [1, 11, 21, 2, 12, 3])
    }

    /// If the system gives no thread, the caller runs the job.
    @Test func withoutAThreadWhoeverAsksDoesIt() {
        let queue = BackgroundQueue { _ in false }
        let notes = Notes()
        for number in 0..<3 { queue.async { notes.numbers.withLock { $0.append(number) } } }
        #expect(notes.numbers.withLock { $0 } == [0, 1, 2])
    }
}
