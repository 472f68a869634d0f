import ArgumentParser

/// Measures the cost of a poll as messages and clients grow, as Markdown tables for docs/performance.md.
struct MeasureCurves: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curves", abstract: "What a poll costs against 10 to 10,000 messages and 10^3 to 10^6 clients.")

    @OptionGroup var options: BenchmarkOptions

    @Option(help: "The most live messages.")
    var messages = 10_000

    @Option(help: "The most known clients.")
    var clients = 1_000_000

    func run() throws {
        try options.atWorkbench { bench in
            print(try MessageCurve(bench, rounds: options.rounds).table(upTo: messages) + "\n")
            print(try ClientCurve(bench, rounds: options.rounds).table(upTo: clients))
        }
    }
}
