import BellwetherBase
import BellwetherCore
import BellwetherService
import Testing

@Suite struct RetentionClockTests {
    private let start = Timestamp(seconds: 1_790_000_000)
    private static let year: Int64 = 365 * 86_400

    @Test func `A clock that goes as time does is believed`() {
        var clock = RetentionClock()
        for tick in Int64(0)..<1000 {
            // The clock is adjusted by half an hour now and then.
            let wall = start.adding(seconds: tick * 600 + (tick % 100 == 50 ? 1800 : 0))
            #expect(clock.time(wall: wall, uptime: tick * 600) == wall)
        }
    }

    @Test(arguments: [2 * 3600, 365 * 86_400, 70 * 365 * 86_400] as [Int64])
    func `After a step forward it waits for a day`(_ step: Int64) {
        var clock = RetentionClock()
        _ = clock.time(wall: start, uptime: 0)
        for uptime in stride(from: Int64(600), to: 600 + 86_400, by: 600) {
            #expect(clock.time(wall: start.adding(seconds: step + uptime), uptime: uptime) == nil)
        }
        let later = start.adding(seconds: step + 87_000)
        #expect(clock.time(wall: later, uptime: 87_000) == later)
    }

    @Test func `A clock that steps back is believed at once, also after a step forward`() {
        var clock = RetentionClock()
        _ = clock.time(wall: start, uptime: 0)
        #expect(clock.time(wall: start.adding(seconds: 50 * Self.year), uptime: 600) == nil)
        let right = start.adding(seconds: 1200)
        #expect(clock.time(wall: right, uptime: 1200) == right)
        let back = start.adding(seconds: -Self.year)
        #expect(clock.time(wall: back, uptime: 1800) == back)
    }

    @Test func `The ends of time break nothing`() {
        var clock = RetentionClock()
        _ = clock.time(wall: Timestamp(milliseconds: .min), uptime: 0)
        #expect(clock.time(wall: Timestamp(milliseconds: .max), uptime: 600) == nil)
        #expect(clock.time(wall: Timestamp(milliseconds: .min), uptime: 1200) != nil)
    }
}
