internal import BellwetherAuthoring
internal import BellwetherCore

/// The size of a survey, as text and as JSON.
struct SizingText {
    private let sizing: SurveySizing

    init(_ sizing: SurveySizing) { self.sizing = sizing }

    var lines: String {
        var rows = [
            ("responses", responses),
            ("margin of error", "±\(margin(sizing.marginOfError)) (95 %, in each branch)"),
            ("invitations seen", Figure.count(sizing.invitations)), ("clients enrolled", Figure.count(sizing.enrolled)),
            (
                "of active clients",
                "\(Figure.percentage(sizing.share)) of \(Figure.count(sizing.activeClients))"
            ),
        ]
        if let count = sizing.bucketCount {
            rows.append(("buckets", "\(Figure.count(count)) of \(Figure.count(Int(sizing.buckets)))"))
        } else {
            let most = sizing.reachableResponsesPerBranch
            rows.append(("cannot be reached", "everybody brings \(Figure.count(most)) responses in each branch"))
            if most > 0 { rows.append(("margin of that", "±\(margin(reachableMargin))")) }
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.0.padded(to: width) + "  " + $0.1 }.joined(separator: "\n")
    }

    private var responses: String {
        let each = Figure.count(sizing.responsesPerBranch)
        guard sizing.branches > 1 else { return each }
        return "\(Figure.count(sizing.responses)): \(each) in each of \(Figure.count(sizing.branches)) branches"
    }

    private var reachableMargin: Double {
        SurveySizing.margin(
            responses: sizing.reachableResponsesPerBranch, of: sizing.activeClients, measure: sizing.measure)
    }

    private func margin(_ margin: Double) -> String {
        if case .share = sizing.measure { return Figure.percentage(margin) }
        return Figure.decimal(100 * margin, places: 1) + " points of NPS"
    }
}
