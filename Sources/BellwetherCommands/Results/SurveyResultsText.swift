internal import BellwetherJSON

/// The results of a questionnaire or survey as tables with bars, from the daemon's response (`docs/openapi.yaml`,
/// `SurveyResults`).
struct SurveyResultsText {
    private(set) var lines: [String] = []
    private let counts: CountText

    private static let textWidth = 32

    init(_ results: JSONValue) {
        let json = results.object ?? [:]
        counts = CountText()
        let revision = json["revision"]?.integer.map { ", revision \($0)" } ?? ""
        let state = json["state"]?.string ?? "deleted"
        lines.append("\((json["slug"]?.string ?? "").plain): \(json["kind"]?.string ?? ""), \(state)\(revision)")
        lines.append(totals(json))
        lines += RunResultsText.lines(json)
        for question in json["questions"]?.array ?? [] { add(question.object ?? [:]) }
        if let total = CountText.number(json["total_responses"]) {
            addDropOff(json["drop_off"]?.array ?? [], of: total)
        }
        lines += Self.otherAnswers(json["other_revisions"]?.array ?? [])
        for branch in json["branches"]?.array ?? [] {
            addGroup(branch.object ?? [:], RunResultsText.name(ofBranch: branch))
        }
        for group in RunResultsText.groups(json) { addGroup(group.counts, group.name) }
    }

    private func totals(_ json: JSONObject) -> String {
        guard let total = CountText.number(json["total_responses"]) else {
            return counts.text(nil as Int?, "response")
        }
        let imported = json["imported"].map { ", \(counts.text($0)) imported" } ?? ""
        return "\(Figure.count(total, "response")), \(counts.text(json["submitted_count"])) submitted\(imported)"
    }

    private mutating func add(_ question: JSONObject) {
        let title = Self.cut(question["title"]?.string, 72)
        lines += ["", "\((question["id"]?.string ?? "").plain): \(title)"]
        let answered = counts.text(CountText.number(question["total_answered"]), "answer")
        lines.append("  \(answered)\(Self.score(question))\(DistributionText.median(question))")
        for bar in bars(question) { lines.append("  " + bar) }
        for answer in question["recent_answers"]?.array ?? [] {
            let value = answer.object?["text"] ?? answer.object?["answer"] ?? .null
            lines.append("  - " + Self.cut(value.string ?? value.text, 72))
        }
    }

    /// The score of the answers, such as `, mean 4.33` or `, NPS 25`; in a group of a series with its interval:
    /// `, NPS 25 (-3…48)`.
    private static func score(_ question: JSONObject) -> String {
        let ends = ["low", "high"].map { question["interval"]?.object?[$0] }
        if let average = question["average"]?.double {
            return ", mean \(Figure.decimal(average, places: 2))"
                + interval(ends.map { end in end?.double.map { Figure.decimal($0, places: 2) } })
        }
        guard let score = question["score"]?.integer else { return "" }
        return ", NPS \(score)" + interval(ends.map { end in end?.integer.map { "\($0)" } })
    }

    /// A text such as ` (4.1…4.56)`; empty without both ends.
    private static func interval(_ ends: [String?]) -> String {
        let ends = ends.compactMap(\.self)
        return ends.count == 2 ? " (\(ends[0])…\(ends[1]))" : ""
    }

    /// The bars of a question; none if its number of answers is withheld.
    private func bars(_ question: JSONObject) -> [String] {
        guard let total = CountText.number(question["total_answered"]) else { return [] }
        let choices = question["choices"]?.array ?? []
        let buckets = question["buckets"]?.array ?? []
        var rows: [(text: String, count: Int?)] = choices.map { choice in
            (
                Self.cut(choice.object?["label"]?.string ?? choice.object?["id"]?.string, Self.textWidth),
                CountText.number(choice.object?["count"])
            )
        }
        rows += buckets.map { ($0.object?["value"]?.text ?? "", CountText.number($0.object?["count"])) }
        if question["promoters"] != nil {
            let groups = [("promoters", "9 and 10"), ("passives", "7 and 8"), ("detractors", "0 to 6")]
            rows += groups.map { ("\($0), \($1)", CountText.number(question[$0])) }
        }
        return counts.bars(rows + DistributionText.rows(question), of: total)
    }

    /// Adds the number of answers to each question, and the number of drafts that stopped at it.
    private mutating func addDropOff(_ entries: [JSONValue], of total: Int) {
        guard !entries.isEmpty else { return }
        lines += ["", "drop-off"]
        let rows = entries.map { entry in
            (
                text: Self.cut(entry.object?["id"]?.string, Self.textWidth),
                count: CountText.number(entry.object?["answered"])
            )
        }
        for (line, entry) in zip(counts.bars(rows, of: total), entries) {
            let stopped = CountText.number(entry.object?["stopped"])
            lines.append("  " + line + (stopped == 0 ? "" : "  \(counts.text(stopped)) stopped here"))
        }
    }

    /// The answers that are no longer asked for: of other questions, types, scales and options.
    static func otherAnswers(_ entries: [JSONValue]) -> [String] {
        guard !entries.isEmpty else { return [] }
        let counts = CountText()
        return ["", "answers that are no longer asked for"]
            + entries.compactMap(\.object).flatMap { entry in
                let id = (entry["id"]?.string ?? "").plain
                let scale = entry["scale"].map { " \(($0.string ?? $0.text).plain)" } ?? ""
                let type = entry["type"]?.string.map { " (\($0.plain)\(scale))" } ?? ""
                let total = entry["total_answered"].map { total in
                    "  \(id)\(type): \(counts.text(total))\(score(entry))\(DistributionText.median(entry))"
                }
                let options = (entry["choices"]?.array ?? []).map { choice in
                    let text = cut(choice.object?["id"]?.string, textWidth)
                    return "  \(id)\(type), \(text): \(counts.text(choice.object?["count"]))"
                }
                return (total.map { [$0] } ?? []) + options
            }
    }

    /// Adds a branch, or a group of a breakdown.
    private mutating func addGroup(_ group: JSONObject, _ name: String) {
        lines += ["", "\(name): \(totals(group))"]
        for question in group["questions"]?.array ?? [] {
            let members = question.object ?? [:]
            let answered = counts.text(CountText.number(members["total_answered"]), "answer")
            lines.append("  \((members["id"]?.string ?? "").plain): \(answered)\(Self.score(members))")
            for move in members["moved"]?.array ?? [] {
                let ends = ["from", "to"].map { move.object?[$0].map { ($0.string ?? $0.text).plain } ?? "" }
                lines.append("    \(ends.joined(separator: " → ")): \(counts.text(move.object?["count"]))")
            }
        }
    }

    private static func cut(_ text: String?, _ width: Int) -> String {
        let plain = (text ?? "").plain
        return plain.count > width ? plain.prefix(width - 1) + "…" : plain
    }
}
