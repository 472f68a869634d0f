import BellwetherAuthoring
import BellwetherCore
import Testing

/// Wilson's interval against published values.
struct ShareEstimateTests {
    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), Table I,
    /// method 3.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func itIsWilsonsInterval(_ count: Int, _ total: Int, _ low: Double, _ high: Double) throws {
        let estimate = try #require(ShareEstimate(count, of: total))
        #expect(estimate.share == Double(count) / Double(total))
        #expect(abs(estimate.low - low) < 0.00005)
        #expect(abs(estimate.high - high) < 0.00005)
    }

    @Test func itIsSymmetric() throws {
        let one = try #require(ShareEstimate(3, of: 40))
        let other = try #require(ShareEstimate(37, of: 40))
        #expect(abs(one.low - (1 - other.high)) < 1e-12)
        #expect(abs(one.high - (1 - other.low)) < 1e-12)
    }

    @Test func nothingIsSaidOfNobody() { #expect(ShareEstimate(0, of: 0) == nil) }

    @Test(arguments: [1, 2, 7, 1_000_000])
    func itStaysWithinZeroAndOne(_ total: Int) throws {
        for count in [0, 1, total / 2, total] {
            let estimate = try #require(ShareEstimate(count, of: total))
            #expect(0 <= estimate.low && estimate.low <= estimate.share)
            #expect(estimate.share <= estimate.high && estimate.high <= 1)
        }
        #expect(ShareEstimate(total, of: total)?.high == 1)
        #expect(ShareEstimate(0, of: total)?.low == 0)
    }
}
