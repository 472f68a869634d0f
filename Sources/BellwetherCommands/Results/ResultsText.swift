internal import BellwetherJSON

/// The results as a table with bars, from the daemon's response (`docs/openapi.yaml`, `Results`).
struct ResultsText {
    private(set) var lines: [String] = []

    private static let withheld = "withheld"
    private static let textWidth = 32

    init(_ results: JSONValue) {
        let state = results["state"].string ?? "deleted"
        let revision = results["revision"].integer.map { ", revision \($0)" } ?? ""
        lines.append("\(Self.plain(results["recipe"].string)): \(state)\(revision)")
        let messages = results["messages"].array ?? []
        if messages.isEmpty { lines.append("No message of it was ever served.") }
        for message in messages { add(message) }
        lines += GoalsText(results["goals"]).lines
        if let minimum = results["minimum_cell"].integer, results.text.contains("\"withheld\":true") {
            lines += ["", "Counts from 1 to \(minimum - 1) are withheld."]
        }
    }

    private mutating func add(_ message: JSONValue) {
        lines += ["", Self.plain(message["message"].string)]
        if message["is_microsurvey"].bool == true, message["is_control"].bool != true { addAnswers(message) }
        addFunnel(message["funnel"], isControl: message["is_control"].bool == true)
    }

    private mutating func addAnswers(_ message: JSONValue) {
        let all = message["all"]
        lines.append("  \(Self.answers(all))")
        if message["is_complete"].bool == false { lines.append("  (there are more than were counted)") }
        let texts = Self.texts(of: message)
        let width = texts.values.map(\.count).max() ?? 0
        addLines(of: all, texts, width: width)
        let branches = message["branches"].array ?? []
        guard branches.count > 1 else { return }
        for branch in branches {
            lines.append("  \(Self.name(branch, "branch")): \(Self.answers(branch))")
            addLines(of: branch, texts, width: width, isBranch: true)
        }
    }

    /// The texts by option.
    private static func texts(of message: JSONValue) -> [String: String] {
        let options = (message["options"].array ?? []).map { option in
            (option["option"].string ?? "", cut(plain(option["text"].string ?? option["option"].string)))
        }
        return Dictionary(options, uniquingKeysWith: { first, _ in first })
    }

    /// Adds the lines of a group. A branch's lines are indented by one more column, so its bars are aligned with the
    /// bars of all.
    private mutating func addLines(
        of group: JSONValue, _ texts: [String: String], width: Int, isBranch: Bool = false
    ) {
        for option in group["options"].array ?? [] {
            let text = (texts[option["option"].string ?? ""] ?? "").padded(to: width)
            let start = isBranch ? "   \(text) " : "  \(text)  "
            lines.append(start + Figure.bar(option["share"].double) + "  " + Self.share(option))
        }
        if let score = Self.score(group) { lines.append((isBranch ? "    " : "  ") + score) }
    }

    /// Adds the steps by branch. A control only has the clients who would have seen a message.
    private mutating func addFunnel(_ funnel: JSONValue, isControl: Bool) {
        let branches = funnel["branches"].array ?? []
        let hasControl = isControl || branches.contains { $0["is_control"].bool == true }
        let steps =
            (isControl ? [] : ["shown", "started", "answered", "dismissed"]) + (hasControl ? ["exposed"] : [])
        var rows = [["clients (events)"] + steps.map { $0 == "exposed" ? "would have seen it, or saw it" : $0 }]
        for (name, line) in [("all", funnel["all"])] + branches.map({ (Self.name($0, "branch"), $0) }) {
            rows.append([name] + steps.map { Self.step(line[$0]) })
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row.dropFirst(), widths.dropFirst()).map { $0.alignedRight(to: $1) }
            lines.append("  " + ([row[0].padded(to: widths[0])] + cells).joined(separator: "  "))
        }
        guard funnel["is_complete"].bool == false else { return }
        lines.append("  since \(funnel["since"].string ?? "now"): older events are no longer kept, or not counted")
    }
}

/// The cells of the table.
extension ResultsText {
    private static func count(_ value: JSONValue) -> String {
        value.integer.map { Figure.count(Int($0)) } ?? withheld
    }

    private static func answers(_ group: JSONValue) -> String {
        group["answers"].integer.map { Figure.count(Int($0), "answer") } ?? "\(withheld) answers"
    }

    /// A text such as `211   41.2 %  (37.0 %…45.5 %)`.
    private static func share(_ count: JSONValue) -> String {
        guard count["count"].integer != nil else { return withheld }
        let number = self.count(count["count"]).alignedRight(to: 7)
        guard let share = count["share"].double, let low = count["interval"][0].double,
            let high = count["interval"][1].double
        else { return number }
        let percentage = Figure.percentage(share).alignedRight(to: 8)
        return "\(number) \(percentage)  (\(Figure.percentage(low))…\(Figure.percentage(high)))"
    }

    private static func score(_ line: JSONValue) -> String? {
        guard let mean = estimate(line["mean"]) else { return nil }
        let difference = estimate(line["difference"], isSigned: true).map { difference in
            ", \(difference) from \(plain(line["difference"]["reference"].string))"
        }
        return "mean \(mean)" + (difference ?? "") + (estimate(line["nps"]).map { ", NPS \($0)" } ?? "")
    }

    private static func estimate(_ value: JSONValue, isSigned: Bool = false) -> String? {
        guard let number = value["value"].double else { return nil }
        let text = (isSigned && number > 0 ? "+" : "") + Figure.decimal(number, places: 2)
        guard let low = value["interval"][0].double, let high = value["interval"][1].double else { return text }
        return "\(text) (\(Figure.decimal(low, places: 2))…\(Figure.decimal(high, places: 2)))"
    }

    private static func step(_ value: JSONValue) -> String {
        guard let clients = value["clients"].integer, let events = value["events"].integer else {
            return value["withheld"].bool == true ? withheld : "–"
        }
        return "\(Figure.count(Int(clients))) (\(Figure.count(Int(events))))"
    }

    private static func name(_ line: JSONValue, _ key: String) -> String {
        if line["is_rest"].bool == true { return "(rest)" }
        return line[key].string.map { cut(plain($0)) } ?? "(in no branch)"
    }

    private static func cut(_ text: String) -> String {
        text.count > textWidth ? text.prefix(textWidth - 1) + "…" : text
    }

    private static func plain(_ text: String?) -> String { text?.plain ?? "" }
}

extension JSONValue {
    fileprivate subscript(index: Int) -> JSONValue {
        array.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? .null
    }
}
