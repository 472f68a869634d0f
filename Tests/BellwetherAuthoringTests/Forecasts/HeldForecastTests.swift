import BellwetherBase
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherAuthoring

/// The interval of what comes, and the number of wrong alarms (docs/reference/http-api.md#what-came).
@Suite struct HeldForecastTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    private static func forecast(_ share: ExpectedShare) throws -> HeldForecast {
        let share: JSONValue = [
            "low": .number(share.low), "high": .number(share.high), "least": .number(share.least),
            "most": .number(share.most), "came": 0,
        ]
        let json: JSONObject = [
            "revision": 1, "since": .integer(now.milliseconds), "clients": 0, "weight": 1.0, "enrolled": share,
        ]
        return try #require(HeldForecast(json))
    }

    private static func interval(
        _ clients: Int, _ low: Double, _ high: Double, _ least: Double, _ most: Double
    ) throws -> ClosedRange<Double> {
        let forecast = try forecast(ExpectedShare(low: low, high: high, least: least, most: most))
        return try #require(forecast[.enrolled]).interval(among: clients)
    }

    @Test func `The interval has the uncertainty of the forecast and of what comes`() throws {
        // 150 - 2.576 √(1000 · 0.15 · 0.85), and 250 + 2.576 √(1000 · 0.25 · 0.75)
        #expect(try Self.interval(1000, 0.2, 0.2, 0.15, 0.25) == 120...286)
        #expect(try Self.interval(50, 0, 1, 0, 1) == 0...50)
        #expect(try Self.interval(0, 0.2, 0.2, 0.15, 0.25) == 0...0)
    }

    /// Whether a forecast by a sample of 2,000 clients is off plan when 8,000 poll.
    private func isOff(_ truth: Double, came: Double, _ generator: inout SeededGenerator) throws -> Bool {
        func draw(_ count: Int, _ share: Double) -> Int {
            (0..<count).reduce(0) { sum, _ in
                sum + (Double.random(in: 0..<1, using: &generator) < share ? 1 : 0)
            }
        }
        let sampled = draw(2000, truth)
        let tally = ForecastTally(low: sampled, high: sampled)
        let share = try #require(ForecastShare([(tally, 1...1)], of: 2000, minimum: 10))
        var forecast = try Self.forecast(share.expectation)
        return !forecast.count([.enrolled: draw(8000, came)], of: 8000, weight: 1, at: Self.now).isEmpty
    }

    /// Shares are rounded to whole percents, so of a small share only more than half is found.
    @Test(arguments: [(0.03, 4.0), (0.2, 0.5), (0.5, 0.5), (0.97, 0.5)])
    func `A true forecast is rarely off plan, and a wrong one is`(_ truth: Double, _ factor: Double) throws {
        var generator = SeededGenerator(seed: 11)
        var (wrong, found) = (0, 0)
        for _ in 0..<200 {
            if try isOff(truth, came: truth, &generator) { wrong += 1 }
            if try isOff(truth, came: truth * factor, &generator) { found += 1 }
        }
        #expect(wrong <= 2, "\(wrong) of 200")
        #expect(found >= 190, "\(found) of 200")
    }
}
