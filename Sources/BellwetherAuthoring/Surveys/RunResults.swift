public import BellwetherJSON
public import Surveys

/// Results of a questionnaire, survey or flow, made of counts (docs/reference/surveys.md#results).
public protocol RunResults: Sendable {
    /// The run with the marks that a save of today would give it: for runs that were saved last by a version of the
    /// daemon that counted nothing.
    func marked(_ run: Run) -> Run

    /// Counts of one cell. A cell may come several times.
    mutating func add(_ counts: ResultCounts, of cell: ResultCell)

    /// Whether runs are looked at, the newest first, for what respondents wrote.
    var needsRuns: Bool { get }

    /// One of the newest runs; after all counts.
    mutating func show(_ run: Run)

    var json: JSONObject { get }
}

/// Counts of all cells together, by branch and by day.
struct CellSums: Sendable {
    struct Branch: Sendable {
        let experiment: String
        let branch: String
        var sum: RunSum
    }

    /// The sum of all runs, or of those of one branch.
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
            byBranch.firstIndex {
                $0.experiment.hasSameBytes(as: cell.experiment) && $0.branch.hasSameBytes(as: cell.branch)
            }
            ?? {
                byBranch.append(Branch(experiment: cell.experiment, branch: cell.branch, sum: RunSum()))
                return byBranch.count - 1
            }()
        byBranch[index].sum.add(counts, of: cell)
    }

    /// In the order of their names.
    var branches: [Branch] {
        byBranch.sorted { left, right in
            left.experiment.hasSameBytes(as: right.experiment)
                ? left.branch.precedes(right.branch) : left.experiment.precedes(right.experiment)
        }
    }

    /// The members that results of all kinds have.
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

    /// How long runs took until they were submitted. Null: none was.
    private var seconds: JSONValue {
        let bins = all.counts[CountGroup.seconds].compactMap { bin, count in
            Int64(bin).map { (value: ResultBin.middle(ofSeconds: $0), count: count) }
        }
        guard let median = bins.quantile(0.5), let high = bins.quantile(0.9) else { return .null }
        return ["median": .integer(median), "p90": .integer(high)]
    }
}

extension Sequence {
    /// The least value that so large a share of the counted does not exceed; nil: nothing was counted.
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
