public import BellwetherAuthoring
public import BellwetherJSON
internal import Surveys

/// Results, and the results of each group of a breakdown (docs/reference/surveys.md#breakdowns).
public struct BrokenDown<Results: RunResults>: Sendable {
    /// The maximum number of rows of counts that are read for groups. It bounds the time for an attribute whose value
    /// differs for every respondent.
    static var maximumRows: Int { 20_000 }
    private static var maximumGroups: Int { 50 }
    /// Members of results that groups do not have.
    private static var onlyOfAll: [String] { ["days", "branches", "drop_off", "other_revisions", "imported"] }

    public internal(set) var all: Results
    /// Whether the groups have all runs.
    private var isComplete = true
    private let empty: Results
    private let breakdown: RunResultsQuery.Breakdown?
    private var groups: [Identifier: (results: Results, runs: Int64)] = [:]

    init(_ results: Results, _ query: RunResultsQuery) {
        (all, empty, breakdown) = (results, results, query.breakdown)
    }

    mutating func add(_ counts: ResultCounts, of cell: ResultCell) {
        all.add(counts, of: cell)
        guard breakdown == .branch, !cell.experiment.isEmpty else { return }
        add(counts, of: cell, value: "\(cell.experiment)/\(cell.branch)")
    }

    mutating func add(_ counts: ResultCounts, of cell: ResultCell, value: Identifier) {
        var group = groups.removeValue(forKey: value) ?? (empty, 0)
        group.results.add(counts, of: cell)
        group.runs += counts[CountGroup.totals, "runs"]
        groups[value] = group
    }

    var needsRuns: Bool { all.needsRuns || groups.values.contains { $0.results.needsRuns } }

    /// Passes one of the newest runs to the results of all, and to the results of its group.
    mutating func show(_ run: Run) {
        all.show(run)
        guard let value = value(of: run), var group = groups.removeValue(forKey: value) else { return }
        group.results.show(run)
        groups[value] = group
    }

    /// The group of a run; nil if it is in none.
    private func value(of run: Run) -> Identifier? {
        switch breakdown {
        case .branch:
            let cell = ResultCell(run)
            return cell.experiment.isEmpty ? nil : "\(cell.experiment)/\(cell.branch)"
        case .attribute(let name): return run.resultAttributes.first { $0.name == name }?.value
        case nil: return nil
        }
    }

    /// Removes a group that may not have all its runs.
    mutating func leaveOut(_ value: Identifier) {
        groups[value] = nil
        isComplete = false
    }

    public var json: JSONObject {
        var json = all.json
        guard let breakdown else { return json }
        let sorted = groups.sorted {
            $0.value.runs == $1.value.runs ? $0.key < $1.key : $0.value.runs > $1.value.runs
        }
        let shown = sorted.prefix(Self.maximumGroups).map { value, group -> JSONValue in
            var members: JSONObject = ["value": .string(value)]
            for member in group.results.json where !Self.onlyOfAll.contains(member.key) {
                members[member.key] = member.value
            }
            return .object(members)
        }
        let name: Identifier = if case .attribute(let name) = breakdown { name } else { "branch" }
        json["by"] = [
            "attribute": .string(name), "is_complete": .bool(isComplete && sorted.count <= Self.maximumGroups),
            "groups": .array(shown),
        ]
        return json
    }
}
