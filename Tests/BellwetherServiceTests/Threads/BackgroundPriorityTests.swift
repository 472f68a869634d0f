import Foundation
import Glibc
import Synchronization
import Testing

@testable import BellwetherService

/// The threads that run at a low priority.
@Suite struct BackgroundPriorityTests {
    /// The scheduling of the current thread.
    private struct Standing: Equatable {
        let niceness: Int32
        let policy: Int32

        static var own: Standing {
            Standing(
                niceness: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0), policy: sched_getscheduler(0))
        }
    }

    /// SCHED_IDLE.
    private static let idleClass: Int32 = 5

    private final class Notes: Sendable {
        let standings = Mutex<[Standing]>([])
        let ended = DispatchSemaphore(value: 0)
    }

    /// The scheduling that a new thread records.
    private static func standings(_ body: @escaping @Sendable (_ note: () -> Void) -> Void) -> [Standing] {
        let notes = Notes()
        Thread {
            body { notes.standings.withLock { $0.append(.own) } }
            notes.ended.signal()
        }.start()
        notes.ended.wait()
        return notes.standings.withLock { $0 }
    }

    @Test func onlyTheThreadThatCallsDoes() {
        let own = Standing.own
        let giving = Standing(niceness: max(own.niceness, 10), policy: BackgroundPriority.batchClass)
        let standings = Self.standings { note in
            note()
            BackgroundPriority.enter()
            note()
            BackgroundPriority.enter()
            note()
        }
        #expect(own.policy == SCHED_OTHER)
        #expect(standings == [own, giving, giving])
        #expect(Standing.own == own)
    }

    /// A thread with a higher niceness keeps it.
    @Test func nobodyBecomesLessNice() {
        let standings = Self.standings { note in
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
            BackgroundPriority.enter()
            note()
        }
        #expect(standings == [Standing(niceness: 15, policy: BackgroundPriority.batchClass)])
    }

    /// A thread in another scheduling class stays in it.
    @Test func aThreadOfAnotherClassStaysThere() {
        let standings = Self.standings { note in
            var parameter = sched_param()
            parameter.sched_priority = 0
            sched_setscheduler(0, Self.idleClass, &parameter)
            note()
            BackgroundPriority.enter()
            note()
        }
        #expect(standings.count == 2 && standings[0] == standings[1] && standings[0].policy == Self.idleClass)
    }
}
