import BellwetherBase
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherAuthoring

/// The interval of what comes, the number of wrong alarms, and the stored form
/// (docs/reference/http-api.md#what-came).
@Suite struct HeldForecastTests {
    private static func forecast(_ windows: [ExpectedShare?], _ more: JSONObject = [:]) -> HeldForecast? {
        let shares = windows.map { share in
            share.map { JSONValue.array([$0.low, $0.high, $0.least, $0.most].map { .number($0) }) } ?? .null
        }
        var json: JSONObject = [
            "revision": 1, "since": 1_790_000_000_000, "day": 0, "window": 0, "clients": 0, "weight": 1.0,
            "enrolled": ["low": nil, "high": 0.5, "windows": .array(shares), "came": 0, "off": false],
        ]
        for (name, value) in more { json[name] = value }
        return HeldForecast(json)
    }

    private static func interval(_ clients: Int, _ least: Double, _ most: Double) -> ClosedRange<Double> {
        ExpectedShare(low: least, high: most, least: least, most: most).interval(among: clients)
    }

    @Test func `The interval has the uncertainty of the forecast and of what comes`() {
        // 150 - 2.576 √(1000 · 0.15 · 0.85), and 250 + 2.576 √(1000 · 0.25 · 0.75)
        #expect(Self.interval(1000, 0.15, 0.25) == 120...286)
        #expect(Self.interval(50, 0, 1) == 0...50)
        #expect(Self.interval(0, 0.15, 0.25) == 0...0)
    }

    /// The clients of a population poll on a day with a probability of their own, and the targeted ones poll often. The
    /// forecasts are made of a week before, and each of seven days is counted.
    private func isOff(_ factor: Double, _ generator: inout SeededGenerator) throws -> Bool {
        let clients = (0..<3000).map { number in (isTargeted: number < 900, pace: number < 900 ? 0.9 : 0.3) }
        func polled(within days: Int) -> [Bool] {
            clients.filter { client in
                Double.random(in: 0..<1, using: &generator) >= power(1 - client.pace, days)
            }
            .map(\.isTargeted)
        }
        let windows = try (1...7).map { days in
            let sample = polled(within: days)
            let count = sample.count { $0 }
            let tally = ForecastTally(low: count, high: count)
            return try #require(ForecastShare([(tally, 1...1)], of: sample.count, minimum: 10)).expectation
        }
        var forecast = try #require(Self.forecast(windows))
        var isOff = false
        for day in 1...7 {
            let came = polled(within: day)
            let enrolled = came.count { $0 && Double.random(in: 0..<1, using: &generator) < factor }
            let off = forecast.take(
                HeldForecast.Count(
                    day: day, window: day, clients: came.count, weight: 1, came: [.enrolled: enrolled]))
            isOff = isOff || off?.isEmpty == false
        }
        return isOff
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { power, _ in power * base }
    }

    @Test func `In seven looks a true forecast is rarely off plan, and a wrong one is`() throws {
        var generator = SeededGenerator(seed: 11)
        var (wrong, found) = (0, 0)
        for _ in 0..<100 {
            if try isOff(1, &generator) { wrong += 1 }
            if try isOff(0.7, &generator) { found += 1 }
        }
        #expect(wrong <= 2, "\(wrong) of 100")
        #expect(found >= 98, "\(found) of 100")
    }

    @Test func `A day without a forecast is not compared`() throws {
        let share = ExpectedShare(low: 0.5, high: 0.5, least: 0.45, most: 0.55)
        var forecast = try #require(Self.forecast([nil, share]))
        for (window, isOff) in [(1, false), (3, false), (2, true)] {
            let count = HeldForecast.Count(
                day: forecast.day + 1, window: window, clients: 1000, weight: 1, came: [.enrolled: 0])
            #expect(forecast.take(count) == (isOff ? [.enrolled] : []))
        }
    }

    @Test func `Of two counts of a day the one of more clients stays`() throws {
        var forecast = try #require(Self.forecast([]))
        func take(_ day: Int, _ clients: Int, _ weight: Double) -> Bool {
            let count = HeldForecast.Count(day: day, window: 1, clients: clients, weight: weight, came: [:])
            return forecast.take(count) != nil
        }
        #expect(
            [take(1, 100, 4), take(1, 399, 1), take(1, 401, 1), take(2, 10, 1), take(1, 9999, 1)] == [
                true, false, true, true, false,
            ])
        #expect(forecast.day == 2 && forecast.clients == 10)
    }

    /// A damaged row must not end the process.
    @Test(
        arguments: [
            ["weight": 1e30], ["weight": 0.5], ["clients": -1], ["clients": 9_000_000_000_000_000_000], ["day": 8],
            ["window": -1],
            ["enrolled": ["low": nil, "high": nil, "windows": [[0, 1, 1e308, 1]], "came": 0, "off": false]],
            ["enrolled": ["low": nil, "high": nil, "windows": [[0, 1]], "came": 0, "off": false]],
            ["enrolled": ["low": nil, "high": nil, "windows": [], "came": 1, "off": false]],
        ] as [JSONObject])
    func `A value of another form is none`(_ members: JSONObject) {
        #expect(Self.forecast([]) != nil)
        #expect(Self.forecast([], members) == nil)
    }
}
