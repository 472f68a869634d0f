import BellwetherJSON
import BellwetherService
import Synchronization
import Testing

/// A request that waits for a record is woken by the first commit after its read, even if that commit came before the
/// wait began.
@Suite struct TelemetryTailTests {
    private let tail = TelemetryTail()
    private let woken = Woken()

    private final class Woken: Sendable {
        let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
    }

    private func wait(for app: Identifier, after commits: UInt64) {
        let isWaiting = tail.wait(for: app, after: commits, milliseconds: 1000) { [woken] in
            woken.count.withLock { $0 += 1 }
        }
        #expect(isWaiting)
    }

    @Test func nextCommitWakes() {
        wait(for: "a", after: tail.commits(in: "a"))
        #expect(woken.value == 0)
        tail.notify(["b"])
        #expect(woken.value == 0)
        tail.notify(["a", "b"])
        #expect(woken.value == 1)
        tail.notify(["a"])
        #expect(woken.value == 1, "once")
    }

    @Test func commitBetweenReadAndWaitIsNotMissed() {
        let read = tail.commits(in: "a")
        tail.notify(["a"])
        wait(for: "a", after: read)
        #expect(woken.value == 1)
    }

    @Test func whoCannotWaitIsToldSo() {
        let tail = TelemetryTail(bound: 2)
        func wait(_ milliseconds: Int) -> Bool { tail.wait(for: "a", after: 0, milliseconds: milliseconds) {} }
        #expect(wait(60_000) && wait(60_000) && !wait(60_000))
        #expect(tail.wait(for: "b", after: 0, milliseconds: 60_000) {})
        tail.notify(["a"])
        #expect(tail.wait(for: "a", after: 1, milliseconds: 60_000) {})
    }

    @Test func whoseTimeIsOverLeavesRoomForOthers() {
        let tail = TelemetryTail(bound: 1)
        #expect(tail.wait(for: "a", after: 0, milliseconds: -1) {})
        #expect(tail.wait(for: "a", after: 0, milliseconds: 60_000) {})
    }

    @Test func allWaitersAreWoken() {
        for _ in 0..<3 { wait(for: "a", after: 0) }
        tail.notify(["a"])
        #expect(woken.value == 3 && tail.commits(in: "a") == 1)
    }
}
