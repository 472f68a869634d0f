import Testing

@testable import BellwetherService

/// The random numbers that select polls for a sample.
struct SampleNumbersTests {
    /// The published sequence from 1234567: its highest 32 bits.
    @Test func theyAreThoseOfSplitMix64() {
        let known: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        let numbers = SampleNumbers(seed: 1_234_567)
        #expect(known.map { _ in numbers.next(below: 1 << 32) } == known.map { Int($0 >> 32) })
    }

    @Test(arguments: [1, 2, 127])
    func eachBelowTheBoundIsAsLikelyAsAnyOther(_ bound: Int) {
        let numbers = SampleNumbers()
        var counts = [Int](repeating: 0, count: bound)
        for _ in 0..<(bound * 1000) { counts[numbers.next(below: bound)] += 1 }
        // The bound is seven standard deviations, which is exceeded once in 10⁸ runs.
        #expect(counts.allSatisfy { abs($0 - 1000) < 221 })
    }

    @Test func eachBeginsElsewhere() {
        #expect(SampleNumbers().next(below: .max) != SampleNumbers().next(below: .max))
    }
}
