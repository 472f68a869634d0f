import BellwetherBase
import BellwetherCore
import BellwetherService
import Testing

@Suite struct ClockTests {
    @Test func `Nanoseconds and milliseconds are one time`() {
        let clock = Clock(nanoseconds: { 1_795_000_000_123_999_999 })
        #expect(clock.now() == Timestamp(milliseconds: 1_795_000_000_123))
        let other = Clock { Timestamp(milliseconds: 1_795_000_000_123) }
        #expect(other.nanoseconds() == 1_795_000_000_123_000_000)
        #expect(other.now() == Timestamp(milliseconds: 1_795_000_000_123))
    }

    @Test(
        arguments: [(-1, -1), (-999_999, -1), (-1_000_000, -1), (-1_000_001, -2), (0, 0), (999_999, 0)]
            as [(Int64, Int64)])
    func `A time is rounded down, before 1970 too`(_ time: (nanoseconds: Int64, milliseconds: Int64)) {
        #expect(Timestamp(nanoseconds: time.nanoseconds) == Timestamp(milliseconds: time.milliseconds))
    }

    @Test func `What 64 bits cannot hold is cut`() {
        #expect(Timestamp(milliseconds: .max).nanoseconds == .max)
        #expect(Timestamp(milliseconds: .min).nanoseconds == .min)
        #expect(Timestamp(nanoseconds: .min).milliseconds == Int64.min / 1_000_000 - 1)
    }
}
