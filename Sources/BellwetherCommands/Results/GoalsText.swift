internal import BellwetherAuthoring
internal import BellwetherJSON

/// The goals of an experiment as text: a line for each branch, with the verdict in words.
struct GoalsText {
    private(set) var lines: [String] = []

    private static let withheld = "withheld"

    /// - Parameter goals: the member `goals` of results (`docs/openapi.yaml`, `GoalResults`).
    init(_ goals: JSONValue) {
        guard goals != .null else { return }
        let (period, periods) = (goals["period"].integer ?? 1, goals["periods"].integer ?? 1)
        let since = String((goals["since"].string ?? "").prefix { $0 != "T" })
        lines += ["", "Goals since \(since)" + (periods > 1 ? ", period \(period) of \(periods)" : "")]
        if goals["sample_ratio"]["warning"].bool == true {
            lines.append("  ! The branches do not have the clients that their ratios say: find out why first.")
        }
        for goal in goals["goals"].array ?? [] { add(goal, control: goals["control"].string ?? "") }
        for bound in goals["guards"].array ?? [] { add(guarding: bound) }
        lines += ["", "  Intervals hold however often you look. The primary goal decides, the others explain."]
    }

    private mutating func add(_ goal: JSONValue, control: String) {
        let better = goal["direction"].string == "down" ? "less is better" : "more is better"
        let primary = goal["primary"].bool == true ? " (primary)" : ""
        let days = goal["within_days"].integer ?? 0
        let counts = goal["counts"].string ?? ""
        let name = goal["name"].string?.plain ?? ""
        lines += ["", "  \(name)\(primary): \(counts) within \(days) \(days == 1 ? "day" : "days"), \(better)"]
        let isShare = counts == "converted"
        let rows = (goal["branches"].array ?? []).map { branch -> [String] in
            let slug = branch["branch"].string ?? ""
            let comparison = (goal["comparisons"].array ?? []).first { $0["branch"].string == slug }
            return [
                slug.plain, branch["exposed"].integer.map { Figure.count(Int($0), "client") } ?? Self.withheld,
                Self.figure(branch["mean"], isShare) + Self.interval(branch["interval"], isShare),
                comparison.map(Self.words) ?? (slug == control ? "control" : ""),
            ]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = [
                row[0].padded(to: widths[0]), row[1].alignedRight(to: widths[1]), row[2].padded(to: widths[2]), row[3],
            ]
            lines.append("    " + cells.joined(separator: "  "))
        }
        if let information = goal["plan"]["information"].double {
            lines.append("    \(Figure.percentage(information)) of the planned information")
        }
    }

    private mutating func add(guarding bound: JSONValue) {
        let limit =
            bound["worse_than"].double.map { "worse than \(Figure.percentage($0))" }
            ?? bound["worse_by"].double.map { "worse by \($0)" } ?? ""
        let place = bound["branch"].string.map { " in \($0.plain)" } ?? ""
        lines.append(
            "  guard: \(bound["goal"].string?.plain ?? "") \(limit)\(place): \(bound["state"].string ?? "")")
    }

    /// The verdict, and the lift or difference by which it was found.
    private static func words(_ comparison: JSONValue) -> String {
        let verdict = comparison["verdict"].string.flatMap { GoalVerdict(rawValue: $0) }?.words ?? ""
        let shown = comparison["cuped"] == .null ? comparison : comparison["cuped"]
        if shown["lift_interval"] != .null {
            return "\(verdict): lift \(signed(shown["lift"]))" + interval(shown["lift_interval"], true)
        }
        return shown["interval"] == .null ? verdict : "\(verdict): difference" + interval(shown["interval"], false)
    }

    private static func signed(_ value: JSONValue) -> String {
        guard let number = value.double else { return "" }
        return (number > 0 ? "+" : "") + Figure.percentage(number)
    }

    private static func figure(_ value: JSONValue, _ isShare: Bool) -> String {
        value.double.map { isShare ? Figure.percentage($0) : Figure.decimal($0, places: 3) } ?? withheld
    }

    private static func interval(_ value: JSONValue, _ isShare: Bool) -> String {
        value == .null ? "" : " (\(figure(value["low"], isShare))…\(figure(value["high"], isShare)))"
    }
}
