/// The tail at a constant rate of half of what the daemon can do, alone and while a recipe is published each second and
/// events stream in. All polls are asked anew.
enum ConstantRate {
    static let saturated = "polls asked anew, closed loop"
    static let quiet = "polls asked anew, half rate, quiet"
    static let busy = "polls asked anew, half rate, publishes and events"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let saturation = bench.saturation
        let turns = HalfRateTurns(saturation)
        return [
            StreamBenchmark(saturated, unit: "% of its processor") { try saturation.measure(round: $0) },
            StreamBenchmark(quiet, unit: "failed") { round in
                let quiet = try turns.measure(round: round).quiet
                return quiet.sample(cpu: quiet.used / Double(quiet.latencies.count))
            },
            StreamBenchmark(
                busy, unit: "failed",
                comparedWith: [Comparison(base: quiet, figure: \.p99, limit: .atMost(3, aim: 1.5))]
            ) { try turns.measure(round: $0).busy.sample(cpu: nil) },
        ]
    }
}

/// Quiet and busy by turns, a second each, at half of what a closed loop came to in the second before: what a machine that
/// others use too does for a while, it does to all three.
private final class HalfRateTurns {
    private let saturation: Saturation
    private var measured: (round: Int, outcome: (quiet: HalfRateOutcome, busy: HalfRateOutcome))?

    init(_ saturation: Saturation) { self.saturation = saturation }

    /// Measured once a round, by which of the rows asks first.
    func measure(round: Int) throws -> (quiet: HalfRateOutcome, busy: HalfRateOutcome) {
        if let measured, measured.round == round { return measured.outcome }
        var quiet = HalfRateOutcome()
        var busy = HalfRateOutcome()
        for turn in 0..<saturation.bench.seconds {
            let rate = try saturation.find(seconds: 1) / 2
            if turn % 2 == 0 { try take(&quiet, at: rate, beside: []) }
            try take(
                &busy, at: rate, beside: [EventTraffic(LoadedServer.clients).stream, PublishTraffic.stream])
            if turn % 2 == 1 { try take(&quiet, at: rate, beside: []) }
        }
        measured = (round, (quiet, busy))
        return (quiet, busy)
    }

    private func take(_ outcome: inout HalfRateOutcome, at rate: Double, beside company: [Stream]) throws {
        let polls = try saturation.polls(.rate(rate))
        let streams = [polls] + company
        let (used, seconds) = try saturation.run(streams, seconds: 1)
        let failed = streams.reduce(0) { $0 + $1.failed }
        if failed > 0 { Progress.tell(streams.map(\.complaint).filter { !$0.isEmpty }.joined(separator: "; ")) }
        for stream in company where stream.answered == 0 { throw Failure("\(stream.name): nothing was answered") }
        outcome.latencies.add(polls.latencies)
        outcome.failed += failed
        outcome.used += used
        outcome.seconds += seconds
    }
}

/// What became of the polls of some turns.
private struct HalfRateOutcome {
    var latencies = Histogram()
    /// Of all streams.
    var failed = 0
    /// Microseconds of the daemon's processor.
    var used = 0.0
    var seconds = 0.0

    func sample(cpu: Double?) -> Sample {
        Sample(
            cpu: cpu, rate: Double(latencies.count) / seconds, p99: latencies.milliseconds(at: 0.99),
            quantity: Double(failed))
    }
}
