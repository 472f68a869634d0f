internal import BellwetherJSON

/// Results of a questionnaire or survey as tables with bars, from what the daemon answered (`docs/openapi.yaml`,
/// `SurveyResults`).
struct SurveyResultsText {
    private(set) var lines: [String] = []

    private static let textWidth = 32

    init(_ results: JSONValue) {
        let json = results.object ?? [:]
        let revision = json["revision"]?.integer.map { ", revision \($0)" } ?? ""
        let state = json["state"]?.string ?? "deleted"
        lines.append("\((json["slug"]?.string ?? "").plain): \(json["kind"]?.string ?? ""), \(state)\(revision)")
        lines.append(Self.totals(json))
        lines += RunResultsText.lines(json)
        for question in json["questions"]?.array ?? [] { add(question.object ?? [:]) }
        addDropOff(json["drop_off"]?.array ?? [], of: Self.count(json["total_responses"]))
        addOtherRevisions(json["other_revisions"]?.array ?? [])
        for branch in json["branches"]?.array ?? [] { addBranch(branch.object ?? [:]) }
    }

    private static func totals(_ json: JSONObject) -> String {
        let (total, submitted) = (count(json["total_responses"]), count(json["submitted_count"]))
        let imported = json["imported"].map { ", \(Figure.count(count($0))) imported" } ?? ""
        return "\(Figure.count(total)) responses, \(Figure.count(submitted)) submitted\(imported)"
    }

    private mutating func add(_ question: JSONObject) {
        let title = Self.cut(question["title"]?.string, 72)
        lines += ["", "\((question["id"]?.string ?? "").plain): \(title)"]
        let answered = Self.count(question["total_answered"])
        lines.append("  \(Figure.count(answered)) answers\(Self.score(question))\(DistributionText.median(question))")
        for bar in Self.bars(question) { lines.append("  " + bar) }
        for answer in question["recent_answers"]?.array ?? [] {
            let value = answer.object?["answer"] ?? .null
            lines.append("  - " + Self.cut(value.string ?? value.text, 72))
        }
    }

    /// The score of the answers: `, mean 4.33`, `, NPS 25`.
    private static func score(_ question: JSONObject) -> String {
        if let average = question["average"]?.double { return ", mean \(Figure.decimal(average, places: 2))" }
        return question["score"]?.integer.map { ", NPS \($0)" } ?? ""
    }

    private static func bars(_ question: JSONObject) -> [String] {
        let choices = question["choices"]?.array ?? []
        let buckets = question["buckets"]?.array ?? []
        var rows: [(String, Int)] = choices.map { choice in
            (
                cut(choice.object?["label"]?.string ?? choice.object?["id"]?.string, textWidth),
                count(choice.object?["count"])
            )
        }
        rows += buckets.map { ($0.object?["value"]?.text ?? "", count($0.object?["count"])) }
        if question["promoters"] != nil {
            let groups = [("promoters", "9 and 10"), ("passives", "7 and 8"), ("detractors", "0 to 6")]
            rows += groups.map { ("\($0), \($1)", count(question[$0])) }
        }
        rows += DistributionText.rows(question)
        return lines(rows, of: count(question["total_answered"]))
    }

    /// Bars below each other, each with its count and its share.
    static func lines(_ rows: [(text: String, count: Int)], of total: Int) -> [String] {
        let width = rows.map(\.text.count).max() ?? 0
        return rows.map { text, count in
            let share = total > 0 ? Double(count) / Double(total) : 0
            return "\(text.padded(to: width))  \(Figure.bar(share))  \(Figure.count(count).alignedRight(to: 7))"
                + " \(Figure.percentage(share).alignedRight(to: 8))"
        }
    }

    /// How many answered each question, and how many drafts stand at it.
    private mutating func addDropOff(_ entries: [JSONValue], of total: Int) {
        guard !entries.isEmpty else { return }
        lines += ["", "drop-off"]
        let rows = entries.map { entry in
            (Self.cut(entry.object?["id"]?.string, Self.textWidth), Self.count(entry.object?["answered"]))
        }
        for (line, entry) in zip(Self.lines(rows, of: total), entries) {
            let stopped = Self.count(entry.object?["stopped"])
            lines.append("  " + line + (stopped > 0 ? "  \(Figure.count(stopped)) stopped here" : ""))
        }
    }

    private mutating func addOtherRevisions(_ entries: [JSONValue]) {
        guard !entries.isEmpty else { return }
        lines += ["", "answers that are no longer asked for"]
        for entry in entries.compactMap(\.object) {
            let id = (entry["id"]?.string ?? "").plain
            if let total = entry["total_answered"] { lines.append("  \(id): \(Figure.count(Self.count(total)))") }
            for choice in entry["choices"]?.array ?? [] {
                let text = Self.cut(choice.object?["id"]?.string, Self.textWidth)
                lines.append("  \(id), \(text): \(Figure.count(Self.count(choice.object?["count"])))")
            }
        }
    }

    private mutating func addBranch(_ branch: JSONObject) {
        let names = ["experiment", "branch"].map { (branch[$0]?.string ?? "").plain }
        lines += ["", "\(names.joined(separator: "/")): \(Self.totals(branch))"]
        for question in branch["questions"]?.array ?? [] {
            let members = question.object ?? [:]
            let answered = Figure.count(Self.count(members["total_answered"]))
            lines.append("  \((members["id"]?.string ?? "").plain): \(answered) answers\(Self.score(members))")
        }
    }

    private static func count(_ value: JSONValue?) -> Int { value?.integer.map { Int($0) } ?? 0 }

    private static func cut(_ text: String?, _ width: Int) -> String {
        let plain = (text ?? "").plain
        return plain.count > width ? plain.prefix(width - 1) + "…" : plain
    }
}
