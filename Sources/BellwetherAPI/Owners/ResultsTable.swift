internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Results as CSV (RFC 4180): one number a line, so that every spreadsheet can filter and pivot it.
///
/// `breakdown` is `all`, `branch`, `locale` or `day`; `group` names which. `measure` is `answers`, `option`, `mean`,
/// `nps` or a step of the funnel. What is withheld has no numbers and `true` in the last column.
struct ResultsTable {
    private(set) var bytes: [UInt8] = []

    private static let columns = [
        "message", "breakdown", "group", "measure", "option", "text", "count", "clients", "value", "share", "low",
        "high", "withheld",
    ]

    /// Where a line stands.
    private struct Place {
        let message: String
        let breakdown: String
        let group: String
    }

    init(_ report: ResultsReport) {
        write(Self.columns)
        for message in report.messages { write(message.results) }
    }

    private mutating func write(_ results: MessageResults) {
        let all = Place(message: results.message, breakdown: "all", group: "")
        write(results.total, all, results.options)
        write(results.funnel, all)
        for (name, lines) in [
            ("branch", results.branches), ("locale", results.locales), ("day", results.days),
        ] {
            for line in lines { write(line, place(results, name, line.group), results.options) }
        }
        for line in results.funnelByBranch { write(line, place(results, "branch", line.group)) }
    }

    private func place(_ results: MessageResults, _ breakdown: String, _ group: ResultGroup) -> Place {
        let name =
            switch group {
            case .named(let name): name
            case .none: "(none)"
            case .rest: "(rest)"
            }
        return Place(message: results.message, breakdown: breakdown, group: name)
    }

    private mutating func write(_ line: AnswerLine, _ place: Place, _ options: [ResultOption]) {
        write(place, "answers", ["count": text(line.answers), "withheld": String(line.answers == nil)])
        for (column, option) in options.enumerated() {
            let share = line.shares[column]
            write(
                place, "option",
                [
                    "option": option.id, "text": option.text, "value": text(option.value),
                    "count": text(line.counts[column]), "share": text(share?.share), "low": text(share?.low),
                    "high": text(share?.high), "withheld": String(line.counts[column] == nil),
                ])
        }
        guard let score = line.score else { return }
        write(place, "mean", fields(score.mean, of: score.answers))
        if let nps = score.netPromoterScore { write(place, "nps", fields(nps.score, of: score.answers)) }
    }

    private func fields(_ estimate: ScaleScore.Estimate, of answers: Int) -> [String: String] {
        [
            "count": String(answers), "value": text(estimate.value), "low": text(estimate.interval?.lowerBound),
            "high": text(estimate.interval?.upperBound),
        ]
    }

    private mutating func write(_ line: FunnelLine, _ place: Place) {
        for (step, count) in zip(FunnelStep.allCases, line.counts) {
            write(
                place, step.rawValue,
                [
                    "count": text(count?.events), "clients": text(count?.clients), "withheld": String(count == nil),
                ])
        }
    }

    private func text(_ number: Int?) -> String { number.map(String.init) ?? "" }

    private func text(_ number: Double?) -> String { number.map { JSONValue.rounded($0).text } ?? "" }

    private mutating func write(_ place: Place, _ measure: String, _ fields: [String: String]) {
        let own = [
            "message": place.message, "breakdown": place.breakdown, "group": place.group, "measure": measure,
            "withheld": "false",
        ].merging(fields) { $1 }
        write(Self.columns.map { own[$0] ?? "" })
    }

    private mutating func write(_ fields: [String]) {
        bytes += fields.map(Self.field).joined(separator: ",").utf8
        bytes += "\r\n".utf8
    }

    /// Text that a spreadsheet would run as a formula gets an apostrophe in front: texts are clients' and owners'.
    private static func field(_ text: String) -> String {
        let first = text.utf8.first
        let isNumber = Double(text) != nil
        let isFormula = !isNumber && [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D].contains(first)
        let safe = isFormula ? "'" + text : text
        guard safe.utf8.contains(where: { [0x2C, 0x22, 0x0D, 0x0A].contains($0) }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
