import BellwetherBase
import BellwetherJSON
import BellwetherService
import StoreSupport
import Synchronization
import Testing

/// Only one process at a time runs a job of the store (docs/decisions/0080-a-store-is-opened-by-its-url.md).
@Suite struct LeasedJobTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    /// The `done` closure of each job that began, and the results that were reported at the end.
    private final class Jobs: Sendable {
        let begun = Mutex<[@Sendable () -> Void]>([])
        let told = Mutex<[Bool]>([])

        func run(_ job: LeasedJob, in store: Persistence, at now: Timestamp) {
            job.run(in: store, now: now) { done in
                self.begun.withLock { $0.append(done) }
            } _: { wasDone in
                self.told.withLock { $0.append(wasDone) }
            }
        }

        func end() {
            for done in begun.withLock({ $0 }) { done() }
        }
    }

    @Test func whileOneProcessDoesItTheOthersDoNot() {
        let store = TestStore(sharing: .asked)
        let nodes = (0..<2).map { _ in (Persistence(store, threads: .inPlace), LeasedJob("job", seconds: 60)) }
        let jobs = Jobs()
        jobs.run(nodes[0].1, in: nodes[0].0, at: Self.now)
        jobs.run(nodes[1].1, in: nodes[1].0, at: Self.now.adding(seconds: 59))
        #expect(jobs.begun.withLock(\.count) == 1 && jobs.told.withLock(\.self) == [false])
        jobs.end()
        #expect(jobs.told.withLock(\.self) == [false, true])
        jobs.run(nodes[1].1, in: nodes[1].0, at: Self.now.adding(seconds: 59))
        #expect(jobs.begun.withLock(\.count) == 2, "the lease was given back")
    }

    @Test func aProcessThatDiesWithinItKeepsOthersFromItForSoLong() {
        let store = TestStore(sharing: .asked)
        let nodes = (0..<2).map { _ in (Persistence(store, threads: .inPlace), LeasedJob("job", seconds: 60)) }
        let jobs = Jobs()
        jobs.run(nodes[0].1, in: nodes[0].0, at: Self.now)
        jobs.run(nodes[1].1, in: nodes[1].0, at: Self.now.adding(seconds: 60))
        #expect(jobs.begun.withLock(\.count) == 2)
    }
}
