/// The tail at a constant rate of half of what the daemon can do, first alone, then while a recipe is published each second
/// and events stream in. All polls are asked anew.
enum ConstantRate {
    static let saturated = "polls asked anew, closed loop"
    static let quiet = "polls asked anew, half rate, quiet"
    static let busy = "polls asked anew, half rate, publishes and events"

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let saturation = bench.saturation
        return [
            StreamBenchmark(saturated, unit: "% of its processor") { try saturation.measure(round: $0) },
            StreamBenchmark(quiet, unit: "failed") { try sample(saturation, round: $0, beside: []) },
            StreamBenchmark(
                busy, unit: "failed",
                comparedWith: [Comparison(base: quiet, figure: \.p99, limit: .atMost(3, aim: 1.5))]
            ) { round in
                let company = [EventTraffic(LoadedServer.clients).stream, PublishTraffic.stream]
                return try sample(saturation, round: round, beside: company)
            },
        ]
    }

    private static func sample(_ saturation: Saturation, round: Int, beside company: [Stream]) throws -> Sample {
        let polls = try saturation.polls(.rate(try saturation.rate(round: round) / 2))
        let (used, seconds) = try saturation.run([polls] + company)
        let streams = [polls] + company
        let failed = streams.reduce(0) { $0 + $1.failed }
        if failed > 0 { Progress.tell(streams.map(\.complaint).filter { !$0.isEmpty }.joined(separator: "; ")) }
        for stream in company where stream.answered == 0 { throw Failure("\(stream.name): nothing was answered") }
        return Sample(
            cpu: company.isEmpty ? used / Double(polls.answered) : nil,
            rate: Double(polls.answered) / seconds, p99: polls.p99, quantity: Double(failed))
    }
}
