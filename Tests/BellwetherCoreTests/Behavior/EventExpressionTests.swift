import BellwetherBase
import BellwetherCore
import BellwetherJSON
import JEXL
import Testing

/// Expressions over a client's history, with the real hash.
struct EventExpressionTests {
    private struct Client: JEXLEnvironment {
        let history: BehaviorHistory
        let now: Timestamp

        func value(of identifier: String) -> JSONValue? { nil }
        func result(of query: EventQuery) -> Double { history.result(of: query, at: now) }
        func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
    }

    private func evaluate(_ expression: String, homepageViews: [String] = []) throws -> JSONValue {
        var history = BehaviorHistory()
        for at in homepageViews { history.record("homepage_viewed", count: 1, at: instant(at)) }
        return try CompiledExpression(expression)
            .evaluate(in: Client(history: history, now: instant("2026-11-21T07:00:00Z")))
    }

    /// SECOND_HOMEPAGE_VIEW.
    @Test func theSecondHomepageViewTriggers() throws {
        let trigger = "'homepage_viewed'|eventSum('Years', 4, 0) >= 2"
        #expect(try evaluate(trigger) == false)
        #expect(try evaluate(trigger, homepageViews: ["2026-11-20T07:00:00Z"]) == false)
        #expect(try evaluate(trigger, homepageViews: ["2026-11-20T07:00:00Z", "2026-11-21T06:59:00Z"]) == true)
        #expect(try evaluate(trigger, homepageViews: ["2022-06-20T07:00:00Z", "2026-11-21T06:59:00Z"]) == false)
    }

    /// VIEWED_HOMEPAGE.
    @Test func whatWasNeverSeenIsLongerAgoThanAnyBound() throws {
        #expect(try evaluate("'homepage_viewed'|eventLastSeen('Hours') <= 24") == false)
        #expect(try evaluate("'homepage_viewed'|eventLastSeen('Hours') > 1000000") == true)
        #expect(
            try evaluate("'homepage_viewed'|eventLastSeen('Hours')", homepageViews: ["2026-11-21T05:30:00Z"]) == 2.0)
    }

    @Test func anAverageOverNoIntervalIsNull() throws {
        let views = ["2026-11-20T07:00:00Z"]
        #expect(try evaluate("'homepage_viewed'|eventAveragePerInterval('Days', 0)", homepageViews: views) == .null)
        #expect(try evaluate("'homepage_viewed'|eventAveragePerInterval('Days', 0, 60)", homepageViews: views) == 0.0)
    }

    @Test(arguments: [
        ("0|bucketSample(1.1, 1000, 1000)", true), ("0|bucketSample(0, 1.1, 1000)", false),
        ("0|bucketSample(0, 0, 1000.1)", false),
    ])
    func numbersAreSampledByTheirJSON(expression: String, value: Bool) throws {
        #expect(try evaluate(expression) == .bool(value))
    }
}
