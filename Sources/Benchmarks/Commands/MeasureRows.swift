import ArgumentParser

/// The rows, in interleaved rounds on loopback, as one table.
struct MeasureRows: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows", abstract: "The rows as one table (what is done without a subcommand).")

    @OptionGroup var options: BenchmarkOptions

    @Option(help: "Only rows whose name contains this; may repeat. Rows that they are compared with are taken too.")
    var only: [String] = []

    @Flag(help: "Print the names of all rows and stop.")
    var list = false

    func run() throws {
        try options.atWorkbench { bench in
            let all = Plan.families.flatMap { $0(bench) }
            if list { return print(all.map(\.name).joined(separator: "\n")) }
            let chosen = Plan.choose(from: all, only: only)
            guard !chosen.isEmpty else {
                throw Failure("no row to measure: is \(options.references) built, is --only right?")
            }
            print(bench.heading)
            var rounds = Rounds(chosen)
            try rounds.prepare()
            for round in 1...options.rounds { try rounds.run(round) }
            print(Table(rounds.results).text)
        }
    }
}
