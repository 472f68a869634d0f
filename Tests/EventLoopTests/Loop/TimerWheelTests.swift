import Testing

@testable import EventLoop

struct TimerWheelTests {
    private func handle(_ number: UInt32) -> ConnectionHandle { ConnectionHandle(slot: number, generation: 0) }

    private func take(_ wheel: inout TimerWheel, now: Int64) -> [UInt32] {
        var slots: [UInt32] = []
        while let due = wheel.takeDue(now: now) { slots += due.handles.map(\.slot) }
        return slots
    }

    @Test func `Nobody is called before his time, everybody soon after it`() {
        for start in [0, 1, 31, 32, 1_000_003] as [Int64] {
            for delay in [0, 1, 31, 32, 33, 1000, 60_000, 65_000] as [Int64] {
                var wheel = TimerWheel(now: start)
                wheel.insert(handle(1), at: wheel.tick(for: start + delay))
                var called: Int64?
                for now in stride(from: start, through: start + delay + 64, by: 1) where called == nil {
                    if !take(&wheel, now: now).isEmpty { called = now - start }
                }
                #expect(called.map { ($0 >= delay || delay == 0) && $0 <= delay + 32 } == true)
                #expect(wheel.count == 0)
            }
        }
    }

    @Test func `A deadline beyond the wheel is called early, to be inserted again`() {
        let wheel = TimerWheel(now: 0)
        let far = wheel.tick(for: 10_000_000)
        #expect(far == Int64(TimerWheel.slots) - 1)
        #expect(wheel.tick(for: -5) == 0)
    }

    @Test func `Handles come in the order of their ticks`() {
        var wheel = TimerWheel(now: 0)
        for number in [5, 3, 9, 1] as [UInt32] {
            wheel.insert(handle(number), at: wheel.tick(for: Int64(number) * 100))
        }
        #expect(wheel.nextDue == 128)
        #expect(take(&wheel, now: 600) == [1, 3, 5])
        #expect(take(&wheel, now: 600) == [])
        #expect(wheel.nextDue == 928)
        #expect(take(&wheel, now: 50_000) == [9])
        #expect(wheel.nextDue == nil)
    }

    @Test func `A wheel that stood still goes on`() {
        var wheel = TimerWheel(now: 0)
        #expect(take(&wheel, now: 1_000_000) == [])
        wheel.insert(handle(1), at: wheel.tick(for: 1_000_010))
        #expect(take(&wheel, now: 1_000_064) == [1])
        wheel.insert(handle(2), at: wheel.tick(for: 1_000_100))
        #expect(take(&wheel, now: 9_000_000) == [2])
    }
}
