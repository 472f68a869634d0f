import CLibevent
import Foundation
import Glibc
import Synchronization
import Testing

@testable import EventLoop

/// What workers ask of the scheduler.
@Suite struct ShortTurnsTests {
    private final class Notes: Sendable {
        let turns = Mutex<[UInt64]>([])
        let niceness = Mutex<[Int32]>([])
        let ended = DispatchSemaphore(value: 0)

        func note() {
            var scheduling = bellwether_sched_attr()
            guard bellwether_get_scheduling(&scheduling) == 0 else { return }
            turns.withLock { $0.append(scheduling.runtime) }
            niceness.withLock { $0.append(scheduling.nice) }
        }
    }

    /// The system grants them since Linux 6.12.
    private static var areGranted: Bool {
        var name = utsname()
        uname(&name)
        let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (6, 12)
    }

    @Test func onlyTheThreadThatAsksHasThem() throws {
        let notes = Notes()
        let isStarted = WorkerThread.start {
            notes.note()
            ShortTurns.ask()
            notes.note()
            let isAnotherStarted = WorkerThread.start {
                notes.note()
                notes.ended.signal()
            }
            if !isAnotherStarted { notes.ended.signal() }
        }
        try #require(isStarted)
        notes.ended.wait()
        let turns = notes.turns.withLock { $0 }
        try #require(turns.count == 3)
        #expect(turns[1] == (Self.areGranted ? ShortTurns.length : turns[0]))
        #expect(turns[2] == turns[0], "a thread that it starts has others' turns")
        #expect(Set(notes.niceness.withLock { $0 }).count == 1, "it is no nicer than before, nor less")
    }
}
