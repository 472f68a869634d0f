/// The families of rows that are measured, in the order of the table. A new benchmark is one file in `Rows` and one
/// line here.
enum Plan {
    static var families: [(Workbench) -> [any Benchmark]] {
        [
            EvhttpBare.rows, SQLiteFloor.rows,
            PollUnchanged.rows, PollMessages.rows, BulkFlags.rows, PollStrangers.rows, PollEnrolled.rows,
            FirstPolls.rows, PostEvents.rows, SaveDrafts.rows, ConstantRate.rows,
            PublishSpeed.rows, StartSpeed.rows, IdleMemory.rows, MemoryGrowth.rows,
            JEXLSpeed.rows, FlowSpeed.rows, SurveySpeed.rows,
            RunResultsSpeed.rows, PostgresRows.rows,
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
