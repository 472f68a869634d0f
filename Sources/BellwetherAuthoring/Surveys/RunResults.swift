public import BellwetherJSON
public import Surveys

/// Results of a questionnaire, survey or flow, made from counts (docs/reference/surveys.md#results).
public protocol RunResults: Sendable {
    /// Adds the counts of one cell. A cell may occur several times.
    mutating func add(_ counts: ResultCounts, of cell: ResultCell)

    /// Whether `show` must get the newest runs, for texts that respondents wrote.
    var needsRuns: Bool { get }

    /// Adds one of the newest runs, after all counts.
    mutating func show(_ run: Run)

    var json: JSONObject { get }

    /// Adds what only the results of a round or a time have: the intervals of means and scores, and the moves between
    /// values.
    mutating func showSeries()
}

extension RunResults {
    public mutating func showSeries() {}
}

/// The sums of the counts of all cells, in total, by branch and by day.
struct CellSums: Sendable {
    struct Branch: Sendable {
        let experiment: Identifier
        let branch: Identifier
        var sum: RunSum
    }

    /// The sum over all runs, or over the runs of one branch.
    struct RunSum: Sendable {
        var counts = ResultCounts()
        var submitted: Int64 = 0

        var runs: Int64 { counts[CountGroup.totals, "runs"] }

        mutating func add(_ counts: ResultCounts, of cell: ResultCell) {
            self.counts.add(counts)
            if cell.isSubmitted { submitted += counts[CountGroup.totals, "runs"] }
        }
    }

    private(set) var all = RunSum()
    private(set) var imported: Int64 = 0
    private var byBranch: [Branch] = []
    private var days: [String: RunSum] = [:]

    mutating func add(_ counts: ResultCounts, of cell: ResultCell) {
        all.add(counts, of: cell)
        var totals = ResultCounts()
        totals.add(counts[CountGroup.totals, "runs"], CountGroup.totals, "runs")
        days[cell.day, default: RunSum()].add(totals, of: cell)
        if cell.isImported { imported += counts[CountGroup.totals, "runs"] }
        guard !cell.experiment.isEmpty else { return }
        let index =
            byBranch.firstIndex { $0.experiment == cell.experiment && $0.branch == cell.branch }
            ?? {
                byBranch.append(Branch(experiment: cell.experiment, branch: cell.branch, sum: RunSum()))
                return byBranch.count - 1
            }()
        byBranch[index].sum.add(counts, of: cell)
    }

    /// The branches in the order of their names.
    var branches: [Branch] {
        byBranch.sorted { left, right in
            left.experiment == right.experiment
                ? left.branch < right.branch : left.experiment < right.experiment
        }
    }

    /// The members in results of every kind.
    var json: JSONObject {
        var json: JSONObject = [:]
        if imported > 0 { json["imported"] = .integer(imported) }
        json["seconds"] = seconds
        json["days"] = .array(
            days.sorted { $0.key.precedes($1.key) }.map { day, sum in
                ["day": .string(day), "started": .integer(sum.runs), "submitted": .integer(sum.submitted)]
            })
        return json
    }

    /// The time from the start of runs to their submission; null if none was submitted.
    private var seconds: JSONValue {
        let bins = all.counts[CountGroup.seconds].compactMap { bin, count in
            Int64(bin.text).map { (value: ResultBin.middle(ofSeconds: $0), count: count) }
        }
        guard let median = bins.quantile(0.5), let high = bins.quantile(0.9) else { return .null }
        return ["median": .integer(median), "p90": .integer(high)]
    }
}

extension Sequence {
    /// The smallest value that at least this share of the counted values does not exceed; nil if there are no values.
    func quantile<Value: Comparable>(_ share: Double) -> Value? where Element == (value: Value, count: Int64) {
        let sorted = sorted { $0.value < $1.value }
        let total = sorted.reduce(0) { $0 + $1.count }
        guard total > 0 else { return nil }
        let rank = Int64((Double(total) * share).rounded(.up))
        var seen: Int64 = 0
        for entry in sorted {
            seen += entry.count
            if seen >= rank { return entry.value }
        }
        return sorted.last?.value
    }
}
