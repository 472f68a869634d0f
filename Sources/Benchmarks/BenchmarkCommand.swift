import ArgumentParser

/// `make bench`: compares the daemon with the reference programs, and measures its costs as the work grows.
///
/// Read the server's processor time first: it is stable on a shared machine, while requests per second and p99 vary
/// with other load on the machine. Ratios compare only samples of the same round of one run.
@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks", abstract: "Measures bellwether beside the reference programs.",
        discussion: """
            Without a subcommand: the rows, as one table. Single rows are chosen by words of their names, as in \
            --only "poll 304" --only memory; docs/performance.md tells what each measures. With make: \
            make bench BENCH_ARGS='--only "poll 304"', make bench BENCH_ARGS=curves, \
            make bench BENCH_ARGS=machine.
            """,
        subcommands: [MeasureRows.self, MeasureCurves.self, MeasureMachine.self],
        defaultSubcommand: MeasureRows.self)
}
