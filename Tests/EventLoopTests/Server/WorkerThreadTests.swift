import Dispatch
import Glibc
import Synchronization
import Testing

@testable import EventLoop

/// What threads are started with.
@Suite struct WorkerThreadTests {
    private final class Notes: Sendable {
        let niceness = Mutex<Int32?>(nil)
        let ended = DispatchSemaphore(value: 0)
    }

    private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    private func niceness(of start: (@escaping @Sendable () -> Void) -> Bool) throws -> Int32 {
        let notes = Notes()
        let isStarted = start {
            notes.niceness.withLock { $0 = Self.niceness() }
            notes.ended.signal()
        }
        try #require(isStarted)
        notes.ended.wait()
        return try #require(notes.niceness.withLock { $0 })
    }

    @Test func onlyThoseGiveWayThatShould() throws {
        let own = Self.niceness()
        #expect(try niceness(of: WorkerThread.start) == own)
        #expect(try niceness(of: WorkerThread.startGivingWay) == max(own, 10))
        #expect(Self.niceness() == own)
    }
}
