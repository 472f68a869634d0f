import ArgumentParser

/// `make bench`: the daemon beside the reference programs, and what it costs and stands as work grows.
///
/// Read server CPU first: it holds on a shared machine, while requests per second and p99 move with the neighbours.
/// Ratios are taken round by round, within this run only.
@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks", abstract: "Measures bellwether beside the reference programs.",
        discussion: """
            Without a subcommand: the rows, as one table. Single rows are chosen by words of their names, as in \
            --only "poll 304" --only memory; docs/performance.md tells what each measures. With make: \
            make bench BENCH_ARGS='--only "poll 304"', make bench BENCH_ARGS=curves, make bench BENCH_ARGS=crash, \
            make bench BENCH_ARGS=machine.
            """,
        subcommands: [MeasureRows.self, MeasureCurves.self, ProveDurability.self, MeasureMachine.self],
        defaultSubcommand: MeasureRows.self)
}
