internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Results as CSV (RFC 4180): one number on each line, so every spreadsheet can filter and pivot the table.
///
/// `breakdown` is `all`, `branch`, `locale` or `day`; `group` names the branch, locale or day. `measure` is `answers`,
/// `option`, `mean`, `nps`, `mean_difference` from the branch in `text`, a step of the funnel, or `enrolled` with a
/// branch's ratio as `value`. A branch only has lines of its own options. A withheld line has no numbers, and `true` in
/// the last column.
///
/// With the breakdown `goal` the column `group` names the branch and `option` the goal. `measure` is `goal`, with the
/// mean as `value` and the converted clients as `count`; or `difference` or `lift` from the control, with the verdict
/// in `text`.
struct ResultsTable {
    private(set) var bytes: [UInt8] = []

    private static let columns = [
        "message", "breakdown", "group", "measure", "option", "text", "count", "clients", "value", "share", "low",
        "high", "withheld",
    ]

    /// The position of a line in the table.
    private struct LineKey {
        let message: Identifier
        let breakdown: String
        let group: String?
    }

    init(_ report: ResultsReport) {
        CSV.write(Self.columns.map { .literal($0) }, to: &bytes)
        for message in report.messages { write(message) }
        if let goals = report.goals { write(goals) }
        for branch in report.enrollment?.branches ?? [] {
            write(
                LineKey(message: "", breakdown: "branch", group: branch.slug.text), "enrolled",
                [
                    "clients": .number(branch.clients), "value": .number(branch.ratio.map(Double.init)),
                    "withheld": .isWithheld(branch.clients),
                ])
        }
    }

    private mutating func write(_ report: MessageReport) {
        let results = report.results
        let all = LineKey(message: results.message, breakdown: "all", group: nil)
        write(results.total, all, results.options)
        write(results.funnel, all, isControl: report.isControl)
        for (name, lines) in [
            ("branch", report.answersByBranch), ("locale", results.locales), ("day", results.days),
        ] {
            for line in lines { write(line, key(results, name, line.group), results.options) }
        }
        for line in report.funnelByBranch {
            write(line, key(results, "branch", line.group), isControl: report.isControl)
        }
        for control in report.controls {
            write(control.exposed, of: .exposed, key(results, "branch", .named(control.branch)))
        }
    }

    private mutating func write(_ goals: GoalResults) {
        for report in goals.reports {
            let name = CSV.Field.text(report.goal.name.text)
            for (branch, line) in zip(report.branches, report.branchesJSON.array ?? []) {
                write(
                    LineKey(message: "", breakdown: "goal", group: branch.slug.text), "goal",
                    [
                        "option": name, "count": .number(line["converted"]), "clients": .number(line["exposed"]),
                        "value": .number(line["mean"]), "low": .number(line["interval"]["low"]),
                        "high": .number(line["interval"]["high"]),
                        "withheld": .literal(String(line["exposed"] == .null || line["converted"] == .null)),
                    ])
            }
            for line in report.comparisonsJSON.array ?? [] { write(comparison: line, of: name) }
        }
    }

    /// Writes the comparison by which the verdict was found.
    private mutating func write(comparison line: JSONValue, of goal: CSV.Field) {
        let shown = line["cuped"] == .null ? line : line["cuped"]
        let key = LineKey(message: "", breakdown: "goal", group: line["branch"].string)
        for (measure, interval) in [("difference", "interval"), ("lift", "lift_interval")] {
            write(
                key, measure,
                [
                    "option": goal, "text": .text(line["verdict"].string), "value": .number(shown[measure]),
                    "low": .number(shown[interval]["low"]), "high": .number(shown[interval]["high"]),
                    "withheld": .literal(String(line["difference"] == .null)),
                ])
        }
    }

    private func key(_ results: MessageResults, _ breakdown: String, _ group: ResultGroup) -> LineKey {
        let name =
            switch group {
            case .named(let name): name.text
            case .none: "(none)"
            case .rest: "(rest)"
            }
        return LineKey(message: results.message, breakdown: breakdown, group: name)
    }

    private mutating func write(_ line: AnswerLine, _ key: LineKey, _ options: [ResultOption]) {
        write(key, "answers", ["count": .number(line.answers), "withheld": .isWithheld(line.answers)])
        for (position, option) in line.options.map({ options[$0] }).enumerated() {
            let (count, share) = (line.counts[position], line.shares[position])
            write(
                key, "option",
                [
                    "option": .text(option.id.text), "text": .text(option.text),
                    "value": .number(line.scale?.values[position]), "count": .number(count),
                    "share": .number(share?.share), "low": .number(share?.low), "high": .number(share?.high),
                    "withheld": .isWithheld(count),
                ])
        }
        if let difference = line.difference {
            write(
                key, "mean_difference",
                fields(difference.estimate, of: nil).merging(["text": .text(difference.reference)]) { $1 })
        }
        guard let score = line.score else { return }
        write(key, "mean", fields(score.mean, of: score.answers))
        if let nps = score.netPromoterScore { write(key, "nps", fields(nps.score, of: score.answers)) }
    }

    private func fields(_ estimate: ScaleScore.Estimate, of answers: Int?) -> [String: CSV.Field] {
        [
            "count": .number(answers), "value": .number(estimate.value),
            "low": .number(estimate.interval?.lowerBound), "high": .number(estimate.interval?.upperBound),
        ]
    }

    private mutating func write(_ line: FunnelLine, _ key: LineKey, isControl: Bool) {
        for (step, count) in zip(FunnelStep.allCases, line.counts) where !isControl || step == .exposed {
            write(count, of: step, key)
        }
    }

    private mutating func write(_ count: FunnelTally.Count?, of step: FunnelStep, _ key: LineKey) {
        write(
            key, step.rawValue,
            [
                "count": .number(count?.events), "clients": .number(count?.clients),
                "withheld": .isWithheld(count?.clients),
            ])
    }

    private mutating func write(_ key: LineKey, _ measure: String, _ fields: [String: CSV.Field]) {
        let own: [String: CSV.Field] = [
            "message": .text(key.message.text), "breakdown": .literal(key.breakdown), "group": .text(key.group),
            "measure": .literal(measure), "withheld": .literal("false"),
        ]
        let line = own.merging(fields) { $1 }
        CSV.write(Self.columns.map { line[$0] ?? .null }, to: &bytes)
    }
}

extension CSV.Field {
    fileprivate static func number(_ number: Double?) -> CSV.Field {
        number.map { .literal(JSONValue.rounded($0).text) } ?? .null
    }

    /// A number of the daemon's JSON as it is; nothing for null.
    fileprivate static func number(_ value: JSONValue) -> CSV.Field { value == .null ? .null : .literal(value.text) }

    fileprivate static func isWithheld(_ count: Int?) -> CSV.Field { .literal(String(count == nil)) }
}
