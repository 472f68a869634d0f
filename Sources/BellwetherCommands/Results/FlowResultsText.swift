internal import BellwetherJSON

/// The results of a flow as a funnel by step, from the daemon's response (docs/reference/flows.md#results).
struct FlowResultsText {
    private(set) var lines: [String] = []
    private let counts: CountText

    init(_ results: JSONValue) {
        let json = results.object ?? [:]
        counts = CountText()
        let revision = json["revision"]?.integer.map { ", revision \($0)" } ?? ""
        lines.append("\((json["slug"]?.string ?? "").plain): flow, \(json["state"]?.string ?? "deleted")\(revision)")
        lines.append(totals(json))
        lines += RunResultsText.lines(json)
        let outcomes = (json["outcomes"]?.object ?? [:]).map { "\($0.key) \(counts.text($0.value))" }
        if !outcomes.isEmpty { lines.append("outcomes: \(outcomes.joined(separator: ", "))") }
        let others = json["other_revisions"]?.array ?? []
        if let total = CountText.number(json["total_runs"]) {
            add(json["steps"]?.array ?? [], "steps", of: total)
            add(others.filter { $0.object?["runs"] != nil }, "steps of other revisions", of: total)
        }
        for question in json["questions"]?.array ?? [] { add(question.object ?? [:]) }
        lines += SurveyResultsText.otherAnswers(others.filter { $0.object?["total_answered"] != nil })
        for branch in json["branches"]?.array ?? [] {
            lines += ["", "\(RunResultsText.name(ofBranch: branch)): \(totals(branch.object ?? [:]))"]
        }
        for group in RunResultsText.groups(json) { lines += ["", "\(group.name): \(totals(group.counts))"] }
    }

    private static let deeds = [
        ("completed_runs", "completed"), ("skipped_runs", "skipped"), ("back_runs", "back"),
        ("dismissed", "dismissed"), ("stopped", "stopped"),
    ]

    private func totals(_ json: JSONObject) -> String {
        guard let total = CountText.number(json["total_runs"]) else { return counts.text(nil as Int?, "run") }
        let parts = ["completed", "dismissed", "active"].map { "\(counts.text(json[$0])) \($0)" }
        return "\(Figure.count(total, "run")): \(parts.joined(separator: ", "))"
    }

    /// Adds the answers to one field.
    private mutating func add(_ question: JSONObject) {
        let answered = CountText.number(question["total_answered"])
        guard answered != 0 else { return }
        let title = (question["title"]?.string ?? question["label"]?.string ?? "").plain
        lines += ["", "\((question["id"]?.string ?? "").plain): \(title)"]
        lines.append("  \(counts.text(answered, "answer"))\(DistributionText.median(question))")
        guard let answered else { return }
        let choices = (question["choices"]?.array ?? []).compactMap(\.object).map { choice in
            (
                text: (choice["label"]?.string ?? choice["id"]?.string ?? "").plain,
                count: CountText.number(choice["count"])
            )
        }
        for line in counts.bars(choices + DistributionText.rows(question), of: answered) { lines.append("  " + line) }
    }

    /// Adds a bar for the runs that reached each step, with their actions and the share that went on. It counts runs,
    /// not visits.
    private mutating func add(_ steps: [JSONValue], _ title: String, of total: Int) {
        guard !steps.isEmpty else { return }
        lines += ["", title]
        let steps = steps.compactMap(\.object)
        let rows = steps.map { step in
            (text: (step["id"]?.string ?? "").plain, count: CountText.number(step["runs"]))
        }
        for (line, step) in zip(counts.bars(rows, of: total), steps) {
            let hasCounts = CountText.number(step["runs"]) != nil
            var deeds = Self.deeds.compactMap { key, name -> String? in
                let count = CountText.number(step[key])
                return !hasCounts || count == 0 ? nil : "\(counts.text(count)) \(name)"
            }
            if let share = step["conversion"]?.double { deeds.append("\(Figure.percentage(share)) went on") }
            if let title = step["title"]?.string?.plain, !title.isEmpty { deeds.append("“\(title)”") }
            lines.append("  " + (deeds.isEmpty ? line : line + "  " + deeds.joined(separator: ", ")))
        }
    }
}
