import Testing

@testable import BellwetherAPI

/// A meter has a slot for each thing that it counts: one too few would trap.
@Suite struct MeterSizeTests {
    @Test func eachPollAndSubjectHasAPlace() {
        let meter = WorkerMeter(pings: PingIntake(bytes: 1))
        #expect(meter.polls.count == WorkerMeter.Poll.allCases.count)
        #expect(meter.limited.count == RateSubject.allCases.count)
        #expect(meter.counters.count == Counter.allCases.count)
    }

    @Test func eachStatusAndBoundHasAPlaceAndWhatIsBeyondHasOne() {
        let meter = RouteMeter()
        #expect(meter.answers.count == RouteMeter.statuses.count + 1)
        #expect(meter.durations.count == RouteMeter.bounds.count + 1)
    }
}
