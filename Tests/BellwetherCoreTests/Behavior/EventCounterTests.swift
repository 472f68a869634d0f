import BellwetherBase
internal import BellwetherJSON
import JEXL
import Testing

@testable import BellwetherCore

struct EventCounterTests {
    /// Upstream's rotation vectors: whole units from one instant to another.
    @Test(arguments: [
        (EventInterval.minutes, "2022-09-30T10:55:00Z", "2022-09-30T11:15:00Z", 20),
        (.minutes, "2022-09-30T10:50:00Z", "2022-10-01T09:30:00Z", 1360),
        (.days, "2022-09-28T10:00:00Z", "2022-10-05T14:00:00Z", 7),
        (.weeks, "2022-09-28T10:00:00Z", "2022-10-08T10:00:00Z", 1),
        (.months, "2022-06-10T10:00:00Z", "2022-10-08T10:00:00Z", 4),
        (.years, "2012-06-10T10:00:00Z", "2022-04-08T10:00:00Z", 9),
    ])
    func wholeUnitsRotate(interval: EventInterval, from: String, to: String, rotations: Int64) {
        let counter = EventCounter(origin: instant(from).seconds / 60)
        let position = counter.position(at: instant(to))
        #expect(position / interval.unit == rotations)
        #expect(counter.length(of: interval, at: position) == min(1 + rotations, interval.capacity))
    }

    private func values(_ counter: EventCounter, _ interval: EventInterval, at now: Timestamp) -> [Double] {
        let length = counter.length(of: interval, at: counter.position(at: now))
        return (0..<Int(length)).map { start in
            counter.result(of: .eventSum, interval, count: 1, start: start, at: now)
        }
    }

    /// Upstream has three buckets in this test; the years have four.
    @Test func bucketsMoveBackAndFallOff() {
        let start = instant("2001-01-01T00:00:00Z")
        func year(_ number: Int64) -> Timestamp { start.adding(seconds: number * 365 * Timestamp.secondsPerDay) }
        var counter = EventCounter(createdAt: start)
        counter.record(count: 1, at: year(0))
        counter.record(count: 1, at: year(2))
        counter.record(count: 1, at: year(3))
        counter.record(count: 1, at: year(3))
        #expect(values(counter, .years, at: year(3)) == [2, 1, 0, 1])
        #expect(values(counter, .years, at: year(4)) == [0, 2, 1, 0])
        #expect(values(counter, .years, at: year(13)) == [0, 0, 0, 0])
    }

    @Test func remaindersAreNotLost() {
        let start = instant("2024-01-01T00:00:00Z")
        var counter = EventCounter(createdAt: start)
        for step in 1...3 as ClosedRange<Int64> { counter.record(count: 0, at: start.adding(seconds: 59 * step)) }
        #expect(values(counter, .minutes, at: start.adding(seconds: 177)).count == 3)
    }

    @Test func holdsUntilTheNextRotationOfTheCounterThatIsAsked() {
        let now = instant("2024-03-15T10:30:30.500Z")
        var counter = EventCounter(createdAt: now)
        counter.record(count: 1, at: now)
        #expect(counter.holdsUntil(.minutes, at: now) == instant("2024-03-15T10:31:00Z"))
        #expect(counter.holdsUntil(.hours, at: now) == instant("2024-03-15T11:00:00Z"))
        #expect(counter.holdsUntil(.days, at: now) == instant("2024-03-16T00:00:00Z"))
        #expect(counter.holdsUntil(.weeks, at: now) == instant("2024-03-18T00:00:00Z"))
        #expect(counter.holdsUntil(.months, at: now) == instant("2024-03-25T00:00:00Z"))
        #expect(counter.holdsUntil(.years, at: now) == instant("2024-12-31T00:00:00Z"))
        #expect(counter.holdsUntil(.minutes, at: instant("2024-03-01T00:00:00Z")) == instant("2024-03-15T10:31:00Z"))
    }

    /// The list of tallies takes most of the memory.
    @Test func talliesThatNoCounterTellsApartArePutTogether() {
        let start = instant("2020-01-01T00:00:00Z")
        var counter = EventCounter(createdAt: start)
        for hour in 0..<(8 * 365 * 5) as Range<Int64> {
            counter.record(count: 1, at: start.adding(seconds: hour * 10_800 + hour % 3600))
        }
        #expect(counter.tallies.count <= 72 + 56 + 52 + 12 + 4)
        #expect(counter.tallies.map(\.count).reduce(0, +) >= 8 * 365 * 3)
        for minute in 0..<600 as Range<Int64> { counter.record(count: 1, at: start.adding(seconds: minute * 60)) }
        #expect(counter.tallies.count <= 72 + 56 + 52 + 12 + 4, "the clock went back: one bucket")
    }

    @Test func oddClocksDoNotTrap() {
        let clocks = [
            Timestamp(milliseconds: .min), Timestamp(milliseconds: .min + 1), instant("0001-01-01T00:00:00Z"),
            Timestamp(milliseconds: -1), Timestamp(milliseconds: 0), instant("9999-12-31T23:59:59Z"), .distantFuture,
        ]
        for first in clocks {
            for second in clocks {
                for third in clocks {
                    var counter = EventCounter(createdAt: first)
                    counter.record(count: 1, at: first)
                    counter.record(count: 1, at: second)
                    _ = counter.recordPast(count: 1, at: third, now: second)
                    for interval in EventInterval.allCases {
                        #expect(counter.result(of: .eventSum, interval, count: .max, start: 0, at: third) <= 3)
                        #expect(counter.holdsUntil(interval, at: third) >= third)
                    }
                    var writer = PackedWriter()
                    counter.pack(into: &writer)
                    counter.packNewest(into: &writer)
                    var reader = PackedReader(writer.bytes)
                    var copy = EventCounter(from: &reader)
                    #expect(copy?.readNewest(from: &reader) == true)
                    #expect(copy == counter && reader.isAtEnd)
                }
            }
        }
    }
}
