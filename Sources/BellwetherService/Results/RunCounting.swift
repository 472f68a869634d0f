internal import BellwetherCore
import BellwetherJSON
internal import Surveys

/// The changes of result counts that a write of runs causes: the difference between the counts of each run before and
/// after it.
///
/// The counts are written in the commit of their runs. So they are exact, even after a kill, and results read no run
/// (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
struct RunCounting {
    private var changes: [RowName: ResultCounts] = [:]

    init() {}

    /// - Parameter written: the rows that a transaction writes.
    init(_ written: [(name: RowName, value: RowValue)], _ rows: TransactionRows) {
        for (name, value) in written {
            guard case .run(let reference) = name else { continue }
            change(of: reference.app, from: rows.run(reference), to: value)
        }
    }

    mutating func change(of app: Identifier, from before: Run?, to value: RowValue) {
        let old = before.flatMap { CountedRun($0, of: app) }
        let new = if case .run(let run) = value { CountedRun(run, of: app) } else { CountedRun?.none }
        guard old != new else { return }
        if let old { add(old.counts, times: -1, to: old.rows) }
        if let new { add(new.counts, times: 1, to: new.rows) }
        changes = changes.filter { !$0.value.isEmpty }
    }

    private mutating func add(_ counts: ResultCounts, times factor: Int64, to rows: Set<RowName>) {
        for row in rows { changes[row, default: ResultCounts()].add(counts, times: factor) }
    }

    /// The rows of counts that change.
    var names: [RowName] { Array(changes.keys) }

    /// The new values of these rows. The rows must be loaded.
    func rows(_ rows: TransactionRows) -> [(name: RowName, value: RowValue)] {
        changes.keys.map { ($0, value(of: $0, after: rows[$0])) }
    }

    func value(of name: RowName, after value: RowValue?) -> RowValue {
        var counts = if case .counts(let counts)? = value { counts } else { ResultCounts() }
        if let change = changes[name] { counts.add(change) }
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
