internal import BellwetherAuthoring
internal import BellwetherJSON

/// The size of an experiment as text.
struct GoalSizingText {
    private let sizing: GoalSizing
    private let rates: JSONObject

    /// - Parameter rates: what the daemon says of an event.
    init(_ sizing: GoalSizing, rates: JSONObject = [:]) { (self.sizing, self.rates) = (sizing, rates) }

    var lines: String {
        let size = sizing.size
        func count(_ clients: Int64) -> String { Figure.count(Int(clients)) }
        var rows = [
            ("clients", "\(count(size.allClients)) in all branches"),
            ("one comparison", "\(count(size.clients)) in the control and one branch"),
            ("if looked at once", "\(count(size.fixedClients)) in the control and one branch"),
            ("power", Figure.percentage(size.power)),
        ]
        if let days = sizing.days { rows.append(("days", count(days))) }
        for (name, value) in rates { rows.append((name.replacing("_", with: " "), "\(value.text) until now")) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.0.padded(to: width) + "  " + $0.1 }.joined(separator: "\n")
    }
}
