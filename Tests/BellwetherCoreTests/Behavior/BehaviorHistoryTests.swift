import BellwetherBase
import BellwetherCore
internal import BellwetherJSON
import JEXL
import Testing

/// Histories that are not in a file of vectors. S2 to S7 are rows of docs/reference/events.md#example-histories.
struct BehaviorHistoryTests {
    private func history(_ records: [(String, UInt64)]) -> BehaviorHistory {
        var history = BehaviorHistory()
        for (at, count) in records { history.record("e", count: count, at: instant(at)) }
        return history
    }

    /// S2, as buckets.
    @Test func recordsFallIntoTheirBuckets() {
        let now = instant("2024-06-10T13:05:00Z")
        let history = history([
            ("2024-06-01T08:00:00Z", 1), ("2024-06-01T20:00:00Z", 2), ("2024-06-03T09:00:00Z", 4),
            ("2024-06-10T12:00:00Z", 1),
        ])
        #expect(history.buckets("e", .days, at: now).prefix(11) == [1, 0, 0, 0, 0, 0, 0, 4, 0, 3, 0])
        #expect(history.buckets("e", .weeks, at: now).prefix(4) == [1, 4, 3, 0])
        #expect(history.buckets("e", .months, at: now) == [8, 0, 0, 0, 0, 0])
        #expect(history.buckets("e", .years, at: now) == [8])
        #expect(history.buckets("e", .minutes, at: now).count == 60)
        #expect(history.buckets("e", .hours, at: now).count == 72)
        #expect(history.buckets("e", .days, at: now).count == 56)
    }

    /// S3.
    @Test func thePastIsCountedInItsBuckets() {
        let now = instant("2024-06-10T13:05:00Z")
        var history = BehaviorHistory()
        for days in [10, 20] as [Int64] {
            let then = now.adding(seconds: -days * Timestamp.secondsPerDay)
            let isRecorded = history.recordPast("e", count: 1, at: then, now: now)
            #expect(isRecorded)
        }
        #expect(history.lastSeen("e", .days, at: now) == 10)
        #expect(history.lastSeen("e", .days, from: 11, at: now) == 9)
        #expect(history.lastSeen("e", .days, from: 21, at: now) == never)
        #expect(history.sum("e", .days, 56, at: now) == 2)
        #expect(history.sum("e", .hours, 72, at: now) == 0)
    }

    /// S4: the beginning of a bucket belongs to the bucket before, when it is recorded as past.
    @Test func thePastAtTheBeginningOfABucketIsInTheOneBefore() {
        let now = instant("2024-06-10T00:00:00Z")
        var history = BehaviorHistory()
        let isRecorded = history.recordPast("e", count: 3, at: now, now: now)
        #expect(isRecorded)
        #expect(history.buckets("e", .days, at: now).prefix(3) == [0, 3, 0])
        #expect(history.buckets("e", .minutes, at: now).prefix(3) == [0, 3, 0])
    }

    /// S5.
    @Test func aDayAgoIsInNoMinuteBucket() {
        let now = instant("2024-06-10T13:05:00Z")
        var history = BehaviorHistory()
        let isRecorded = history.recordPast("e", count: 5, at: instant("2024-06-09T13:05:00Z"), now: now)
        #expect(isRecorded)
        #expect(history.lastSeen("e", .days, at: now) == 1)
        #expect(history.lastSeen("e", .hours, at: now) == 24)
        #expect(history.lastSeen("e", .minutes, at: now) == never)
    }

    /// S6: the origin stays that of the first year. The first year has 365 days, and weeks do not restart with a year.
    @Test func theYearTurns() {
        let now = instant("2024-01-01T01:00:00Z")
        let history = history([("2023-12-31T23:00:00Z", 1), ("2024-01-01T01:00:00Z", 1)])
        #expect(history.buckets("e", .years, at: now) == [1, 1])
        #expect(history.buckets("e", .days, at: now).prefix(2) == [1, 1])
        #expect(history.buckets("e", .weeks, at: now).prefix(2) == [2, 0])
    }

    /// S7.
    @Test func aClockThatWentBackCountsWhereItWas() {
        let history = history([("2024-05-10T10:00:00Z", 1), ("2024-05-08T10:00:00Z", 1)])
        #expect(history.buckets("e", .days, at: instant("2024-05-08T10:00:00Z")).first == 2)
        #expect(history.buckets("e", .days, at: instant("2024-05-10T10:00:00Z")).first == 2)
        #expect(history.buckets("e", .days, at: instant("2024-05-11T10:00:00Z")).prefix(2) == [0, 2])
    }

    /// NOT_LAUNCHED_YESTERDAY: `eventLastSeen('Days', 1) > 1`.
    @Test(arguments: [(0, never), (1, 0), (2, 1), (3, 2)] as [(Int64, Double)])
    func lastSeenIsRelativeToItsStart(daysAgo: Int64, result: Double) {
        let now = instant("2024-06-10T13:05:00Z")
        var history = BehaviorHistory()
        history.record("e", count: 1, at: now.adding(seconds: -daysAgo * Timestamp.secondsPerDay))
        #expect(history.lastSeen("e", .days, from: 1, at: now) == result)
    }

    /// The fixed buckets of upstream's tests, the current one first.
    @Test(
        arguments: [
            ([1, 1, 0], .eventSum, 3, 0, 2), ([1, 2, 0], .eventCountNonZero, 3, 0, 2),
            ([1, 2, 0, 0, 0, 2, 3], .eventAveragePerInterval, 7, 0, 8.0 / 7),
            ([1, 2, 0, 0, 0, 2, 4], .eventAveragePerNonZeroInterval, 7, 0, 2.25),
            ([2, 1], .eventSum, 7, 0, 3), ([2, 1], .eventSum, 0, 0, 0),
            ([2, 1], .eventAveragePerInterval, 7, 0, 0.42857142857142855),
            ([2, 1], .eventAveragePerInterval, 2, 0, 1.5), ([2, 1], .eventAveragePerNonZeroInterval, 2, 0, 1.5),
            ([2, 1], .eventAveragePerNonZeroInterval, 7, 2, 0),
        ] as [([UInt64], EventQuery.Kind, Int, Int, Double)])
    func fixedBuckets(days: [UInt64], kind: EventQuery.Kind, count: Int, start: Int, value: Double) {
        var history = BehaviorHistory()
        let now = instant("2024-06-10T13:05:00Z")
        for (age, number) in days.enumerated().reversed() {
            history.record("e", count: number, at: now.adding(seconds: -Int64(age) * Timestamp.secondsPerDay))
        }
        let query = EventQuery(event: "e", kind: kind, interval: .days, count: count, start: start)
        #expect(history.result(of: query, at: now) == value)
    }

    @Test func unknownEventsWereNeverSeen() {
        let history = BehaviorHistory()
        let now = instant("2024-06-10T13:05:00Z")
        for kind in EventQuery.Kind.allCases {
            let query = EventQuery(event: "e", kind: kind, interval: .days, count: 0, start: 0)
            #expect(history.result(of: query, at: now) == (kind == .eventLastSeen ? never : 0))
            #expect(history.holdsUntil(query, at: now) == .distantFuture)
        }
    }

    @Test func namesAreToldApartByteForByte() {
        let now = instant("2024-06-10T13:05:00Z")
        var history = BehaviorHistory()
        for name in ["b", "é", "e\u{301}", "", "a", "B"] { history.record(Identifier(name), count: 1, at: now) }
        history.record("b", count: 1, at: now)
        #expect(history.count == 6)
        #expect(
            history.names.map { Array($0.text.utf8) } == ["", "B", "a", "b", "e\u{301}", "é"].map { Array($0.utf8) })
        #expect(history.sum("b", .days, 1, at: now) == 2)
        #expect(history.sum("é", .days, 1, at: now) == 1)
        #expect(history.contains("e\u{301}"))
        #expect(!history.contains("c"))
        #expect(history["a"] != nil)
        #expect(history["c"] == nil)
    }

    @Test func whatIsLaterThanNowIsNotPast() {
        var history = BehaviorHistory()
        let now = instant("2024-06-10T13:05:00Z")
        let isLaterRecorded = history.recordPast("e", count: 1, at: now.adding(milliseconds: 1), now: now)
        #expect(!isLaterRecorded)
        #expect(!history.contains("e"))
        let isNowRecorded = history.recordPast("e", count: 1, at: now, now: now)
        #expect(isNowRecorded)
    }

    @Test func nothingRecordedStillMakesACounter() {
        let now = instant("2024-06-10T13:05:00Z")
        var history = BehaviorHistory()
        history.record("e", count: 0, at: now)
        #expect(history.buckets("e", .years, at: now) == [0])
        #expect(history.lastSeen("e", .years, at: now) == never)
    }

    @Test func bucketsStayAtTheirMaximum() {
        let now = instant("2024-06-10T13:05:00Z")
        var history = BehaviorHistory()
        for minutes in [70, 60, 60, 0] as [Int64] {
            history.record("e", count: .max - 1, at: now.adding(seconds: -60 * minutes))
        }
        #expect(history.sum("e", .hours, 3, at: now) == Double(UInt64.max))
        #expect(history.sum("e", .minutes, 1, at: now) == Double(UInt64.max - 1))
    }

    @Test func negativeCountsAndStartsAreZero() {
        let now = instant("2024-06-10T13:05:00Z")
        let history = history([("2024-06-10T13:05:00Z", 2)])
        #expect(history.sum("e", .days, .min, at: now) == 0)
        #expect(history.sum("e", .days, .max, from: .min, at: now) == 2)
        #expect(history.sum("e", .days, .max, from: .max, at: now) == 0)
        #expect(history.lastSeen("e", .days, from: .max, at: now) == never)
    }
}
