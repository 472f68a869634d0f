import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BellwetherAPI

/// Token buckets, with a clock that the test sets.
@Suite struct RateTableTests {
    private let table = RateTable(capacity: 1024)
    private let second: Int64 = 1_000_000_000
    /// 2026-11-21, in nanoseconds like the daemon's clock.
    private let now: Int64 = 1_795_000_000_000_000_000

    private func takeAll(_ rate: RateSettings.Rate, key: UInt64 = 7, at now: Int64, of count: Int = 1000) -> Int {
        (0..<count).count { _ in table.take(key, at: now, rate) == 0 }
    }

    @Test(arguments: [(1, 1), (1, 20), (10, 1), (1000, 5), (1_000_000, 1000), (3, 7)])
    func `At once the burst, then so many a second`(_ perSecond: Int, _ burst: Int) {
        let rate = RateSettings.Rate(perSecond: perSecond, burst: burst)
        #expect(takeAll(rate, at: now, of: burst + 50) == burst)
        let expected = min(perSecond, burst)
        #expect((expected...(expected + 1)).contains(takeAll(rate, at: now + second, of: expected + 50)))
        #expect(takeAll(rate, at: now + 1_000_000 * second, of: burst + 50) == burst, "it is full, and never fuller")
    }

    @Test func `What it says to wait is what it takes`() {
        let rate = RateSettings.Rate(perSecond: 4, burst: 2)
        #expect(takeAll(rate, at: now) == 2)
        let wait = table.take(7, at: now, rate)
        #expect(wait == second / 4)
        #expect(table.take(7, at: now + wait - 1, rate) == 1)
        #expect(table.take(7, at: now + wait, rate) == 0)
    }

    @Test func `Over a long time the rate is kept to, whatever the rhythm`() {
        let rate = RateSettings.Rate(perSecond: 50, burst: 10)
        var random = SeededGenerator(seed: 5)
        var time = now
        var admitted = 0
        while time < now + 100 * second {
            time += Int64.random(in: 0...20_000_000, using: &random)
            if table.take(9, at: time, rate) == 0 { admitted += 1 }
        }
        #expect((4990...5011).contains(admitted), "\(admitted)")
    }

    @Test func `Each key has its own, and 0 is a key`() {
        let rate = RateSettings.Rate(perSecond: 1, burst: 3)
        for key in [0, 2, 3, .max] as [UInt64] { #expect(takeAll(rate, key: key, at: now) == 3) }
    }

    @Test func `A clock that is set back closes nobody out`() {
        let rate = RateSettings.Rate(perSecond: 1, burst: 5)
        #expect(takeAll(rate, at: now) == 5)
        #expect(takeAll(rate, at: now - 3600 * second) == 5)
        #expect(takeAll(rate, at: now - 3600 * second) == 0)
    }

    @Test func `Who has read the clock before others gets no bucket of its own`() {
        let rate = RateSettings.Rate(perHour: 3)
        #expect(takeAll(rate, at: now) == 3)
        #expect(takeAll(rate, at: now - second) == 0)
    }

    @Test func `A lower rate holds at once, and closes nobody out for what a higher one allowed`() {
        #expect(takeAll(RateSettings.Rate(perSecond: 100, burst: 100), at: now) == 100)
        let lower = RateSettings.Rate(perSecond: 1, burst: 2)
        #expect(takeAll(lower, at: now) <= 2)
        #expect(takeAll(lower, at: now + 2 * second) == 2)
    }

    @Test func `A flood of others takes no bucket that is in use more than theirs`() {
        let small = RateTable(capacity: 4)
        let rate = RateSettings.Rate(perSecond: 1, burst: 100)
        while small.take(42, at: now, rate) == 0 {}
        for key in 1000..<100_000 as Range<UInt64> {
            #expect(small.take(key, at: now, rate) == 0)
            if key.isMultiple(of: 1000) { #expect(small.take(42, at: now, rate) > 0) }
        }
    }

    @Test func `What is given back can be taken again, by whoever has the bucket`() {
        let rate = RateSettings.Rate(perHour: 3)
        #expect(takeAll(rate, at: now) == 3)
        table.giveBack(7, rate)
        #expect(takeAll(rate, at: now) == 1)
        table.giveBack(8, rate)
        #expect(takeAll(rate, key: 8, at: now) == 3)
    }

    @Test func `Workers share what there is`() {
        let rate = RateSettings.Rate(perSecond: 1, burst: 1000)
        let (table, now) = (table, now)
        let admitted = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let count = (0..<1000).count { _ in table.take(3, at: now, rate) == 0 }
            admitted.withLock { $0 += count }
        }
        #expect(admitted.withLock { $0 } == 1000)
    }
}
