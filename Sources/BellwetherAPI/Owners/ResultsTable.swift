internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Results as CSV (RFC 4180): one number a line, so that every spreadsheet can filter and pivot it.
///
/// `breakdown` is `all`, `branch`, `locale` or `day`; `group` names which. `measure` is `answers`, `option`, `mean`, `nps`
/// or a step of the funnel. What is withheld has no numbers and `true` in the last column.
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
        write(place, "answers", count: line.answers)
        for (column, option) in options.enumerated() {
            write(place, "option", option: option, count: line.counts[column], share: line.shares[column])
        }
        guard let score = line.score else { return }
        write(place, "mean", score.mean, count: score.answers)
        if let nps = score.netPromoterScore { write(place, "nps", nps.score, count: score.answers) }
    }

    private mutating func write(
        _ place: Place, _ measure: String, option: ResultOption? = nil, count: Int?, share: ShareEstimate? = nil
    ) {
        write([
            place.message, place.breakdown, place.group, measure, option?.id ?? "", option?.text ?? "", text(count), "",
            option?.value.map(String.init) ?? "", text(share?.share), text(share?.low), text(share?.high),
            count == nil ? "true" : "false",
        ])
    }

    private mutating func write(_ place: Place, _ measure: String, _ estimate: ScaleScore.Estimate, count: Int) {
        write([
            place.message, place.breakdown, place.group, measure, "", "", String(count), "", text(estimate.value), "",
            text(estimate.interval?.lowerBound), text(estimate.interval?.upperBound), "false",
        ])
    }

    private mutating func write(_ line: FunnelLine, _ place: Place) {
        for (step, count) in zip(FunnelStep.allCases, line.counts) {
            write([
                place.message, place.breakdown, place.group, step.rawValue, "", "", text(count?.events),
                text(count?.clients), "", "", "", "", count == nil ? "true" : "false",
            ])
        }
    }

    private func text(_ number: Int?) -> String { number.map(String.init) ?? "" }

    private func text(_ number: Double?) -> String { number.map { JSONValue.rounded($0).text } ?? "" }

    /// Numbers and words of ours need no quotation marks, but nothing is wrong with them.
    private mutating func write(_ fields: [String]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Self.field(field).utf8
        }
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
