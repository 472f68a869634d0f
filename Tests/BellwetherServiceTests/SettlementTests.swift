import BellwetherCore
import BellwetherService
import Testing

@Suite struct SettlementTests {
    private let now = Timestamp(seconds: 1_790_000_000)

    @Test func `It holds until its end, for one digest`() {
        let settlement = Settlement(digest: 7, until: now.adding(seconds: 60), at: now)
        #expect(settlement.holds(for: 7, at: now) && settlement.holds(for: 7, at: now.adding(milliseconds: 59_999)))
        #expect(!settlement.holds(for: 7, at: now.adding(seconds: 60)))
        #expect(!settlement.holds(for: 8, at: now))
    }

    @Test func `It holds for a day at most, and not where the clock has stepped back by a day`() {
        let settlement = Settlement(digest: 7, until: .distantFuture, at: now)
        #expect(settlement.holds(for: 7, at: now.adding(seconds: 86_399)))
        #expect(!settlement.holds(for: 7, at: now.adding(seconds: 86_400)))
        #expect(!settlement.holds(for: 7, at: now.adding(seconds: -1)))
        let short = Settlement(digest: 7, until: now.adding(seconds: 60), at: now)
        #expect(!short.holds(for: 7, at: now.adding(seconds: -86_400)))
    }
}
