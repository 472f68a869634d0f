import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// How many clients are in a segment (docs/reference/audiences.md#how-many).
struct SegmentForecastTests {
    /// A hundred clients: 60 of them German, 50 with an age, 20 with two visits.
    private static func sample() -> [ForecastSubject] {
        (0..<100).map { number in
            var attributes: [String: JSONValue] = [:]
            if number % 2 == 0 { attributes["age"] = .integer(Int64(number)) }
            var behavior = BehaviorHistory()
            for _ in 0..<(number < 20 ? 2 : 1) {
                _ = behavior.record(BehaviorEvent(name: "visit", count: 1), now: Sample.now, of: .none)
            }
            let context = Sample.context(attributes, locale: number < 60 ? "de" : "en")
            return ForecastSubject(context, behavior, at: Sample.now)
        }
    }

    private static func forecast(
        _ expression: String, beside others: [String: String] = [:], minimum: Int = 1
    ) throws -> SegmentForecast {
        let manifest = try Sample.manifest()
        func recipe(_ name: String, _ expression: String) throws -> Recipe {
            try Sample.recipe(
                ["kind": "segment", "expression": .string(expression)], slug: name, in: manifest)
        }
        let app = Sample.compiledApp(try others.map { try recipe($0, $1) }, in: manifest)
        let segment = try #require(try recipe("mine", expression).segment)
        return try #require(
            SegmentForecast(segment, in: app, over: sample(), now: Sample.now, minimum: minimum))
    }

    @Test(arguments: [
        ("locale == 'de'", 0.6, 0.6), ("'visit'|eventSum('Years', 1, 0) >= 2", 0.2, 0.2),
        ("locale == 'de' && list.vips", 0, 0.6), ("answer.nps > 3", 0, 1), ("segment.german", 0.6, 0.6),
        ("segment.nowhere", 0, 0), ("segment.german && age >= 40", 0.1, 0.1),
    ])
    func `The share knows attributes, counters and segments`(_ expression: String, _ low: Double, _ high: Double) throws
    {
        let size = try #require(try Self.forecast(expression, beside: ["german": "locale == 'de'"]).size)
        #expect(size.low == low && size.high == high)
        #expect(size.interval.low <= low && size.interval.high >= high)
    }

    @Test func `The parts of a conjunction tell where the clients go`() throws {
        let forecast = try Self.forecast("locale == 'de' && age >= 0 && 'visit'|eventSum('Years', 1, 0) >= 2")
        #expect(forecast.closes.map(\.name).first == "locale == 'de'" && forecast.sampled == 100)
        #expect(forecast.closes.map(\.high) == [0.6, 0.3, 0.1])
        #expect(forecast.missing.map(\.name) == ["age"] && forecast.missing.first?.share == 0.5)
        #expect(try Self.forecast("locale == 'de' || age > 1").closes.isEmpty)
    }

    @Test func `Few clients are withheld`() throws {
        let forecast = try Self.forecast("locale == 'de' && age < 4", minimum: 10)
        #expect(forecast.size?.high == nil && forecast.size?.interval.low == 0)
        #expect(forecast.closes.map(\.high) == [0.6, nil])
        #expect(try Self.forecast("true", minimum: 101).size == nil)
    }
}
