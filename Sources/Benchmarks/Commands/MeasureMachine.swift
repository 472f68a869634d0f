import ArgumentParser

/// Measures the machine itself, to help interpret tail latencies.
struct MeasureMachine: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine", abstract: "How steady the processors are while nothing is measured on them.")

    @OptionGroup var options: BenchmarkOptions

    func run() throws {
        try options.atWorkbench { bench in
            for core in Set([bench.serverCore, bench.loadCore]).sorted() {
                try bench.take(core: core)
                let steadiness = Steadiness(seconds: Double(options.seconds * options.rounds))
                print("processor \(core): \(steadiness.sentence)")
            }
        }
    }
}

extension Steadiness {
    fileprivate var sentence: String {
        """
        a piece of work takes \(median.figure(places: 3)) ms; for \((slowShare * 100).figure(places: 1)) % of the time 1.5 \
        times as long or more, up to \(longestSlow.figure(places: 0)) ms on end; away \(absences) times for over a \
        millisecond, \(away.figure(places: 0)) ms in all
        """
    }
}
