/// The tail latency at a constant rate of half the daemon's capacity: alone, beside requests of an owner and of other
/// clients, and beside adverse load. The daemon has to decide all polls.
enum ConstantRate {
    static let saturated = "polls asked anew, closed loop"
    static let quiet = "polls asked anew, half rate, quiet"
    private static let all = "polls asked anew, half rate, "

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let saturation = Saturation(bench)
        let turns = HalfRateIntervals(saturation)
        let must = [Comparison(base: quiet, figure: \.p99, limit: .atMost(3))]
        let aimed = [Comparison(base: quiet, figure: \.p99, limit: .atMost(3, aim: 1.5))]
        let twice = [Comparison(base: quiet, figure: \.p99, limit: .atMost(2))]
        let compared = [Comparison(base: quiet, figure: \.p99, limit: nil)]
        let closed = StreamBenchmark(saturated, unit: "% of its processor") { try saturation.measure(round: $0) }
        return [
            closed,
            HalfRateRow(quiet, turns) { _ in .nobody },
            HalfRateRow(all + "publishes", turns, comparedWith: compared) { _ in .streams([PublishTraffic.stream]) },
            HalfRateRow(all + "events", turns, comparedWith: compared) { _ in .streams([events]) },
            HalfRateRow(all + "a reader's checks", turns, comparedWith: twice) { _ in .streams([CheckTraffic.stream]) },
            HalfRateRow(all + "publishes and events", turns, comparedWith: aimed) { _ in
                .streams([PublishTraffic.stream, events])
            },
        ]
            + AdverseLoadKind.allCases.map { company in
                HalfRateRow(all + "beside \(company.name)", turns, comparedWith: must) { port in
                    .hostile(try company.make(port: port))
                }
            }
    }

    private static var events: Stream { EventTraffic.stream }
}
