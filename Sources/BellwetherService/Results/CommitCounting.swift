internal import BellwetherAuthoring
internal import BellwetherCore
import BellwetherJSON
internal import Surveys

/// The changes of counts that a write of runs or clients causes: the difference between what each row counts before and
/// after it.
///
/// The counts are written in the commit of these rows. So they are exact, even after a kill, and results read neither
/// runs nor clients (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
struct CommitCounting {
    private var runs: [RowName: ResultCounts] = [:]
    private var cells: [RowName: GoalCell] = [:]

    init() {}

    /// - Parameter written: the rows that a transaction writes.
    init(_ written: [(name: RowName, value: RowValue)], _ rows: TransactionRows) {
        for (name, value) in written {
            switch name {
            case .run(let run): change(of: run.app, from: rows.run(run), to: value)
            case .client(let client): change(of: client, from: rows[name], to: value)
            default: break
            }
        }
    }

    mutating func change(of app: Identifier, from before: Run?, to value: RowValue) {
        let old = before.flatMap { CountedRun($0, of: app) }
        let new = if case .run(let run) = value { CountedRun(run, of: app) } else { CountedRun?.none }
        guard old != new else { return }
        if let old { add(old.counts, times: -1, to: old.rows) }
        if let new { add(new.counts, times: 1, to: new.rows) }
        runs = runs.filter { !$0.value.isEmpty }
    }

    private mutating func add(_ counts: ResultCounts, times factor: Int64, to rows: Set<RowName>) {
        for row in rows { runs[row, default: ResultCounts()].add(counts, times: factor) }
    }

    /// A client that is erased is subtracted from its cells.
    mutating func change(of client: ClientReference, from before: RowValue?, to value: RowValue) {
        let old = if case .client(let state)? = before { state.goals } else { GoalMemory() }
        let new: GoalMemory? = if case .client(let state) = value { state.goals } else { nil }
        guard old != new else { return }
        for (key, change) in GoalMemory.changes(from: old, to: new) {
            cells[.cell(app: client.app, key), default: GoalCell()].add(change)
        }
        cells = cells.filter { !$0.value.isEmpty }
    }

    /// The rows of counts that change.
    var names: [RowName] { Array(runs.keys) + Array(cells.keys) }

    /// The new values of these rows. The rows must be loaded.
    func rows(_ rows: TransactionRows) -> [(name: RowName, value: RowValue)] {
        names.map { ($0, value(of: $0, after: rows[$0])) }
    }

    func value(of name: RowName, after value: RowValue?) -> RowValue {
        if let change = cells[name] {
            var cell = if case .cell(let cell)? = value { cell } else { GoalCell() }
            cell.add(change)
            return .cell(cell)
        }
        var counts = if case .counts(let counts)? = value { counts } else { ResultCounts() }
        if let change = runs[name] { counts.add(change) }
        return .counts(counts)
    }
}

/// The rows in which a run is counted, and its counts.
private struct CountedRun: Equatable {
    /// The rows of counts for all runs of its cell, and for the runs with each of its attributes.
    let rows: Set<RowName>
    let counts: ResultCounts

    init?(_ run: Run, of app: Identifier) {
        guard let counts = run.counts else { return nil }
        let cell = ResultCell(run)
        let keys = [cell.key(run.slug)] + run.resultAttributes.map { cell.key(run.slug, $0) }
        (rows, self.counts) = (Set(keys.map { .counts(app: app, key: $0) }), counts)
    }
}
