package import BellwetherJSON

/// Objects as a table for people: a column for each requested member, and a line for each object.
package struct TextTable {
    private let rows: [JSONValue]
    private let lines: [[String]]

    package init(columns: [String], rows: [JSONValue]) {
        self.rows = rows
        lines = [columns] + rows.map { row in columns.map { Self.cell(row.object?[$0]) } }
    }

    /// The table, with two spaces between columns and no space at a line's end.
    package var text: String {
        let widths = lines.reduce(into: [Int](repeating: 0, count: lines[0].count)) { widths, line in
            for (column, cell) in line.enumerated() { widths[column] = max(widths[column], cell.count) }
        }
        return lines.map { line in
            let padded = zip(line, widths).map { $0.padded(to: $1) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// Prints the table, or the objects themselves, one on each line.
    package func print(asJSON: Bool) throws {
        guard asJSON else { return try StandardOutput.writeLine(text) }
        for row in rows { try StandardOutput.writeLine(row.text) }
    }

    /// The text of a cell. A missing value is a dash.
    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: "-"
        case .string(let text): text.plain
        case let value?: value.text.plain
        }
    }
}
