internal import BellwetherCommands
internal import BellwetherJSON

/// Prints rows as they arrive, each with its findings, and then their totals. It also records whether all documents
/// succeeded.
final class PushReport {
    private let isJSON: Bool
    private let titleWidth: Int
    private var counts: [PushRow.Outcome: Int] = [:]
    private var hasUnserved = false

    init(_ documents: [SourceDocument], asJSON isJSON: Bool) {
        self.isJSON = isJSON
        titleWidth = documents.map { PushRow.title($0).count }.max() ?? 0
    }

    var isGood: Bool { counts.keys.allSatisfy(\.isGood) && !hasUnserved }

    func print(_ row: PushRow) throws {
        counts[row.outcome, default: 0] += 1
        if row.isUnserved { hasUnserved = true }
        if isJSON { return try StandardOutput.writeLine(row.json.text) }
        try StandardOutput.writeLine(row.line(titleWidth: titleWidth))
        for finding in row.findings { try StandardOutput.writeLine(finding.tintedLine) }
    }

    /// Prints the totals, such as `2 created, 1 unchanged`. With JSON, each row already has its outcome.
    func printSum() throws {
        guard !isJSON else { return }
        let sums = PushRow.Outcome.allCases.compactMap { outcome in
            counts[outcome].map { "\(Figure.count($0)) \(outcome.words)" }
        }
        try StandardOutput.writeLine(sums.joined(separator: ", "))
    }
}
