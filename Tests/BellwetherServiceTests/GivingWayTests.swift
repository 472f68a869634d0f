import Foundation
import Glibc
import Synchronization
import Testing

@testable import BellwetherService

/// Which threads leave the processor to others.
@Suite struct GivingWayTests {
    private final class Notes: Sendable {
        let niceness = Mutex<[Int32]>([])
        let ended = DispatchSemaphore(value: 0)
    }

    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test func onlyTheThreadThatCallsDoes() {
        let own = Self.niceness
        let notes = Notes()
        Thread {
            notes.niceness.withLock { $0.append(Self.niceness) }
            GivingWay.fromNowOn()
            notes.niceness.withLock { $0.append(Self.niceness) }
            GivingWay.fromNowOn()
            notes.niceness.withLock { $0.append(Self.niceness) }
            notes.ended.signal()
        }.start()
        notes.ended.wait()
        #expect(notes.niceness.withLock { $0 } == [own, max(own, 10), max(own, 10)])
        #expect(Self.niceness == own)
    }

    /// What is nicer already stays so.
    @Test func nobodyBecomesLessNice() {
        let notes = Notes()
        Thread {
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
            GivingWay.fromNowOn()
            notes.niceness.withLock { $0.append(Self.niceness) }
            notes.ended.signal()
        }.start()
        notes.ended.wait()
        #expect(notes.niceness.withLock { $0 } == [15])
    }
}
