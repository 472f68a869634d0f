import BellwetherService
import Synchronization
import Testing

/// Who waits for a record is woken by the first commit after what was read, also by one in between.
@Suite struct TelemetryTailTests {
    private let tail = TelemetryTail()
    private let woken = Woken()

    private final class Woken: Sendable {
        let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
    }

    private func wait(for app: String, after commits: UInt64) {
        tail.wait(for: app, after: commits, milliseconds: 1000) { [woken] in woken.count.withLock { $0 += 1 } }
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

    @Test func allWaitersAreWoken() {
        for _ in 0..<3 { wait(for: "a", after: 0) }
        tail.notify(["a"])
        #expect(woken.value == 3 && tail.commits(in: "a") == 1)
    }
}
