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

/// The reason why the benchmark stopped, as one sentence for its user.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The families of rows that are measured, in the order of the table. A new benchmark is one file in `Rows` and one
/// line here.
enum Plan {
    static var families: [(Workbench) -> [any Benchmark]] {
        [
            EvhttpBare.rows, SQLiteFloor.rows,
            PollUnchanged.rows, PollMessages.rows, BulkFlags.rows, PollStrangers.rows, PollEnrolled.rows,
            FirstPolls.rows, PostEvents.rows, SaveDrafts.rows, ConstantRate.rows,
            PublishSpeed.rows, StartSpeed.rows, IdleMemory.rows, TLSSpeed.rows, MemoryGrowth.rows,
            ListSpeed.rows,
            JEXLSpeed.rows, FlowSpeed.rows, SurveySpeed.rows, ClientSpeed.rows,
            RunResultsSpeed.rows, GoalResultsSpeed.rows, ExportSpeed.rows, PostgresRows.rows,
        ]
    }

    /// The rows whose name contains one of the words (all rows if there are no words), and the rows that they are
    /// compared with.
    static func choose(from rows: [any Benchmark], only words: [String]) -> [any Benchmark] {
        guard !words.isEmpty else { return rows }
        let named = rows.filter { row in words.contains { row.name.contains($0) } }
        let bases = Set(named.flatMap { $0.comparisons.map(\.base) })
        let names = Set(named.map(\.name)).union(bases)
        return rows.filter { names.contains($0.name) }
    }
}
