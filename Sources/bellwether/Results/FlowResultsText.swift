internal import BellwetherJSON

/// Results of a flow as a funnel by step, from what the daemon answered (docs/reference/flows.md#results).
struct FlowResultsText {
    private(set) var lines: [String] = []

    init(_ results: JSONValue) {
        let json = results.object ?? [:]
        let revision = json["revision"]?.integer.map { ", revision \($0)" } ?? ""
        lines.append("\((json["slug"]?.string ?? "").plain): flow, \(json["state"]?.string ?? "deleted")\(revision)")
        lines.append(Self.totals(json))
        lines += RunResultsText.lines(json)
        let outcomes = (json["outcomes"]?.object ?? [:]).map { "\($0.key) \(Figure.count(Self.count($0.value)))" }
        if !outcomes.isEmpty { lines.append("outcomes: \(outcomes.joined(separator: ", "))") }
        add(json["steps"]?.array ?? [], "steps", of: Self.count(json["total_runs"]))
        add(json["other_revisions"]?.array ?? [], "steps of other revisions", of: Self.count(json["total_runs"]))
        for question in json["questions"]?.array ?? [] { add(question.object ?? [:]) }
        for branch in json["branches"]?.array ?? [] {
            let names = ["experiment", "branch"].map { (branch.object?[$0]?.string ?? "").plain }
            lines += ["", "\(names.joined(separator: "/")): \(Self.totals(branch.object ?? [:]))"]
        }
    }

    private static let deeds = [
        ("completed_runs", "completed"), ("skipped_runs", "skipped"), ("back_runs", "back"),
        ("dismissed", "dismissed"), ("stopped", "stopped"),
    ]

    private static func totals(_ json: JSONObject) -> String {
        let parts = ["completed", "dismissed", "active"].map { "\(Figure.count(count(json[$0]))) \($0)" }
        return "\(Figure.count(count(json["total_runs"]))) runs: \(parts.joined(separator: ", "))"
    }

    /// Adds the answers to one field.
    private mutating func add(_ question: JSONObject) {
        let answered = Self.count(question["total_answered"])
        guard answered > 0 else { return }
        let label = (question["label"]?.string ?? "").plain
        lines += ["", "\((question["id"]?.string ?? "").plain): \(label)"]
        lines.append("  \(Figure.count(answered)) answers\(DistributionText.median(question))")
        let choices = (question["choices"]?.array ?? []).map { choice in
            ((choice.object?["id"]?.string ?? "").plain, Self.count(choice.object?["count"]))
        }
        for line in SurveyResultsText.lines(choices + DistributionText.rows(question), of: answered) {
            lines.append("  " + line)
        }
    }

    /// A bar for the runs that came to each step, what they did there, and how many went on. Runs are counted, not
    /// visits.
    private mutating func add(_ steps: [JSONValue], _ title: String, of total: Int) {
        guard !steps.isEmpty else { return }
        lines += ["", title]
        let width = steps.map { ($0.object?["id"]?.string ?? "").plain.count }.max() ?? 0
        for step in steps.compactMap(\.object) {
            let runs = Self.count(step["runs"])
            let share = total > 0 ? Double(runs) / Double(total) : 0
            var deeds = Self.deeds.compactMap { key, name -> String? in
                let count = Self.count(step[key])
                return count > 0 ? "\(Figure.count(count)) \(name)" : nil
            }
            if let share = step["conversion"]?.double { deeds.append("\(Figure.percentage(share)) went on") }
            let line =
                "  \((step["id"]?.string ?? "").plain.padded(to: width))  \(Figure.bar(share))"
                + "  \(Figure.count(runs).alignedRight(to: 7)) \(Figure.percentage(share).alignedRight(to: 8))"
            lines.append(deeds.isEmpty ? line : line + "  " + deeds.joined(separator: ", "))
        }
    }

    private static func count(_ value: JSONValue?) -> Int { value?.integer.map { Int($0) } ?? 0 }
}
