public import BellwetherAuthoring
public import BellwetherJSON
internal import Surveys

/// Results, and the results of each group of a breakdown (docs/reference/surveys.md#breakdowns).
public struct BrokenDown<Results: RunResults>: Sendable {
    /// The maximum number of rows of counts that are read for groups. It bounds the time for an attribute whose value
    /// differs for every respondent.
    static var maximumRows: Int { 20_000 }
    private static var maximumGroups: Int { 50 }
    private static var maximumOfSeries: Int { 400 }
    /// Members of results that groups do not have.
    private static var onlyOfAll: [String] { ["days", "branches", "drop_off", "other_revisions", "imported"] }

    public internal(set) var all: Results
    /// Whether the groups have all runs.
    private var isComplete = true
    private let empty: Results
    private let breakdown: RunResultsQuery.Breakdown?
    private var groups: [Identifier: (results: Results, runs: Int64)] = [:]

    init(_ results: Results, _ query: RunResultsQuery) {
        var empty = results
        if query.breakdown?.isSeries == true { empty.showSeries() }
        (all, self.empty, breakdown) = (results, empty, query.breakdown)
    }

    mutating func add(_ counts: ResultCounts, of cell: ResultCell) {
        all.add(counts, of: cell)
        switch breakdown {
        case .branch where !cell.experiment.isEmpty:
            add(counts, of: cell, value: "\(cell.experiment)/\(cell.branch)")
        case .period(let period) where cell.isSubmitted:
            add(counts, of: cell, value: Identifier(period.value(of: cell.day)))
        // Answers of other rounds, and answers without a respondent, are subtracted.
        case .round where cell.isSubmitted: add(counts, of: cell, value: "1")
        case .branch, .attribute, .round, .period, nil: break
        }
    }

    /// Adds the counts of a cell of answers in a round after the first, or without a respondent.
    mutating func add(_ counts: ResultCounts, of cell: ResultCell, round: Identifier) {
        var others = ResultCounts()
        others.add(counts, times: -1)
        add(others, of: cell, value: "1")
        if round != ResultAttribute.noRound { add(counts, of: cell, value: round) }
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
        case .period(let period):
            return run.submittedAt == nil ? nil : Identifier(period.value(of: ResultCell(run).day))
        case .round: return run.countedRound.map { Identifier("\($0)") }
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
        let maximum = breakdown.isSeries ? Self.maximumOfSeries : Self.maximumGroups
        let sorted = sorted(by: breakdown)
        let shown = sorted.prefix(maximum).map { value, group -> JSONValue in
            var members: JSONObject = ["value": breakdown == .round ? JSONValue(round: value) : .string(value)]
            for member in group.results.json where !Self.onlyOfAll.contains(member.key) {
                members[member.key] = member.value
            }
            return .object(members)
        }
        // Times are shown in their order, and the newest are kept.
        let isOfTimes = if case .period = breakdown { true } else { false }
        json["by"] = [
            "attribute": .string(Self.name(of: breakdown)),
            "is_complete": .bool(isComplete && sorted.count <= maximum),
            "groups": .array(isOfTimes ? shown.reversed() : shown),
        ]
        return json
    }

    private static func name(of breakdown: RunResultsQuery.Breakdown) -> Identifier {
        switch breakdown {
        case .branch: "branch"
        case .attribute(let name): name
        case .round: "round"
        case .period(let period): Identifier(period.rawValue)
        }
    }

    /// The groups in the order in which they are kept: the largest, the first rounds, the newest times.
    private func sorted(
        by breakdown: RunResultsQuery.Breakdown
    ) -> [(key: Identifier, value: (results: Results, runs: Int64))] {
        switch breakdown {
        case .branch, .attribute:
            groups.sorted { $0.value.runs == $1.value.runs ? $0.key < $1.key : $0.value.runs > $1.value.runs }
        case .round: groups.filter { $0.value.runs > 0 }.sorted { (Int($0.key.text) ?? 0) < (Int($1.key.text) ?? 0) }
        case .period: groups.filter { $0.value.runs > 0 }.sorted { $0.key > $1.key }
        }
    }
}

extension JSONValue {
    fileprivate init(round: Identifier) { self = Int64(round.text).map { .integer($0) } ?? .string(round) }
}
