public import BellwetherJSON
public import Surveys

/// The results of a flow's runs: a funnel by step, and counts of the answers (docs/reference/flows.md#results).
public struct FlowResults: RunResults {
    private let flow: FlowDefinition
    private let text: @Sendable (String) -> String
    private var sums = CellSums()

    /// - Parameter text: Resolves a title or a label of the definition.
    public init(_ flow: FlowDefinition, text: @escaping @Sendable (String) -> String = { $0 }) {
        (self.flow, self.text) = (flow, text)
    }

    public mutating func add(_ counts: ResultCounts, of cell: ResultCell) { sums.add(counts, of: cell) }

    public var needsRuns: Bool { false }

    public mutating func show(_ run: Run) {}

    public var json: JSONObject {
        var json = members(sums.all)
        for member in sums.json { json[member.key] = member.value }
        json["branches"] = .array(
            sums.branches.map { entry in
                var branch: JSONObject = ["experiment": .string(entry.experiment), "branch": .string(entry.branch)]
                for member in members(entry.sum) { branch[member.key] = member.value }
                return .object(branch)
            })
        return json
    }

    private func members(_ sum: CellSums.RunSum) -> JSONObject {
        let counts = sum.counts
        let gone = counts.groups.keys.filter { group in
            group.utf8.first == UInt8(ascii: "s") && flow.index(of: Identifier(group.text.dropFirst())) == nil
        }
        func count(_ status: FlowRun.Status) -> Int64 { counts[CountGroup.totals, Identifier(status.rawValue)] }
        return [
            "total_runs": .integer(sum.runs), "total_responses": .integer(sum.runs),
            "submitted_count": .integer(sum.submitted),
            "active": .integer(count(.active)),
            "completed": .integer(count(.completed)),
            "dismissed": .integer(count(.dismissed)),
            "outcomes": .object(
                JSONObject(
                    FlowOutcome.Reason.allCases.compactMap { reason in
                        let count = counts[CountGroup.totals, "=\(reason.rawValue)"]
                        return count == 0 ? nil : (reason.rawValue, .integer(count))
                    })),
            "steps": .array(flow.steps.map { step($0.id, counts) }),
            "questions": .array(flow.steps.flatMap { step in step.fields.map { question($0, of: step, counts) } }),
            "other_revisions": .array(
                gone.map { Identifier($0.text.dropFirst()) }.sorted().map { step($0, counts) }
                    + otherSeries(counts)),
        ]
    }

    /// Counts of runs are `runs` and the ways in which a run ends; the other members count visits.
    private func step(_ id: Identifier, _ counts: ResultCounts) -> JSONValue {
        let own = counts[CountGroup.step(id)]
        func count(_ key: Identifier) -> JSONValue { .integer(own[key] ?? 0) }
        let (runs, left) = (own["runs"] ?? 0, (own["completed"] ?? 0) + (own["skipped"] ?? 0))
        let next = counts[CountGroup.next(of: id)].sorted {
            $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value
        }
        let gone = runs - (own["stopped"] ?? 0) - (own["dismissed"] ?? 0)
        let title = flow.step(id)?.title.map(text)
        return [
            "id": .string(id), "title": title.map { .string($0) } ?? .null, "runs": count("runs"),
            "viewed": count("viewed"), "completed": count("completed"),
            "skipped": count("skipped"), "back": count("back"), "completed_runs": count("completed_runs"),
            "skipped_runs": count("skipped_runs"), "back_runs": count("back_runs"), "dismissed": count("dismissed"),
            "stopped": count("stopped"),
            "conversion": runs == 0 ? .null : .number((1000 * Double(max(0, gone)) / Double(runs)).rounded() / 1000),
            "next": .array(next.map { ["id": .string($0.key), "runs": .integer($0.value)] }),
            "mean_ms": left == 0 ? .null : .integer((own["ms"] ?? 0) / left),
        ]
    }

    private func question(_ field: FlowField, of step: FlowStep, _ counts: ResultCounts) -> JSONValue {
        let series = field.series(in: step.id)
        let marks = MarkCounts(counts[CountGroup.series(series)])
        let title = JSONValue.string(text(step.title(of: field)))
        var json: JSONObject = [
            "id": .string(series.id), "step": .string(step.id), "field": .string(field.id), "title": title,
            "label": title,
            "total_answered": .integer(marks.answered),
        ]
        let choices = choices(field, marks)
        if !choices.isEmpty { json["choices"] = .array(choices) }
        for member in marks.distributions(includesNumbers: true) { json[member.key] = member.value }
        return .object(json)
    }

    /// Answers to fields that the revision in force does not have, or that it asks on another scale.
    private func otherSeries(_ counts: ResultCounts) -> [JSONValue] {
        let fields = flow.steps.flatMap { step in step.fields.map { (series: $0.series(in: step.id), field: $0) } }
        return counts.others(than: fields.map(\.series)).map { series, counts in
            let field = fields.first { $0.series.id == series.id }?.field
            return .object(series.json(counts, isDetailed: field?.isSensitive == false, ofFlow: true))
        }
    }

    /// The options by their labels, then answered options that the definition does not have.
    private func choices(_ field: FlowField, _ marks: MarkCounts) -> [JSONValue] {
        let options = field.isSensitive ? [] : field.type.optionLabels.filter(\.isID)
        let others = marks.options.filter { other in !options.contains { $0.name == other.value } }
        return options.map { option in
            [
                "id": .string(option.name), "label": .string(FlowTemplate.plain(text(option.label))),
                "count": .integer(marks.count(ofOption: option.name)),
            ]
        } + others.map { ["id": .string($0.value), "count": .integer($0.count)] }
    }
}
