import EventLoop
import Glibc
import Testing

/// libevent delivers signals to one loop only, so these tests run one after another.
@Suite(.serialized) struct SignalLoopTests {
    @Test func `A signal calls its closure on the loop`() throws {
        let loop = try SignalLoop()
        var count = 0
        try loop.on(SIGUSR1) {
            count += 1
            loop.stop()
        }
        loop.handle.perform { _ in kill(getpid(), SIGUSR1) }
        loop.run()
        #expect(count == 1)
    }

    @Test func `Other threads run closures on the loop, in order`() throws {
        let loop = try SignalLoop()
        let handle = loop.handle
        let order = Box<[Int]>()
        order.value = []
        for number in 0..<100 { handle.perform { _ in order.value?.append(number) } }
        handle.perform { _ in kill(getpid(), SIGUSR2) }
        try loop.on(SIGUSR2) { loop.stop() }
        loop.run()
        #expect(order.value == Array(0..<100))
    }
}
