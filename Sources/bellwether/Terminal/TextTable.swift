internal import BellwetherJSON

/// Objects as a person reads them: a column for each member that is asked for, a line for each object.
struct TextTable {
    private let rows: [JSONValue]
    private let lines: [[String]]

    init(columns: [String], rows: [JSONValue]) {
        self.rows = rows
        lines = [columns] + rows.map { row in columns.map { Self.cell(row.object?[$0]) } }
    }

    /// With two spaces between columns, and none at a line's end.
    var text: String {
        let widths = lines.reduce(into: [Int](repeating: 0, count: lines[0].count)) { widths, line in
            for (column, cell) in line.enumerated() { widths[column] = max(widths[column], cell.count) }
        }
        return lines.map { line in
            let padded = zip(line, widths).map { $0.padded(to: $1) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// The table, or the objects themselves, one a line.
    func print(asJSON: Bool) throws {
        guard asJSON else { return try StandardOutput.writeLine(text) }
        for row in rows { try StandardOutput.writeLine(row.text) }
    }

    /// A missing value is a dash.
    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: "-"
        case .string(let text): text.plain
        case let value?: value.text.plain
        }
    }
}
