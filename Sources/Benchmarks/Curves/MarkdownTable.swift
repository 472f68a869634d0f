/// A table in Markdown, as in the documentation.
struct MarkdownTable {
    private var rows: [[String]]

    init(_ titles: [String]) { rows = [titles, titles.map { _ in "---:" }] }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var text: String { rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") }
}

extension Int {
    /// The number in decimal, with a comma before each group of three digits, the same in every locale.
    var grouped: String {
        self < 1_000 ? "\(self)" : (self / 1_000).grouped + "," + "\(self % 1_000 + 1_000)".dropFirst()
    }
}
